"""Walks through the stage with the recipe app on two devices: stage.py BUILD. Ends with "N passed, N failed"."""
import os
import re
import signal
import subprocess
import sys

from browser import Browser, BrowserError
from cloud import Cloud

CONTRASTS = """
    const light = color => {
      const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(Number)
        .map(part => part / 255).map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
      return .2126 * r + .7152 * g + .0722 * b;
    };
    const behind = element => {
      for (; element; element = element.parentElement) {
        const color = getComputedStyle(element).backgroundColor;
        if (color !== 'rgba(0, 0, 0, 0)') return color;
      }
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const weak = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
      const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
      const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
      if (contrast < 4.5) weak.push(`${element.textContent}: ${contrast.toFixed(1)}`);
    }
    return weak;
"""


class Stage:
    """`cumulet stage` with a phone of Alice's and a phone of Bob's."""

    def __init__(self, browser, cloud):
        self.browser = browser
        self.cumulet = cloud.cumulet
        self.cookcloud = cloud.program("CookCloud", "cookcloud")
        self.app = os.path.realpath(cloud.program("CookCloud", "CookCloudApp"))
        self.folder = f"{cloud.folder.name}/stage"
        self.environment = cloud.environment
        self.shown = cloud.stage("phone:alice,other:bob", "--data", self.folder)
        self.address, self.addresses = self.shown.address, self.shown.addresses

    def __enter__(self):
        self.browser.size(1000, 960)
        self.browser.open(self.address)
        for device in ("phone", "other"):
            self.browser.wait(self.button(device, "Log"))
        return self

    def __exit__(self, *_):
        self.shown.end()

    def section(self, device):
        return f"document.querySelector('section[aria-label={device}]')"

    def button(self, device, name):
        return f"[...({self.section(device)}?.querySelectorAll('button') ?? [])].find(b => b.textContent === '{name}')"

    def press(self, device, name):
        self.browser.wait(f"!{self.button(device, name)}.disabled")
        self.browser.script(f"{self.button(device, name)}.click()")

    def says(self, device, words):
        note = f"{self.section(device)}.querySelector('.note').textContent"
        self.browser.wait(f"{note}.includes('{words}')" if words else f"{note} === ''", 20, f"{device} says '{words}'")

    def run(self, device, *words):
        """What the app's command does on a device."""
        environment = dict(self.environment, CUMULET_DEVICE=f"{self.folder}/{device}")
        return subprocess.run([self.cookcloud, *words], env=environment, check=True, capture_output=True,
                              text=True).stdout.strip()

    def look_into(self, device):
        frame = self.browser._do("/element", {"using": "css selector", "value": f"section[aria-label={device}] iframe"})
        self.browser._do("/frame", {"id": frame})

    def look_out(self):
        self.browser._do("/frame", {"id": None})

    def kill(self, device):
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/environ", "rb") as file:
                    has_device = f"CUMULET_DEVICE={self.folder}/{device}\0".encode() in file.read()
                if has_device and os.readlink(f"/proc/{number}/exe") == self.app:
                    return os.kill(int(number), signal.SIGKILL)
            except OSError:
                continue  # it has ended meanwhile, or is another's
        raise RuntimeError(f"there is no app on {device}")


def a_shared_recipe_is_opened_by_its_link(stage):
    browser = stage.browser
    stage.run("phone", "add", "Plum tart")
    address = stage.run("phone", "share", "Plum tart")
    stage.press("other", "Open link…")
    browser.wait("document.activeElement.id === 'link-address'")
    browser.type("https://example.com/soup\n")
    browser.wait("document.getElementById('link-problem').textContent.includes('not the address of a share')")
    browser.script("document.getElementById('link-address').value = ''")
    browser.type(f"{address}\n")
    browser.wait("!document.getElementById('link').open", what="the link is opened")
    stage.look_into("other")
    browser.script("[...document.querySelectorAll('[role=tab]')].find(t => t.textContent.includes('Shared')).click()")
    browser.wait("document.body.innerText.includes('Plum tart')", what="the shared recipe is there")
    stage.look_out()


def a_link_is_opened_by_a_command(stage):
    def opens(device, link):
        words = [stage.cumulet, "open", link, "--app", stage.addresses[device]]
        return subprocess.run(words, capture_output=True, text=True, env=stage.environment)
    stage.run("phone", "add", "Plum tart")
    address = stage.run("phone", "share", "Plum tart")
    refused = opens("other", f"{address}0")
    assert refused.returncode == 1 and "the share was not found" in refused.stderr, refused
    opened = opens("other", address)
    assert opened.returncode == 0, opened
    stage.look_into("other")
    stage.browser.script(
        "[...document.querySelectorAll('[role=tab]')].find(t => t.textContent.includes('Shared')).click()")
    stage.browser.wait("document.body.innerText.includes('Plum tart')", what="the shared recipe is there")
    stage.look_out()
    stage.kill("other")
    stage.says("other", "Not running")
    unanswered = opens("other", address)
    assert unanswered.returncode == 1 and "does not answer" in unanswered.stderr, unanswered


def an_app_that_dies_is_told_and_started_again(stage):
    browser = stage.browser
    stage.kill("phone")
    stage.says("phone", "Not running")
    assert browser.evaluate(f"{stage.button('phone', 'Offline')}.disabled")
    stage.press("phone", "Restart")
    stage.says("phone", "")
    stage.look_into("phone")
    browser.wait("document.body.innerText.includes('No recipes yet')", what="the app is there again")
    stage.look_out()
    stage.press("phone", "Log")
    log = browser.wait("document.getElementById('log').open && document.querySelector('#log pre').textContent")
    assert re.search(r"showing on .*--- ended by signal 9 ---\n--- started again at [\d:]+ ---\nshowing on ", log, re.S), log


def all_text_can_be_read_in_both_schemes(stage):
    browser = stage.browser
    stage.press("other", "Offline")
    stage.says("other", "No network")
    stage.kill("phone")
    stage.says("phone", "Not running")
    for dialog in ("link", "log"):
        for scheme in ("light", "dark"):
            browser.size(1000, 960, scheme=scheme)
            browser.wait(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
            browser.script(f"document.getElementById('{dialog}').showModal()")
            browser.script("document.getElementById('link-problem').textContent = 'It was refused.'")
            weak = browser.script(CONTRASTS)
            assert not weak, f"{scheme}: {weak}"
            browser.script(f"document.getElementById('{dialog}').close()")


JOURNEYS = [
    a_shared_recipe_is_opened_by_its_link, a_link_is_opened_by_a_command, an_app_that_dies_is_told_and_started_again,
    all_text_can_be_read_in_both_schemes,
]


def main(build):
    failed = 0
    with Browser() as browser:
        for journey in JOURNEYS:
            try:
                with Cloud(build) as cloud, Stage(browser, cloud) as stage:
                    journey(stage)
                print(f"ok   {journey.__name__}")
            except (BrowserError, AssertionError, RuntimeError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"FAIL {journey.__name__}: {type(error).__name__} {error}")
    print(f"{len(JOURNEYS) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
