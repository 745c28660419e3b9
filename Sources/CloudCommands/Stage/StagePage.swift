/// The page of the stage.
enum StagePage {
    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Stage</title>
        <link rel="stylesheet" href="/stage.css">
        <script src="/stage.js" defer></script>
        <header><h1>Stage</h1></header>
        <p id="problem" role="alert"></p>
        <main id="devices" aria-label="Devices"></main>
        <dialog id="log" aria-labelledby="log-title">
        <header><h2 id="log-title"></h2><button type="button" id="log-close">Close</button></header>
        <pre tabindex="0" role="region" aria-labelledby="log-title"></pre>
        </dialog>
        <dialog id="link" aria-labelledby="link-title">
        <form>
        <h2 id="link-title"></h2>
        <label for="link-address">Address</label>
        <input id="link-address" type="url" required autocomplete="off" aria-describedby="link-problem">
        <p id="link-problem" role="alert"></p>
        <footer><button type="button" id="link-close">Cancel</button><button type="submit" class="chief">Open</button></footer>
        </form>
        </dialog>

        """

    static let script = """
        'use strict';
        const main = document.getElementById('devices');
        const problem = document.getElementById('problem');
        const log = document.getElementById('log');
        const link = document.getElementById('link');
        const address = document.getElementById('link-address');
        const linkProblem = document.getElementById('link-problem');
        const shown = new Map();

        function make(tag, className, text) {
          const element = document.createElement(tag);
          if (className) element.className = className;
          if (text) element.textContent = text;
          return element;
        }

        function button(text, act) {
          const element = make('button', '', text);
          element.type = 'button';
          element.addEventListener('click', act);
          return element;
        }

        async function ask(path, method, body) {
          const headers = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
          const answer = await fetch(path, { method, headers, body });
          if (!answer.ok) throw new Error(await answer.text());
          return answer;
        }

        // What went wrong on a device is said at that device, until the next button there.
        async function act(device, what) {
          const entry = shown.get(device);
          entry.said = '';
          entry.bar.setAttribute('aria-busy', 'true');
          try { show(await (await ask(`/devices/${device}/${what}`, 'POST')).json()); }
          catch (error) { entry.said = error.message; look(); }
          entry.bar.removeAttribute('aria-busy');
        }

        function askForLink(device) {
          link.dataset.device = device;
          document.getElementById('link-title').textContent = `Open a link on ${device}`;
          linkProblem.textContent = '';
          address.value = '';
          link.showModal();
        }

        link.querySelector('form').addEventListener('submit', async event => {
          event.preventDefault();
          const device = link.dataset.device;
          linkProblem.textContent = '';
          link.setAttribute('aria-busy', 'true');
          try {
            show(await (await ask(`/devices/${device}/open`, 'POST', address.value)).json());
            link.close();
          } catch (error) {
            linkProblem.textContent = error.message;
            address.focus();
          }
          link.removeAttribute('aria-busy');
        });

        async function showLog(device) {
          try {
            const text = await (await ask(`/devices/${device}/log`, 'GET')).text();
            log.querySelector('h2').textContent = `Log of ${device}`;
            log.querySelector('pre').textContent = text || 'It has said nothing yet.';
            log.showModal();
            log.querySelector('pre').scrollTop = log.querySelector('pre').scrollHeight;
          } catch (error) { problem.textContent = error.message; }
        }

        function add(device) {
          const section = make('section', device.isWide ? 'device wide' : 'device');
          section.setAttribute('aria-label', device.name);
          const caption = make('header');
          caption.append(make('h2', '', device.name), make('span', 'account', device.account));
          const bar = make('div', 'bar');
          bar.setAttribute('role', 'group');
          bar.setAttribute('aria-label', `What to do with ${device.name}`);
          const offline = button('Offline', () => act(device.name, offline.getAttribute('aria-pressed') === 'true' ? 'online' : 'offline'));
          const open = button('Open link…', () => askForLink(device.name));
          bar.append(offline, open, button('Restart', () => act(device.name, 'restart')), button('Log', () => showLog(device.name)));
          const frame = make('iframe');
          frame.title = `${device.name}, ${device.account}`;
          const note = make('p', 'note');
          note.setAttribute('role', 'status');
          section.append(caption, bar, note, frame);
          main.append(section);
          return { section, bar, offline, open, frame, note, said: '', wasRunning: device.isRunning, address: null };
        }

        function set(element, text) { if (element.textContent !== text) element.textContent = text; }

        function state(device) {
          if (device.isStarting) return 'Starting…';
          if (!device.isRunning) return 'Not running. Restart starts it again; Log has its last words.';
          return device.isOffline ? 'No network' : '';
        }

        function show(devices) {
          for (const device of devices) {
            if (!shown.has(device.name)) shown.set(device.name, add(device));
            const entry = shown.get(device.name);
            entry.offline.setAttribute('aria-pressed', String(device.isOffline));
            entry.offline.disabled = entry.open.disabled = !device.isRunning;
            entry.section.classList.toggle('offline', device.isOffline && device.isRunning);
            entry.section.classList.toggle('off', !device.isRunning);
            set(entry.note, [entry.said || device.problem, state(device)].filter(Boolean).join(' — '));
            entry.note.classList.toggle('wrong', Boolean(entry.said || device.problem));
            // An app that came back is looked at anew, not when its page gets round to it.
            if (device.address && (device.address !== entry.address || device.isRunning && !entry.wasRunning)) {
              entry.address = device.address;
              entry.frame.src = device.address;
            }
            entry.wasRunning = device.isRunning;
          }
        }

        async function look() {
          try {
            show(await (await ask('/devices', 'GET')).json());
            if (problem.dataset.lost) { problem.textContent = ''; delete problem.dataset.lost; }
          } catch {
            problem.textContent = 'The stage is not running.';
            problem.dataset.lost = 'yes';
          }
        }

        document.getElementById('log-close').addEventListener('click', () => log.close());
        document.getElementById('link-close').addEventListener('click', () => link.close());
        look();
        setInterval(look, 2000);

        """

    static let style = """
        :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; --edge: light-dark(#d5d5da, #48484c);
          --back: light-dark(#eceef2, #1a1b1f); --card: light-dark(#fff, #2a2a2e); --soft: light-dark(#5c5c61, #b4b4ba);
          --wrong: light-dark(#b3261e, #ff9d94); --tint: light-dark(#0a58d8, #8ab8ff); --frame: light-dark(#1c1c1e, #000);
          --rim: light-dark(#1c1c1e, #77777e); --warm: light-dark(#8a4b00, #ffb340); }
        body { margin: 0; padding: 20px 28px 40px; background: var(--back); color: light-dark(#111, #f2f2f4); }
        h1 { font-size: 22px; margin: 0 0 12px; }
        #problem:empty, #link-problem:empty { display: none; }
        #problem, #link-problem { color: var(--wrong); }
        main { display: flex; flex-wrap: wrap; gap: 28px; align-items: flex-start; }
        .device header { display: flex; align-items: baseline; gap: 10px; padding: 0 6px; }
        .device h2 { font-size: 17px; margin: 0; text-transform: capitalize; }
        .account { color: var(--soft); font-size: 13px; }
        .bar { display: flex; gap: 8px; padding: 8px 6px; }
        button { font: inherit; font-size: 13px; min-height: 32px; padding: 0 14px; border-radius: 16px; border: 1px solid var(--edge);
          background: var(--card); color: inherit; cursor: pointer; }
        button:hover { border-color: var(--soft); }
        button:disabled { color: var(--soft); cursor: default; border-style: dashed; }
        .chief { background: var(--tint); color: light-dark(#fff, #06122a); border-color: transparent; }
        :is(button, input, pre, iframe):focus-visible { outline: 3px solid var(--tint); outline-offset: 2px; }
        button[aria-pressed=true] { background: var(--warm); color: light-dark(#fff, #201400); border-color: transparent; }
        .note { margin: 0 6px 8px; font-size: 13px; min-height: 1.4em; color: var(--soft); max-width: 390px; overflow-wrap: anywhere; }
        .note.wrong { color: var(--wrong); }
        iframe { display: block; width: 390px; height: 760px; border: 10px solid var(--frame); border-radius: 44px;
          background: var(--card); box-shadow: 0 0 0 2px var(--rim), 0 12px 40px rgb(0 0 0 / 18%); box-sizing: content-box; }
        .wide iframe { width: 834px; border-radius: 30px; }
        .offline iframe { border-color: var(--warm); }
        .off iframe { border-color: var(--soft); filter: grayscale(1); }
        dialog { border: 1px solid var(--edge); border-radius: 14px; background: var(--card); color: inherit; width: min(900px, 90vw); }
        dialog::backdrop { background: rgb(0 0 0 / 40%); }
        dialog header { display: flex; justify-content: space-between; align-items: center; }
        dialog h2 { font-size: 17px; margin: 0; }
        #link { width: min(440px, 90vw); } #link form { display: grid; gap: 10px; } label { font-size: 13px; color: var(--soft); }
        #link p { margin: 0; font-size: 13px; overflow-wrap: anywhere; } footer { display: flex; justify-content: flex-end; gap: 8px; }
        input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft); border-radius: 10px; padding: 8px 10px; }
        pre { overflow: auto; max-height: 60vh; font-size: 12px; white-space: pre-wrap; }
        @media (max-width: 900px) { .wide iframe { width: 390px; border-radius: 44px; } body { padding: 12px; } }

        """
}
