#!/usr/bin/env bash
# Shows the recipe app on three devices of two people, with recipes to begin with. Arguments go to `cumulet stage`.
set -euo pipefail
cd "$(dirname "$0")/.."
cumulet=${CUMULET:-$PWD/.build/debug/cumulet}
scratch=$PWD/.build/examples/CookCloud
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
