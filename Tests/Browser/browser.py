"""A headless Chromium by Debian's chromedriver and the WebDriver protocol, with nothing but Python's own library.

with Browser() as browser:
    browser.open(address)
    browser.size(420, 900, scheme="dark", touch=True)
    browser.click("button", "New recipe")
    browser.wait("document.querySelector('dialog[open]')")
"""
import base64
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, language="en-US"):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.base = f"http://127.0.0.1:{found.group(1)}"
                break
        else:
            raise BrowserError("chromedriver did not start")
        self.profile = tempfile.TemporaryDirectory(prefix="cumulet-browser-", ignore_cleanup_errors=True)
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", f"--lang={language}",
                     f"--user-data-dir={self.profile.name}", "--disable-dev-shm-usage"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        except Exception:
            pass
        self.driver.terminate()
        self.driver.wait()
        self.profile.cleanup()

    def _call(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            self.base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def _do(self, path, body=None, method="POST"):
        return self._call(method, self.session + path, body)

    def devtools(self, command, **parameters):
        return self._do("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address):
        self._do("/url", {"url": address})

    def script(self, text, *arguments):
        return self._do("/execute/sync", {"script": text, "args": list(arguments)})

    def evaluate(self, expression):
        return self.script(f"return {expression}")

    def wait(self, expression, seconds=10, what=None):
        """Waits until the expression is true, and gives its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"not within {seconds} s: {what or expression}")
            time.sleep(0.02)

    def size(self, width, height, scheme="light", touch=False, scale=2):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                      mobile=touch)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.devtools("Emulation.setEmulatedMedia", media="screen",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def find(self, role, name):
        """The element of that role and name that can be reached, by the accessibility tree."""
        tree = self.devtools("Accessibility.getFullAXTree")["nodes"]
        for node in tree:
            if node.get("ignored") or node.get("role", {}).get("value") != role:
                continue
            text = node.get("name", {}).get("value", "")
            if text == name or isinstance(name, re.Pattern) and name.search(text):
                return node["backendDOMNodeId"]
        raise BrowserError(f"no {role} '{name}'")

    def _object(self, node):
        return self.devtools("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]

    def box(self, role, name):
        node = self.find(role, name)
        self.devtools("Runtime.callFunctionOn", objectId=self._object(node),
                      functionDeclaration="function() { this.scrollIntoView({block: 'nearest'}) }")
        value = self.devtools("Runtime.callFunctionOn", objectId=self._object(node), returnByValue=True,
                              functionDeclaration="function() { const b = this.getBoundingClientRect();"
                                                  " return [b.x, b.y, b.width, b.height] }")
        return value["result"]["value"]

    def reach(self, role, name, seconds=10):
        """Where the element is, once it is there and rests."""
        end = time.monotonic() + seconds
        before = None
        while True:
            try:
                box = self.box(role, name)
                if box == before:
                    return box
                before = box
                time.sleep(0.03)
            except BrowserError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def click(self, role, name):
        x, y, width, height = self.reach(role, name)
        self.press(x + width / 2, y + height / 2)

    def press(self, x, y):
        place = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.devtools("Input.dispatchMouseEvent", type="mouseMoved", x=place["x"], y=place["y"])
        self.devtools("Input.dispatchMouseEvent", type="mousePressed", **place)
        self.devtools("Input.dispatchMouseEvent", type="mouseReleased", **place)

    def drag(self, start, end, steps=8, release=True):
        """One finger, from a place to another."""
        def touch(kind, place):
            points = [{"x": place[0], "y": place[1]}] if place else []
            self.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        touch("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            touch("touchMove", [a + (b - a) * part for a, b in zip(start, end)])
        if release:
            touch("touchEnd", None)

    def type(self, text, pause=0.0):
        for letter in text:
            if letter == "\n":
                self.key("Enter")
            else:
                self.devtools("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
                self.devtools("Input.dispatchKeyEvent", type="keyUp", key=letter)
            if pause:
                time.sleep(pause)

    def key(self, name, code=None):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32, "Backspace": 8, "Delete": 46, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40}
        parts = {"key": name, "code": name, "windowsVirtualKeyCode": code or codes.get(name, 0)}
        text = {"text": {"Enter": "\r", " ": " "}[name]} if name in ("Enter", " ") else {}
        self.devtools("Input.dispatchKeyEvent", type="keyDown", **parts, **text)
        self.devtools("Input.dispatchKeyEvent", type="keyUp", **parts)

    def picture(self, path):
        """As it looks once nothing moves any more."""
        end = time.monotonic() + 2
        while time.monotonic() < end and self.evaluate(
                "document.getAnimations().some(a => a.playState === 'running' && a.timeline instanceof DocumentTimeline"
                " && a.effect.getTiming().iterations !== Infinity)"):
            time.sleep(0.03)
        data = self.devtools("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the console said since the last look: errors, and reports of the page's policy."""
        entries = self._do("/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def here(self):
        """The name of the tab that is looked at."""
        return self._do("/window", method="GET")

    def window(self, kind="tab"):
        """Opens a further tab, or a window of its own, and goes there; gives the name of the former."""
        before = self.here()
        made = self._do("/window/new", {"type": kind})
        self.switch(made["handle"])
        return before

    def switch(self, handle):
        self._do("/window", {"handle": handle})

    def shut(self):
        """Closes the tab that is looked at."""
        self._do("/window", method="DELETE")
