"""Walks through the example apps as people do, on a real service: apps.py BUILD [WORD …]. Ends with "N passed, N failed".

BUILD is the folder with `debug/cumulet` and `examples/NAME/debug/APP`. A journey fails on anything that the browser complains of.
"""
import sys
import time

import cookcloud
import friends
from browser import Browser, BrowserError
from cloud import Cloud
from world import World


def journeys():
    for module in (cookcloud, friends):
        for value in vars(module).values():
            if getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("world",):
                yield value


def main(build, only):
    passed = failed = 0
    with Browser() as browser, Cloud(build) as cloud:
        for number, journey in enumerate(journeys()):
            name = journey.__name__.replace("_", " ")
            if only and not any(word in name for word in only):
                continue
            world, problem, begun = World(browser, cloud, number), None, time.monotonic()
            try:
                journey(world)
            except (BrowserError, AssertionError, RuntimeError) as error:
                problem = f"{type(error).__name__} {error}"
            complaints = world.end()
            problem = problem or complaints and f"the browser complains: {complaints}"
            if problem:
                failed += 1
                print(f"FAIL {name}: {problem}", flush=True)
            else:
                passed += 1
                print(f"ok   {name} ({time.monotonic() - begun:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
