"""Takes pictures of the screens of the example apps, and has axe-core examine each: screens.py BUILD [APP …].

Phone and desk, light and dark; pictures lie in BUILD/screens. Ends with "N passed, N failed", where a finding that is serious or
critical fails its screen, and so does anything that the browser complains of.
"""
import os
import sys
import time

import gallery
from axe import GRAVE, Axe
from browser import Browser, BrowserError
from cloud import Cloud
from world import World

LOOKS = [(kind, scheme) for kind in ("phone", "desk") for scheme in ("light", "dark")]
SIZES = {"phone": (390, 844, True), "desk": (1200, 800, False)}


class Gallery(World):
    def __init__(self, browser, cloud, number, name, folder, axe):
        super().__init__(browser, cloud, number)
        self.name, self.folder, self.axe = name, folder, axe
        self.passed = self.failed = 0

    def take(self, shown, screen):
        """The screen that is shown, in all looks."""
        for kind, scheme in LOOKS:
            width, height, touch = SIZES[kind]
            shown.size(width, height, scheme=scheme, touch=touch, scale=1)
            name = f"{self.name}-{screen}-{kind}-{scheme}"
            shown.picture(f"{self.folder}/{name}.png")
            findings = self.axe.findings(shown)
            for weight, rule, what, place in findings:
                print(f"     {weight}: {rule} on {name}: {what}: {place}")
            wide = shown.evaluate("document.documentElement.scrollWidth > innerWidth")
            if wide:
                print(f"     {name} is wider than the window")
            if wide or any(weight in GRAVE for weight, *_ in findings):
                self.failed += 1
            else:
                self.passed += 1


def main(build, only):
    passed = failed = 0
    folder, axe = f"{build}/screens", Axe()
    os.makedirs(folder, exist_ok=True)
    with Browser() as browser, Cloud(build) as cloud:
        axe.check(browser)
        for number, tour in enumerate(gallery.TOURS):
            name = tour.__name__
            if only and name not in only:
                continue
            world, begun = Gallery(browser, cloud, number, name, folder, axe), time.monotonic()
            try:
                tour(world)
            except (BrowserError, AssertionError, RuntimeError) as error:
                world.failed += 1
                print(f"FAIL {name}: {type(error).__name__} {error}")
            if complaints := world.end():
                world.failed += 1
                print(f"FAIL {name}: the browser complains: {complaints}")
            print(f"{name}: {world.passed} screens are well, {world.failed} not ({time.monotonic() - begun:.1f} s)", flush=True)
            passed += world.passed
            failed += world.failed
    print(f"{passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
