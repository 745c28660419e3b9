#!/usr/bin/env bash
# Shows the recipe app on three devices of two people, with recipes to begin with. Arguments go to `cumulet stage`; the page has the
# port $PORT, 8790 without it.
set -euo pipefail
cd "$(dirname "$0")/.."
cumulet=${CUMULET:-$PWD/.build/debug/cumulet}
scratch=$PWD/.build/examples/CookCloud
port=${PORT:-8790}
if [[ " $* " != *" --port"* ]]; then
  # Before the build, not after it.
  if [[ $port != 0 ]] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    echo "port $port is taken, perhaps by a stage that runs already: end that one, or take a free port with 'make run PORT=0'" >&2
    exit 1
  fi
  set -- --port "$port" "$@"
fi
[[ -x $cumulet ]] || swift build --product cumulet
echo "building Examples/CookCloud"
# SwiftPM keeps the list of a path dependency's files; a new file there must not be missed.
rm -f "$scratch"/*.yaml "$scratch"/debug/description.json
for product in CookCloudApp cookcloud; do
  swift build --quiet --package-path Examples/CookCloud --scratch-path "$scratch" --product "$product"
done
export PATH=$scratch/debug:$PATH
exec "$cumulet" stage "$scratch/debug/CookCloudApp" --devices phone:alice,tablet:alice,other:bob \
  --prepare Examples/CookCloud/Samples/add.sh "$@"
