#!/usr/bin/env bash
# Shows the recipe app on three devices of two people, with recipes to begin with. Arguments go to `cumulet stage`; the page has the
# port $PORT, 8790 without it.
set -euo pipefail
cd "$(dirname "$0")/.."
cumulet=${CUMULET:-$PWD/.build/debug/cumulet}
programs=$PWD/.build/examples/CookCloud/debug
port=${PORT:-8790}
if [[ " $* " != *" --port"* ]]; then
  # Before the build, not after it.
  if [[ $port != 0 ]] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    echo "port $port is taken, perhaps by a stage that runs already: end that one, or take a free port with 'make run PORT=0'" >&2
    exit 1
  fi
  set -- --port "$port" "$@"
fi
scripts/example CookCloud CookCloudApp cookcloud
export PATH=$programs:$PATH
exec "$cumulet" stage "$programs/CookCloudApp" --devices phone:alice,tablet:alice,other:bob \
  --prepare Examples/CookCloud/Samples/add.sh "$@"
