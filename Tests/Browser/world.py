"""What a journey through an example app has: a browser, a service, and devices whose windows it opens."""
import atexit
import json
import os
import struct
import tempfile
import zlib

from browser import BrowserError
from cloud import Cloud

APPS = {"CookCloud": "CookCloudApp", "Fasting": "FastingApp", "LastPerson": "LastPersonApp"}
NOTICE = "document.getElementById('notice').matches(':popover-open')"
DIALOG = "document.querySelector('dialog[open]')"
# What a person can see: what hidden tabs and covered pages have is not there. The style sheet has some of it in capitals.
SEEN = "document.querySelector('main')?.innerText.toLowerCase()"


def picture():
    """A file with a PNG of 2 × 2 points."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([230, 120, 40] * 2) for _ in range(2))
    handle, path = tempfile.mkstemp(suffix=".png")
    with os.fdopen(handle, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    atexit.register(os.unlink, path)
    return path


class World:
    def __init__(self, browser, cloud, number):
        self.browser = browser
        self.cloud = cloud
        self.number = number
        self.home = browser.here()
        self.shown = []
        # Complaints of the browser that belong to the journey.
        self.expected = []

    def account(self, person):
        return f"{person}{self.number}@example.com"

    def open(self, device="phone", person="alice", app="CookCloud", cloud=None, **looks):
        """A window of an app on a new device, which is signed in unless the person is None."""
        cloud = cloud or self.cloud
        device = cloud.device(f"{device}-{self.number}", person and self.account(person))
        return self.window(device.start(app, APPS[app]), **looks)

    def window(self, app, width=420, height=860, scheme="light", touch=True):
        """A further window of an app that runs."""
        shown = Shown(self.browser, app)
        self.shown.append(shown)
        shown.size(width, height, scheme=scheme, touch=touch)
        shown.open(app.address)
        shown.wait("document.querySelector('main')")
        return shown

    def end(self):
        complaints = [line for line in self.browser.complaints() if not any(word in line for word in self.expected)]
        apps = {id(shown.app): shown.app for shown in self.shown}
        for shown in self.shown:
            shown.leave()
        self.browser.switch(self.home)
        for app in apps.values():
            app.end()
        self.cloud.apps.clear()
        return complaints


class Shown:
    """A window of an app, in a window of the browser. What it is asked it asks the browser, there."""

    def __init__(self, browser, app):
        self.app = app
        self.browser = browser
        browser.window("window")
        self.handle = browser.here()

    def __getattr__(self, name):
        self.browser.switch(self.handle)
        return getattr(self.browser, name)

    def leave(self):
        self.browser.switch(self.handle)
        self.browser.shut()

    def sees(self, text, seconds=10):
        self.wait(f"{SEEN}?.includes({json.dumps(text.lower())})", seconds, what=f"'{text}' is seen")

    def misses(self, text, seconds=10):
        self.wait(f"!{SEEN}?.includes({json.dumps(text.lower())})", seconds, what=f"'{text}' is not seen")

    def click(self, role, name):
        self.browser.switch(self.handle)
        try:
            self.browser.click(role, name)
        except BrowserError as error:
            raise BrowserError(f"{error}; {self.app.device.name} shows: {self.evaluate(SEEN)!r:.300}") from None

    def swipe(self, name):
        """Uncovers what a swipe on the row of that link uncovers."""
        x, y, width, height = self.reach("link", name)
        self.drag((x + width - 40, y + height / 2), (x + width - 220, y + height / 2))
        self.wait("document.querySelector('.row[data-open]')", what="the swipe uncovers something")

    def choose_files(self, button, paths):
        """Clicks a button that opens the file chooser, which chooses those files."""
        self.script("""
            window.chooser = null;
            HTMLInputElement.prototype.click = function() { document.body.append(window.chooser = this); };
        """)
        self.click("button", button)
        self.wait("window.chooser", what="the file chooser is asked for")
        document = self.devtools("DOM.getDocument")["root"]["nodeId"]
        node = self.devtools("DOM.querySelector", nodeId=document, selector="body > input[type=file]")["nodeId"]
        self.devtools("DOM.setFileInputFiles", nodeId=node, files=paths)
        self.script("window.chooser.remove()")

    def hold_files(self, paths, x, y, kinds=("dragEnter", "dragOver")):
        for kind in kinds:
            self.devtools("Input.dispatchDragEvent", type=kind, x=x, y=y,
                          data={"items": [], "files": paths, "dragOperationsMask": 1})

    def drop_files(self, paths, x, y):
        self.hold_files(paths, x, y, ("dragOver", "drop"))

    def time_of(self, text):
        """Has the page note when a text comes to be shown, in milliseconds of the machine's clock."""
        self.script("""
            window.came = null;
            new MutationObserver((_, watcher) => {
              if (!document.querySelector('main').textContent.includes(arguments[0])) return;
              window.came = performance.timeOrigin + performance.now();
              watcher.disconnect();
            }).observe(document.getElementById('app'), {subtree: true, childList: true, characterData: true});
        """, text)

    def time_of_click(self):
        """Has the page note when it was clicked last."""
        self.script("""
            addEventListener('click', () => { window.clicked = performance.timeOrigin + performance.now(); }, true);
        """)

    def tab_to(self, name, limit=60):
        """Presses Tab until what has that name has the focus."""
        for _ in range(limit):
            self.key("Tab")
            label = self.evaluate("""(element => element.ariaLabel ?? element.placeholder
                ?? (element.ariaLabelledByElements?.[0] ?? element).textContent)(document.activeElement)""")
            if label and label.strip() == name:
                return
        raise BrowserError(f"Tab does not lead to '{name}'")

    def network(self, latency=0, offline=False):
        self.devtools("Network.enable")
        self.devtools("Network.emulateNetworkConditions", offline=offline, latency=latency, downloadThroughput=-1,
                      uploadThroughput=-1)
