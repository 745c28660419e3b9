#!/usr/bin/env bash
# Two devices of one account follow each other; another account sees the community's recipes and nobody's own ones.
set -euo pipefail
cd "$(dirname "$0")/.."
cumulet=${CUMULET:-$PWD/.build/debug/cumulet}
scripts/example CookCloud cookcloud
cookcloud=$PWD/.build/examples/CookCloud/debug/cookcloud

work=$(mktemp -d)
pids=()
finish() {
  local status=$?
  trap - EXIT
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  if [[ $status != 0 ]]; then
    echo "the demo failed; the last lines of each log:"
    tail -n 20 "$work"/*.log
  fi
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

await() { # what, file, text: waits up to 20 seconds for the text in the file
  local tries=0
  until grep -qF -- "$3" "$2" 2>/dev/null; do
    tries=$((tries + 1))
    if [[ $tries -gt 200 ]]; then echo "FAILED: waited in vain for $1"; exit 1; fi
    sleep 0.1
  done
}

on() { # device, command...: shows and runs a command on a device
  local device=$1
  shift
  printf '%-7s $ %s\n' "$device" "$(basename "$1") ${*:2}"
  CUMULET_DEVICE=$work/$device "$@" 2>&1 | sed 's/^/            /'
}

sees() { # device, text: waits until the device's watcher has said it
  await "'$2' on the $1" "$work/$1.watch.log" "$2"
  printf '%-7s < %s\n' "$1" "$(grep -F -- "$2" "$work/$1.watch.log" | tail -n 1)"
}

watch() { # device
  CUMULET_DEVICE=$work/$1 "$cookcloud" watch >"$work/$1.watch.log" 2>&1 &
  pids+=($!)
  await "the watcher of the $1" "$work/$1.watch.log" watching
  printf '%-7s $ cookcloud watch &\n' "$1"
}

export XDG_CACHE_HOME=$work/cache
unset CUMULET_SERVER CUMULET_API_TOKEN CUMULET_ENVIRONMENT CUMULET_PASSWORD
"$cumulet" dev --port 0 --data "$work/data" >"$work/service.out.log" 2>"$work/service.log" &
service=$!
pids+=("$service")
await "the service" "$work/service.out.log" "listening on"
server=$(sed -n 's/^listening on //p' "$work/service.out.log")
echo "the service listens on $server"
echo

echo "-- Alice has a phone and a tablet, Bob has a laptop"
on phone "$cumulet" login alice@example.com --server "$server"
on tablet "$cumulet" login alice@example.com --server "$server"
on laptop "$cumulet" login bob@example.com --server "$server"
watch tablet
watch laptop
echo

echo "-- what Alice does on her phone, her tablet is told"
on phone "$cookcloud" add "Lentil soup" --minutes 40 --ingredients "lentils,carrots,cumin"
sees tablet "added on the own shelf: Lentil soup, 40 min"
on phone "$cookcloud" edit "Lentil soup" --minutes 35
sees tablet "edited on the own shelf: Lentil soup, 35 min"
on tablet "$cookcloud" list
echo

echo "-- what she gives to the community, Bob is told; her own recipes stay hers"
on phone "$cookcloud" add "Flat bread" --minutes 20 --community
sees laptop "added on the community shelf: Flat bread, 20 min"
on laptop "$cookcloud" list --community
on laptop "$cookcloud" list
if grep -qF "Lentil soup" "$work/laptop.watch.log"; then echo "FAILED: Bob was told of Alice's own recipe"; exit 1; fi
echo

echo "-- a recipe of her own she shares with Bob, who makes it better"
address=$(CUMULET_DEVICE=$work/phone "$cookcloud" share "Lentil soup")
on laptop "$cookcloud" accept "$address"
on laptop "$cookcloud" list --shared
on laptop "$cookcloud" edit "Lentil soup" --notes "more cumin" --shared
sees tablet "edited on the own shelf: Lentil soup, 35 min: lentils, carrots, cumin (more cumin)"
echo

echo "-- a picture comes to the tablet once"
head -c 200000 /dev/urandom >"$work/soup.jpg"
on phone "$cookcloud" edit "Lentil soup" --photo "$work/soup.jpg"
sees tablet "with a picture"
cmp "$work/soup.jpg" "$(CUMULET_DEVICE=$work/tablet "$cookcloud" photo "Lentil soup")"
echo

echo "-- and the other way round"
on tablet "$cookcloud" delete "Lentil soup"
on phone "$cookcloud" list
echo

echo "-- her tablet is given to Bob: what was hers is gone from it"
on tablet "$cumulet" login bob@example.com --server "$server"
sees tablet "the account changed: 0 recipes of one's own"
echo

echo "-- the service stops when it is asked to"
for pid in "${pids[@]:1}"; do kill "$pid" 2>/dev/null || true; done
kill -TERM "$service"
wait "$service" && echo "it ended with code 0"
pids=()
echo "the demo is done"
