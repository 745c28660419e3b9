"""What Benchmarks/views measures. Times are taken in the page, by its own clock; bytes are those of bodies: what the page posts,
and each message of the stream with its framing, without the headers of HTTP."""
import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request

from world import DIALOG, World

CONTAINER = "iCloud.org.cumulet.CookCloud"
TOKEN = "1" * 64

# `taken()` resolves when the page has changed (patched) or the app has acknowledged all events (acknowledged).
METER = """
    window.meter = {sent: 0, received: 0, row: 0, rowOp: 0};
    const send = window.fetch;
    window.fetch = (address, options) => {
      if (typeof options?.body === 'string') meter.sent += new Blob([options.body]).size;
      return send(address, options);
    };
    source.addEventListener('message', message => {
      meter.received += new Blob(['id: ' + message.lastEventId + '\\ndata: ' + message.data + '\\n\\n']).size;
      for (const op of JSON.parse(message.data).o ?? []) {
        if (op[0] === 'i' && op[3].startsWith('<li')) meter.row = new Blob([JSON.stringify(op)]).size;
      }
    });
    meter.acknowledged = () => new Promise(done => {
      const look = () => waiting.size === 0 && queue.length === 0 && done(performance.now());
      const forget = Map.prototype.delete;
      waiting.delete = function (key) { const had = forget.call(this, key); look(); return had; };
    });
    meter.patched = () => new Promise(done => {
      const watcher = new MutationObserver(() => { watcher.disconnect(); done(performance.now()); });
      watcher.observe(document.getElementById('app'), {subtree: true, childList: true, attributes: true, characterData: true});
    });
"""


def run_in(shown, text):
    """The value that an async script comes to."""
    answer = shown.devtools("Runtime.evaluate", expression=f"(async () => {{ {text} }})()", awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        raise RuntimeError(str(answer["exceptionDetails"]))
    return answer["result"].get("value")


def taps(shown, row):
    times = [run_in(shown, """
        const tabs = document.querySelectorAll('[role=tab]'), next = [...tabs].find(tab => tab.ariaSelected !== 'true');
        const patched = meter.patched(), begun = performance.now();
        next.click();
        const time = await patched - begun;
        await new Promise(requestAnimationFrame);
        return time;""") for _ in range(60)]
    row("tap on a tab, patched page", times[10:], "ms", 20)
    shown.click("tab", "My Recipes")
    for name, number in (("tap on New, editor", 0), ("tap on Cancel, editor gone", 1)):
        times = []
        for _ in range(50):
            for press in (0, 1):
                # The editor may be open before its button is acknowledged; the next tap begins with a quiet page.
                time = run_in(shown, """
                    const press = PRESS;
                    const all = [...document.querySelectorAll(press ? 'dialog button' : '.panel:not([inert]) .page .bar button')];
                    const button = all.find(one => one.textContent.trim() === (press ? 'Cancel' : 'New'));
                    const begun = performance.now();
                    const changed = new Promise(done => {
                      const watcher = new MutationObserver(() => {
                        if (Boolean(document.querySelector('dialog')) !== !press) return;
                        watcher.disconnect();
                        done(performance.now());
                      });
                      watcher.observe(document.getElementById('app'), {subtree: true, childList: true});
                    });
                    button.click();
                    const time = await changed - begun;
                    await new Promise(done => setTimeout(done, 30));
                    return time;""".replace("PRESS", str(press)))
                if press == number:
                    times.append(time)
        row(name, times, "ms", 20)


def keys(shown, row, titles=("Lentil soup with cumin", "Onion tart with anchovies", "Flat bread from the pan")):
    shown.click("button", "New")
    shown.click("textbox", "Title")
    times, sent, received = [], [], []
    for place, letter in [(place, letter) for title in titles for place, letter in enumerate(title)]:
        if place == 0:
            # The first letter enables Save as well.
            shown.script("document.activeElement.select()")
            shown.type(letter)
            shown.wait("waiting.size === 0")
            continue
        run_in(shown, """
            meter.was = [meter.sent, meter.received];
            meter.time = new Promise(done => addEventListener('keydown', event => {
              const begun = performance.now();
              meter.acknowledged().then(end => done(end - begun));
            }, {once: true, capture: true}));""")
        # The promise of acknowledgement is made before the event is sent: nothing waits until then.
        shown.type(letter)
        times.append(run_in(shown, "return await meter.time;"))
        was = shown.evaluate("meter.was")
        sent.append(shown.evaluate("meter.sent") - was[0])
        received.append(shown.evaluate("meter.received") - was[1])
    row("key in a field, acknowledged", times, "ms", 15)
    row("bytes of a key in titles like \"Flat bread from the pan\", up and down", [up + down for up, down in zip(sent, received)], "bytes", 100)
    row("of these the page's own", sent, "bytes")
    shown.click("button", "Cancel")
    shown.wait(f"!{DIALOG}")


def saves(phone, tablet, row, count=50):
    phone.time_of_click()
    times, rows = [], []
    for number in range(count):
        title = f"Recipe {number:02}"
        phone.click("button", "New")
        phone.click("textbox", "Title")
        phone.devtools("Input.insertText", text=title)
        phone.wait("!document.querySelector('dialog [disabled]')")
        tablet.time_of(title)
        phone.click("button", "Save")
        phone.wait(f"!{DIALOG}")
        came = tablet.wait("window.came")
        times.append(came - phone.evaluate("window.clicked"))
        rows.append(tablet.evaluate("meter.row"))
    row("save on one device, row on another", times, "ms", 100)
    row("bytes of a row in a patch", rows, "bytes", 2048)


def fill(cloud, account, count):
    """Recipes by the web service: an account has them before its device is there."""
    def post(path, body):
        request = urllib.request.Request(cloud.address + path, json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    session = post("/cumulet/1/sign-in", {"emailAddress": account, "deviceID": "bench", "deviceName": "bench"})["deviceSession"]
    token = post("/cumulet/1/web-token", {
        "deviceSession": session, "container": CONTAINER, "environment": "development", "ckAPIToken": TOKEN})["ckWebAuthToken"]
    base = f"/database/1/{CONTAINER}/development/private"
    query = f"?ckAPIToken={TOKEN}&ckWebAuthToken={urllib.parse.quote(token, safe='')}"
    zone = {"zoneName": "Cookbook"}
    post(f"{base}/zones/modify{query}", {"operations": [{"operationType": "create", "zone": {"zoneID": zone}}]})
    for start in range(0, count, 200):
        records = [{"operationType": "create", "record": {"recordType": "Recipe", "recordName": f"r{number}", "fields": {
            "title": {"value": f"Recipe {number:04}"}, "minutes": {"value": 30},
            "ingredients": {"value": ["Water", "Salt"]}, "notes": {"value": "Boil it."}}}}
            for number in range(start, min(count, start + 200))]
        post(f"{base}/records/modify{query}", {"zoneID": zone, "operations": records})


def many(world, row, count=2000):
    fill(world.cloud, world.account("carol"), count)
    times, more = [], []
    shown = world.open("many", "carol", width=420)
    shown.wait("document.querySelectorAll('.row .link').length === 100", 60)
    shown.devtools("Page.addScriptToEvaluateOnNewDocument", source="""
        new MutationObserver((_, watcher) => {
          if (!document.querySelector('.row .link')) return;
          window.rowsAt = performance.now();
          watcher.disconnect();
        }).observe(document, {subtree: true, childList: true});""")
    for _ in range(10):
        shown.script("sessionStorage.clear()")
        shown.open(shown.app.address)
        times.append(shown.wait("window.rowsAt"))
    row(f"a new window on {count} recipes, first rows", times, "ms")
    shown.script(METER)
    for _ in range(count // 100 - 1):
        more.append(run_in(shown, """
            const page = document.querySelector('.panel:not([inert]) .page:not([inert])'), before = document.querySelectorAll('.row').length;
            const grown = new Promise(done => {
              const watcher = new MutationObserver(() => {
                if (document.querySelectorAll('.row').length < before + 100 && document.querySelector('.more')) return;
                watcher.disconnect();
                done(performance.now());
              });
              watcher.observe(document.getElementById('app'), {subtree: true, childList: true});
            });
            const begun = performance.now();
            page.scrollTop = page.scrollHeight;
            const time = await grown - begun;
            await new Promise(requestAnimationFrame);
            return time;"""))
    row("scrolled to the end, a hundred more rows", more, "ms")
    frames = run_in(shown, """
        const page = document.querySelector('.panel:not([inert]) .page:not([inert])'), times = [];
        page.scrollTop = 0;
        let last = await new Promise(requestAnimationFrame);
        for (let number = 0; number < 100; number++) {
          page.scrollTop += 300;
          const now = await new Promise(requestAnimationFrame);
          times.push(now - last);
          last = now;
        }
        return times;""")
    row(f"a frame while {count} rows are scrolled", frames, "ms")
    return shown


def resident(app):
    with open(f"/proc/{app.app.process.pid}/status") as status:
        return int(re.search(r"RssAnon:\s+(\d+)", status.read()).group(1))


class Stream:
    """A window without a browser."""

    def __init__(self, address, name):
        place = re.match(r"http://(127\.0\.0\.1):(\d+)/\?token=(\w+)", address)
        port, token = int(place.group(2)), place.group(3)
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None
        try:
            urllib.request.build_opener(Stay).open(f"http://127.0.0.1:{port}/?token={token}")
        except urllib.error.HTTPError as answer:
            cookie = answer.headers["Set-Cookie"].split(";")[0]
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.sendall(f"GET /live?w={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
        seen = b""
        while b"</main>" not in seen:
            seen += self.socket.recv(1 << 16)
        self.rows = seen.count(b"class=\\\"row")

    def end(self):
        self.socket.close()


def memory(world, row, windows=30):
    fill(world.cloud, world.account("dora"), 100)
    shown = world.open("memory", "dora")
    shown.wait("document.querySelectorAll('.row .link').length === 100", 60)
    app = shown.app
    first = Stream(app.address, "first")
    assert first.rows >= 100, first.rows
    before = resident(app)
    streams = [Stream(app.address, f"w{number}") for number in range(windows)]
    each = (resident(app) - before) / windows
    for stream in streams + [first]:
        stream.end()
    row(f"memory of a further window with 100 rows, of {windows}", [each], "KiB", 600)


def run(browser, cloud, row):
    world = World(browser, cloud, 1)
    phone, tablet = world.open("phone"), world.open("tablet", width=834)
    for one in (phone, tablet):
        one.sees("No recipes yet")
        one.script(METER)
    taps(phone, row)
    keys(phone, row)
    saves(phone, tablet, row)
    many(world, row)
    memory(world, row)
    if complaints := world.end():
        print(f"the browser complained: {complaints}")
