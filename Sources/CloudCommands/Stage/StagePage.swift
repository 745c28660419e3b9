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
        <h1>Stage</h1>
        <p id="problem" role="alert"></p>
        <main id="devices" aria-label="Devices"></main>
        <dialog id="log" aria-labelledby="log-title">
        <header><h2 id="log-title"></h2><button type="button" id="log-close">Close</button></header>
        <pre tabindex="0"></pre>
        </dialog>

        """

    static let script = """
        'use strict';
        const main = document.getElementById('devices');
        const problem = document.getElementById('problem');
        const log = document.getElementById('log');
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

        async function ask(path, method) {
          const answer = await fetch(path, { method, headers: method === 'POST' ? { 'Content-Type': 'application/json' } : {} });
          if (!answer.ok) throw new Error(await answer.text());
          return answer;
        }

        async function act(device, what) {
          problem.textContent = '';
          try { show(await (await ask(`/devices/${device}/${what}`, 'POST')).json()); }
          catch (error) { problem.textContent = error.message; }
        }

        async function showLog(device) {
          try {
            const text = await (await ask(`/devices/${device}/log`, 'GET')).text();
            log.querySelector('h2').textContent = `Log of ${device}`;
            log.querySelector('pre').textContent = text || 'It has said nothing yet.';
            log.showModal();
          } catch (error) { problem.textContent = error.message; }
        }

        function add(device) {
          const section = make('section', device.isWide ? 'device wide' : 'device');
          section.setAttribute('aria-label', device.name);
          const caption = make('header');
          caption.append(make('h2', '', device.name), make('span', 'account', device.account));
          const bar = make('div', 'bar');
          const offline = button('Offline', () => act(device.name, offline.getAttribute('aria-pressed') === 'true' ? 'online' : 'offline'));
          bar.append(offline, button('Restart', () => act(device.name, 'restart')), button('Log', () => showLog(device.name)));
          const frame = make('iframe');
          frame.title = `${device.name}, ${device.account}`;
          const note = make('p', 'note');
          note.setAttribute('role', 'status');
          section.append(caption, bar, note, frame);
          main.append(section);
          return { section, offline, frame, note, address: null };
        }

        function show(devices) {
          for (const device of devices) {
            if (!shown.has(device.name)) shown.set(device.name, add(device));
            const entry = shown.get(device.name);
            entry.offline.setAttribute('aria-pressed', String(device.isOffline));
            entry.section.classList.toggle('offline', device.isOffline);
            entry.note.textContent = device.problem ?? (device.isRunning ? (device.isOffline ? 'No network' : '') : 'Not running');
            if (device.address && device.address !== entry.address) {
              entry.address = device.address;
              entry.frame.src = device.address;
            }
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
        look();
        setInterval(look, 2000);

        """

    static let style = """
        :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; --edge: light-dark(#d5d5da, #3a3a3c);
          --back: light-dark(#eceef2, #101114); --card: light-dark(#fff, #1c1c1e); --soft: light-dark(#5c5c61, #a5a5ab); }
        body { margin: 0; padding: 20px 28px 40px; background: var(--back); color: light-dark(#111, #f2f2f4); }
        h1 { font-size: 22px; margin: 0 0 12px; }
        #problem:empty, .note:empty { display: none; }
        #problem { color: light-dark(#b3261e, #ff8a80); }
        main { display: flex; flex-wrap: wrap; gap: 28px; align-items: flex-start; }
        .device header { display: flex; align-items: baseline; gap: 10px; padding: 0 6px; }
        .device h2 { font-size: 17px; margin: 0; text-transform: capitalize; }
        .account { color: var(--soft); font-size: 13px; }
        .bar { display: flex; gap: 8px; padding: 8px 6px; }
        button { font: inherit; font-size: 13px; min-height: 32px; padding: 0 14px; border-radius: 16px; border: 1px solid var(--edge);
          background: var(--card); color: inherit; cursor: pointer; }
        button:hover { border-color: var(--soft); }
        button:focus-visible { outline: 3px solid light-dark(#0a60ff, #5aa0ff); outline-offset: 2px; }
        button[aria-pressed=true] { background: light-dark(#8a4b00, #ffb340); color: light-dark(#fff, #201400); border-color: transparent; }
        .note { margin: 0 6px 8px; font-size: 13px; color: var(--soft); }
        iframe { display: block; width: 390px; height: 760px; border: 10px solid light-dark(#1c1c1e, #000); border-radius: 44px;
          background: var(--card); box-shadow: 0 12px 40px rgb(0 0 0 / 18%); box-sizing: content-box; }
        .wide iframe { width: 834px; border-radius: 30px; }
        .offline iframe { border-color: light-dark(#8a4b00, #ffb340); }
        dialog { border: 1px solid var(--edge); border-radius: 14px; background: var(--card); color: inherit; width: min(900px, 90vw); }
        dialog::backdrop { background: rgb(0 0 0 / 40%); }
        dialog header { display: flex; justify-content: space-between; align-items: center; }
        dialog h2 { font-size: 17px; }
        pre { overflow: auto; max-height: 60vh; font-size: 12px; white-space: pre-wrap; }
        @media (max-width: 900px) { .wide iframe { width: 390px; border-radius: 44px; } body { padding: 12px; } }

        """
}
