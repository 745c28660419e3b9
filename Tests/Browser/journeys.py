"""Walks through the sample app as a person does: journeys.py PROGRAM [WORD …]. Ends with "N passed, N failed"."""
import os
import re
import secrets
import signal
import sys

from app import App
from browser import Browser, BrowserError

LIVE = "document.querySelector('main')"
OPEN = "document.querySelector('dialog[open]')"
PAGE = "document.querySelector('.panel:not([inert]) .page:not([inert])')"


def begin(browser, app, width=420, touch=True):
    browser.size(width, 860, touch=touch)
    browser.open(app.address)
    browser.script("sessionStorage.clear()")
    browser.open(app.address)
    browser.wait(LIVE)
    browser.reach("button", "New recipe")


def a_recipe_is_written_and_deleted_by_keys(browser, app):
    begin(browser, app)
    browser.click("button", "New recipe")
    browser.click("textbox", "Title")
    browser.type("Bread & <b>butter</b>")
    browser.wait("!document.querySelector('dialog [disabled]')", what="Save is enabled")
    browser.click("button", "Save")
    browser.wait(f"!{OPEN}")
    browser.reach("link", "Bread & <b>butter</b>")
    browser.script("document.querySelector('.row .link').focus()")
    browser.key("Delete")
    browser.wait("!document.body.textContent.includes('butter')")


def fast_typing_into_a_field_in_capitals_loses_nothing(browser, app):
    begin(browser, app)
    browser.devtools("Network.enable")
    browser.devtools("Network.emulateNetworkConditions", offline=False, latency=150, downloadThroughput=-1,
                     uploadThroughput=-1)
    browser.click("tab", "Controls")
    browser.click("textbox", "Shout")
    browser.type("the quick brown fox jumps", pause=0.02)
    browser.wait("document.activeElement.value === 'THE QUICK BROWN FOX JUMPS'")
    browser.devtools("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                     uploadThroughput=-1)


def a_reload_comes_back_to_the_same_window(browser, app):
    begin(browser, app)
    browser.click("link", "Onion soup")
    browser.reach("button", "Delete recipe")
    browser.devtools("Page.reload")
    browser.reach("button", "Delete recipe")
    assert browser.evaluate("document.title") == "Onion soup"


def the_browsers_back_leaves_a_page(browser, app):
    begin(browser, app)
    browser.click("link", "Onion soup")
    browser.wait("history.state?.depth === 1")
    browser.script("history.back()")
    browser.reach("button", "New recipe")
    browser.wait("document.querySelector('main').dataset.depth === '0'")
    browser.click("link", "Lemon tart")
    browser.wait("history.state?.depth === 1")
    browser.click("button", "Back to Recipes")
    browser.wait("(history.state?.depth ?? 0) === 0")


def escape_and_the_backdrop_close_a_sheet(browser, app):
    begin(browser, app, 1100, touch=False)
    for close in (lambda: browser.key("Escape"), lambda: browser.press(20, 800)):
        browser.click("button", "New recipe")
        browser.wait(OPEN)
        close()
        browser.wait(f"!{OPEN}")


def arrow_keys_choose_tabs_and_segments(browser, app):
    begin(browser, app, 1100, touch=False)
    browser.script("document.querySelector('[role=tab]').focus()")
    browser.key("ArrowDown")
    browser.reach("switch", "Notify me")
    browser.script("document.querySelector('[role=radio]').focus()")
    browser.key("ArrowRight")
    browser.wait("document.querySelectorAll('[role=radio]')[1].ariaChecked === 'true'")


def a_swipe_uncovers_delete(browser, app):
    begin(browser, app)
    x, y, width, height = browser.reach("link", "Pickled beets")
    browser.drag((x + 300, y + height / 2), (x + 150, y + height / 2))
    browser.wait("document.querySelector('.row[data-open]')")
    browser.click("button", "Delete, Pickled beets")
    browser.wait("!document.body.textContent.includes('Pickled beets')")


def pulling_refreshes(browser, app):
    begin(browser, app)
    browser.drag((200, 300), (205, 480))
    browser.wait("document.querySelector('.refresh[aria-busy=true]')")
    browser.wait("document.querySelector('.refresh[aria-busy=false]')")


def a_busy_app_is_shown_as_busy(browser, app):
    begin(browser, app)
    browser.click("tab", "Controls")
    browser.click("button", "Think for two seconds")
    browser.wait("document.documentElement.classList.contains('busy')", 1.5)
    browser.wait("!document.documentElement.classList.contains('busy')", 5)


def a_copied_tab_is_a_window_of_its_own(browser, app):
    begin(browser, app)
    name = browser.evaluate("sessionStorage.getItem('window')")
    first = browser.window()
    browser.open(app.address)
    browser.wait(LIVE)
    browser.script("sessionStorage.setItem('window', arguments[0])", name)
    browser.open(app.address)
    browser.wait(LIVE)
    assert browser.evaluate("sessionStorage.getItem('window')") != name
    browser.shut()
    browser.switch(first)


def a_lost_app_is_told_and_found_again(browser, program):
    environment = dict(os.environ, CUMULET_VIEW_TOKEN=secrets.token_hex(16))
    with App(program, environment) as app:
        environment["CUMULET_PORT"] = re.search(r":(\d+)", app.address.removeprefix("http:")).group(1)
        begin(browser, app)
        app.process.send_signal(signal.SIGKILL)
        browser.wait("document.getElementById('notice').matches(':popover-open')")
        assert "not running" in browser.evaluate("document.getElementById('notice').textContent")
    with App(program, environment):
        browser.wait("!document.getElementById('notice').matches(':popover-open')", 15)
        browser.click("tab", "Controls")
        browser.reach("switch", "Notify me")
    browser.complaints()  # what the browser says of an address where nobody listens


def main(program, only):
    journeys = [value for value in list(globals().values())
                if callable(value) and getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("browser",)
                and value is not begin]
    passed = failed = 0
    with Browser() as browser:
        for journey in journeys:
            name = journey.__name__.replace("_", " ")
            if only and not any(word in name for word in only):
                continue
            try:
                if journey.__code__.co_varnames[1] == "program":
                    journey(browser, program)
                else:
                    with App(program) as app:
                        journey(browser, app)
                        # Nothing but the app's own end may be complained of.
                        said = [line for line in browser.complaints() if "ERR_CONNECTION" not in line]
                        assert not said, said
                passed += 1
                print(f"ok   {name}", flush=True)
            except (BrowserError, AssertionError) as error:
                failed += 1
                print(f"FAIL {name}: {error}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
