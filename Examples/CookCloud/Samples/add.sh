#!/usr/bin/env bash
# Writes recipes down on the stage's devices: Alice's own, hers and Bob's for everybody. Devices that have recipes stay as they are.
set -euo pipefail
cd "$(dirname "$0")"

on() { CUMULET_DEVICE=$CUMULET_DEVICES/$1 cookcloud "${@:2}"; }

[[ $(on phone list) == "no recipes" ]] || exit 0

on phone add "Lentil soup" --minutes 40 --photo soup.png \
  --ingredients "250 g red lentils,2 carrots,1 onion,1 teaspoon cumin,1 litre of stock,Half a lemon" \
  --notes "Soften the onion and the carrots in oil, add cumin and lentils, then the stock. Simmer for 25 minutes, blend half of it, and finish with lemon."
on phone add "Plum tart" --minutes 75 --photo tart.png \
  --ingredients "200 g flour,100 g cold butter,800 g plums,3 tablespoons sugar,A pinch of cinnamon" \
  --notes "Rub butter and flour, add cold water until it holds, rest it for half an hour. Lay the plums close together: they shrink. 45 minutes at 190 °C."
on phone add "Overnight bread" --minutes 60 --photo bread.png \
  --ingredients "500 g strong flour,380 g water,10 g salt,1 g dry yeast" \
  --notes "Stir it together in the evening, fold it once before bed. Shape it in the morning, bake it in a hot covered pot for 40 minutes."
on phone add "Pickled radishes" --minutes 15 --ingredients "1 bunch of radishes,100 ml vinegar,1 tablespoon sugar,1 teaspoon salt" \
  --notes "Slice them thinly, pour the hot brine over them, eat them from the next day on."
on tablet add "Green salad for six" --community --minutes 10 --photo salad.png \
  --ingredients "2 heads of lettuce,1 cucumber,Olive oil,Vinegar,1 teaspoon mustard" \
  --notes "Wash and dry the leaves well. Shake the dressing in a jar and dress the salad at the table."
on other add "Potato pancakes" --community --minutes 35 \
  --ingredients "1 kg potatoes,1 onion,2 eggs,3 tablespoons flour,Oil for the pan" \
  --notes "Grate, salt, wait, and squeeze the water out: that is all there is to it. Fry them thin, and eat them at once."
on other add "Bob's bean chili" --minutes 50 --ingredients "2 tins of beans,1 tin of tomatoes,2 onions,1 chili,Cocoa" \
  --notes "A teaspoon of cocoa makes it dark. Better on the second day."
