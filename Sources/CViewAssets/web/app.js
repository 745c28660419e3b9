// Shows a window of an app: does what the stream says, tells what the person does. All state is the app's.
'use strict';
const app = document.getElementById('app'), notice = document.getElementById('notice'), page = document.documentElement;
const appTitle = document.title;
const node = id => document.getElementById(id);
const root = () => app.firstElementChild;
const wants = (element, kind) => Boolean(element.dataset?.on?.split(' ').includes(kind));
const seek = (start, kind) => {
  for (let element = start; element instanceof Element; element = element.parentElement) if (wants(element, kind)) return element;
};

// MARK: The window's name: it outlives a reload, and a copied tab takes another.

const fresh = () => [...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(16).padStart(2, '0')).join('');
let tab = sessionStorage.getItem('window');
const claim = name => new Promise(done => {
  if (!navigator.locks) return done(true);
  navigator.locks.request('window-' + name, {signal: AbortSignal.timeout(500)}, () => {
    done(true);
    return new Promise(() => {});
  }).catch(() => done(false));
});
const begin = async () => {
  if (!tab || !await claim(tab)) {
    tab = fresh();
    sessionStorage.setItem('window', tab);
    await claim(tab);
  }
  connect();
};

// MARK: The stream

let source, life = '', seen = '', lostTimer, mentionTimer;

const connect = () => {
  source = new EventSource(`/live?w=${tab}` + (seen ? `&r=${seen}` : ''));
  source.onmessage = message => {
    recovered();
    seen = message.lastEventId;
    receive(JSON.parse(message.data));
  };
  source.onopen = recovered;
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) refused(); else say(gone, 600); };
  source.addEventListener('moved', () => {
    source.close();
    say('This window is shown in another tab.');
  });
};
const gone = 'The app is not running. Trying again…';

// The app answered, but not with a stream.
const refused = async () => {
  const status = await fetch('/', {cache: 'no-store'}).then(answer => answer.status, () => 0);
  say(status === 403 ? 'The app was started anew. Open the address that it printed.'
    : status === 200 ? 'Too many windows of this app are open. Close one.' : gone);
  setTimeout(connect, 2000);
};
const say = (text, delay = 0) => {
  clearTimeout(lostTimer);
  lostTimer = setTimeout(() => {
    page.classList.add('offline');
    if (notice.textContent !== text) notice.textContent = text;
    if (!notice.matches(':popover-open')) notice.showPopover();
  }, page.classList.contains('offline') ? 0 : delay);
};
const recovered = () => {
  clearTimeout(lostTimer);
  if (page.classList.contains('offline')) {
    page.classList.remove('offline');
    quiet();
  }
  post();
};
const quiet = () => {
  if (notice.matches(':popover-open')) notice.hidePopover();
  notice.textContent = '';
};

// Something to know that passes; a lost app is more to know.
const mention = (text, time) => {
  if (page.classList.contains('offline')) return;
  notice.textContent = text;
  notice.hidePopover();
  notice.showPopover();
  clearTimeout(mentionTimer);
  mentionTimer = setTimeout(() => { if (!page.classList.contains('offline')) quiet(); }, time);
};

const receive = message => {
  if (message.h !== undefined) {
    show(message);
  } else {
    for (const [op, ...words] of message.o ?? []) operations[op](...words, message);
  }
  acknowledge(message.k ?? 0);
  follow(message.h !== undefined);
};

// Everything anew. What was typed and has not come to the app stays typed, if it is the same window.
const show = message => {
  const before = life, old = document.activeElement?.id;
  life = seen.split('-')[0];
  count = Math.max(count, message.s ?? 0);
  if (before !== life) {
    queue = [];
    waiting.clear();
    typed.clear();
  }
  const values = [...typed].filter(([, number]) => number > (message.k ?? 0)).map(([id]) => [id, node(id)?.value]);
  const template = document.createElement('template');
  template.innerHTML = message.h;
  app.replaceChildren(template.content);
  for (const [id, value] of values) if (node(id) && value !== undefined) node(id).value = value;
  if (old) node(old)?.focus();
  arrived(root());
};

const operations = {
  i(parent, before, html) {
    const template = document.createElement('template');
    template.innerHTML = html;
    const element = template.content.firstElementChild;
    node(parent)?.insertBefore(element, before && node(before));
    arrived(element);
  },
  r: id => node(id)?.remove(),
  m(parent, id, before) {
    const element = node(id), place = node(parent), next = before && node(before);
    if (!element || !place) return;
    if (place.moveBefore) place.moveBefore(element, next); else place.insertBefore(element, next);
  },
  t(id, text) {
    const element = node(id);
    if (!element) return;
    element.textContent = text;
    if (element.dataset.style) tell(element);
  },
  a(id, name, value) {
    const element = node(id);
    if (!element) return;
    if (value === null) element.removeAttribute(name); else element.setAttribute(name, value);
    if (name === 'data-icon') element.querySelector('use')?.setAttribute('href', '/icons.svg#' + value);
    if (name === 'data-more') watch(element);
    if (name === 'datetime' || name === 'data-style') tell(element);
  },
  // The person has typed on since: what comes next of the app will answer that.
  v(id, value, event, message) {
    const field = node(id);
    if (!field || (typed.get(id) ?? 0) > message.k || field.value === value) return;
    const {selectionStart: start, selectionEnd: end} = field;
    field.value = value;
    if (field === document.activeElement && typeof start === 'number') field.setSelectionRange(start, end);
  },
  f: id => node(id)?.focus(),
};

// What an element needs that has come into the page.
const arrived = element => {
  const all = selector => [...(element.matches(selector) ? [element] : []), ...element.querySelectorAll(selector)];
  for (const dialog of all('dialog')) {
    dialog.tabIndex = -1;
    dialog.showModal();
    (dialog.querySelector('[data-safe]') ?? dialog).focus({preventScroll: true});
    if ('chooser' in dialog.dataset && navigator.userActivation?.isActive) choose(dialog.querySelector('[data-accept]'));
  }
  for (const time of all('time[data-style]')) tell(time);
  for (const more of all('.more')) watch(more);
  if (notice.matches(':popover-open')) notice.hidePopover(), notice.showPopover();
};

// MARK: Events

let count = 0, queue = [], flying = null, composing = false;
const typed = new Map(), waiting = new Map();

const send = (kind, element, value) => {
  const event = {i: element.id, t: kind, s: ++count};
  if (value !== undefined) event.v = value;
  if (kind === 'input') typed.set(element.id, count);
  const last = queue.at(-1);
  if (kind === 'input' && last?.t === 'input' && last.i === event.i) queue.pop();
  queue.push(event);
  waiting.set(count, {element, since: performance.now()});
  setTimeout(lookBusy, 310);
  post();
};

const post = async () => {
  if (flying || !queue.length || !life) return;
  let size = 0, number = 0;
  while (number < queue.length && number < 200 && (number === 0 || size < 100000)) size += (queue[number++].v?.length ?? 0) + 60;
  const events = flying = queue.splice(0, number), of = life;
  const status = await fetch(`/events?w=${tab}&c=${of}`, {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(events),
  }).then(answer => answer.status, () => 0);
  flying = null;
  if (of === life && (status === 0 || status === 429 || status >= 500)) {
    // It may have come: the app leaves out what it has had.
    queue = [...events, ...queue];
    setTimeout(post, 1000);
  } else {
    if (status >= 400) acknowledge(events.at(-1).s);
    post();
  }
};

// A busy app cannot say so: the page does, when an answer takes long.
const lookBusy = () => {
  let isBusy = false;
  for (const {element, since} of waiting.values()) {
    if (performance.now() - since < 300) continue;
    isBusy = true;
    if (element.matches('button')) element.dataset.waiting = '';
  }
  page.classList.toggle('busy', isBusy);
};
const acknowledge = number => {
  for (const [event, {element}] of waiting) {
    if (event > number) continue;
    waiting.delete(event);
    delete element.dataset.waiting;
  }
  lookBusy();
};

document.addEventListener('click', event => {
  const row = document.querySelector('.row[data-open]');
  if (row && !event.target.closest('.delete, .swipe-action')) {
    delete row.dataset.open;
    if (row.contains(event.target)) return;
  }
  const dialog = event.target;
  if (dialog instanceof HTMLDialogElement && dialog.matches('.sheet, .confirm') && isOutside(dialog, event)) return dismiss(dialog);
  const chooser = event.target.closest('button[data-accept]');
  if (chooser) return chooser.disabled || choose(chooser);
  const control = seek(event.target, 'click');
  if (control && !control.disabled) return send('click', control);
  const text = event.target.closest('[data-copy]:enabled')?.dataset.copy;
  if (text !== undefined) copy(text);
});
// A frame on a page of another origin may not use the clipboard, but may do what a person's own copying does.
const copy = async text => {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  const fill = event => {
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', fill);
  mention(isCopied || document.execCommand('copy') ? 'Copied' : 'The browser did not let it be copied.', 2500);
  document.removeEventListener('copy', fill);
};
const isOutside = (element, {clientX: x, clientY: y}) => {
  const box = element.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
};

// A date that is half typed has no value yet.
const isUnfinished = field => !field.value && field.matches('[type=date], [type=time], [type=datetime-local]');
document.addEventListener('input', event => {
  if (!composing && wants(event.target, 'input') && !isUnfinished(event.target)) send('input', event.target, event.target.value);
});
document.addEventListener('compositionstart', () => { composing = true; });
document.addEventListener('compositionend', event => {
  composing = false;
  if (wants(event.target, 'input')) send('input', event.target, event.target.value);
});
for (const [heard, kind] of [['focusin', 'focus'], ['focusout', 'blur']]) {
  document.addEventListener(heard, event => { if (event.target.isConnected && wants(event.target, kind)) send(kind, event.target); });
}

// A dialog is closed only by the app, which is asked.
const topDialog = () => [...document.querySelectorAll('dialog[open]')].at(-1);
const dismiss = dialog => { if (wants(dialog, 'dismiss')) send('dismiss', dialog); };
document.addEventListener('cancel', event => {
  if (!(event.target instanceof HTMLDialogElement)) return;
  event.preventDefault();
  dismiss(event.target);
}, true);
document.addEventListener('close', event => {
  if (!(event.target instanceof HTMLDialogElement) || !event.target.isConnected) return;
  event.target.showModal();
  dismiss(event.target);
}, true);

document.addEventListener('keydown', event => {
  if (event.isComposing || event.defaultPrevented) return;
  const {key, target} = event;
  if (key === 'Escape' && topDialog()) {
    event.preventDefault();
    dismiss(topDialog());
  } else if (key === 'Enter' && target.matches('input') && wants(target, 'submit')) {
    send('submit', target, target.value);
  } else if ((key === 'Delete' || key === 'Backspace') && !target.matches('input, textarea, select')) {
    target.closest('.row.swipes')?.querySelector('.delete')?.click();
  } else if (/^(Arrow|Home|End)/.test(key)) {
    const group = target.closest('[role=tablist], [role=radiogroup]');
    if (!group) return;
    const all = [...group.querySelectorAll('button:not(:disabled)')], place = all.indexOf(target.closest('button'));
    const step = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
    const next = key === 'Home' ? all[0] : key === 'End' ? all.at(-1) : all.at((place + step) % all.length);
    event.preventDefault();
    next.focus();
    next.click();
  }
});
document.addEventListener('pointermove', event => {
  if (event.pointerType === 'mouse') page.classList.add('mouse');
});

// MARK: Touch: rows that are swiped, lists that are pulled

let touch;
document.addEventListener('touchstart', event => {
  const at = event.touches[0];
  touch = {x: at.clientX, y: at.clientY, row: event.target.closest('.row.swipes'), pull: event.target.closest('[data-pull]')};
  touch.from = touch.row && 'open' in touch.row.dataset ? actionsWidth(touch.row) : 0;
  if (touch.pull && (touch.pull.closest('.page')?.scrollTop ?? 0) > 0) touch.pull = null;
}, {passive: true});
const actionsWidth = row => [...row.querySelectorAll(':scope > .delete, :scope > .swipe-action')].reduce((sum, one) => sum + one.offsetWidth, 0);
document.addEventListener('touchmove', event => {
  if (!touch || event.touches.length > 1) return;
  const x = event.touches[0].clientX - touch.x, y = event.touches[0].clientY - touch.y;
  touch.way ??= Math.hypot(x, y) < 10 ? undefined : Math.abs(x) > Math.abs(y) ? 'swipe' : 'pull';
  if (touch.way === 'swipe' && touch.row) {
    touch.moved = Math.max(0, touch.from - x);
    touch.row.dataset.open = '';
    touch.row.style.setProperty('--swipe', `${touch.moved}px`);
  } else if (touch.way === 'pull' && touch.pull) {
    touch.moved = Math.max(0, Math.min(y, 110));
    touch.pull.style.setProperty('--pull', `${touch.moved / 2}px`);
  }
}, {passive: true});
const endTouch = event => {
  const {row, pull, way, moved = 0} = touch ?? {};
  touch = null;
  if (way === 'swipe' && row) {
    const width = actionsWidth(row);
    if (event.type === 'touchcancel' || moved < width / 2) delete row.dataset.open;
    row.style.setProperty('--swipe', `${width}px`);
  } else if (way === 'pull' && pull) {
    pull.style.removeProperty('--pull');
    if (event.type === 'touchend' && moved > 70) send('pull', pull);
  }
};
for (const kind of ['touchend', 'touchcancel']) document.addEventListener(kind, endTouch);

// MARK: Title and history: as deep as the stack of pages

let going = false;
const depthShown = () => Number(root()?.dataset.depth ?? 0), depthHere = () => history.state?.depth ?? 0;
const follow = isNew => {
  if (!root()) return;
  document.title = root().dataset.title || appTitle;
  if (going) return;
  const shown = depthShown(), here = depthHere();
  if (isNew && shown < here) history.replaceState({depth: shown}, '');
  else if (shown < here) { going = true; history.go(shown - here); }
  else for (let depth = here + 1; depth <= shown; depth++) history.pushState({depth}, '');
};
addEventListener('popstate', () => {
  if (going) { going = false; return follow(false); }
  if (depthHere() < depthShown()) send('back', root(), String(depthHere()));
  else if (depthHere() > depthShown()) { going = true; history.go(depthShown() - depthHere()); }
});

// MARK: Dates, in the words of the browser's language

const units = [['year', 31536000], ['month', 2592000], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];
const amount = (number, unit, length) => new Intl.NumberFormat(undefined, {style: 'unit', unit, unitDisplay: length}).format(number);
const words = (seconds, pieces) => {
  const first = Math.max(0, units.findIndex(([, size]) => seconds >= size)), parts = [];
  if (seconds < 1) return amount(0, 'second', 'short');
  for (const [unit, size] of units.slice(first, first + pieces)) {
    const number = Math.floor(seconds / size);
    seconds -= number * size;
    if (number) parts.push(amount(number, unit, pieces > 1 && size <= 60 ? 'short' : 'long'));
  }
  return new Intl.ListFormat(undefined, {type: 'unit', style: 'long'}).format(parts);
};
const two = number => String(number).padStart(2, '0');
const told = (date, style) => {
  const away = (date - Date.now()) / 1000, seconds = Math.floor(Math.abs(away));
  switch (style) {
    case 'date': return date.toLocaleDateString(undefined, {dateStyle: 'long'});
    case 'time': return date.toLocaleTimeString(undefined, {timeStyle: 'short'});
    case 'timer': return (seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}` : Math.floor(seconds / 60)) + ':' + two(seconds % 60);
    case 'offset': return (away < 0 ? '−' : '+') + words(seconds, 1);
    default: return words(seconds, 2);
  }
};
const tell = element => {
  const date = new Date(element.getAttribute('datetime'));
  if (isNaN(date)) return;
  const text = told(date, element.dataset.style);
  if (element.textContent !== text) element.textContent = text;
};
setInterval(() => { if (!document.hidden) document.querySelectorAll('time[data-style]').forEach(tell); }, 1000);

// MARK: Long lists, and files

const sight = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting && wants(entry.target, 'more')) send('more', entry.target);
}, {rootMargin: '400px'});
const watch = element => {
  sight.unobserve(element);
  sight.observe(element);
};

const upload = async (element, files, x = 0, y = 0) => {
  if (!files.length) return;
  element.dataset.waiting = '';
  const status = await fetch(`/files?w=${tab}&c=${life}&i=${element.id}&x=${Math.round(x)}&y=${Math.round(y)}`, {
    method: 'POST', body: new Blob(files),
    headers: {'X-File-Name': files.map(file => encodeURIComponent(file.name)).join(), 'X-File-Size': files.map(file => file.size).join()},
  }).then(answer => answer.status, () => 0);
  delete element.dataset.waiting;
  if (status !== 204) mention(status === 413 ? 'Those files are too large.' : 'The files did not arrive.', 4000);
};
const choose = element => {
  const input = Object.assign(document.createElement('input'), {type: 'file', accept: element.dataset.accept, multiple: 'multiple' in element.dataset});
  input.onchange = () => upload(element, [...input.files]);
  input.click();
};
let over = null;
const holdOver = place => {
  if (over === place) return;
  for (const [element, isOver] of [[over, false], [place, true]]) {
    if (!element?.isConnected) continue;
    element.toggleAttribute('data-over', isOver);
    if (wants(element, 'over')) send('over', element, isOver ? '1' : '0');
  }
  over = place;
};
for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, event => {
    // Without it the browser would leave the page for what was dropped.
    event.preventDefault();
    const place = seek(event.target, 'over');
    if (kind === 'dragover') {
      event.dataTransfer.dropEffect = place ? 'copy' : 'none';
      return holdOver(place ?? null);
    }
    if (kind === 'dragleave' && event.relatedTarget && over?.contains(event.relatedTarget)) return;
    holdOver(null);
    if (kind !== 'drop' || !place) return;
    const box = place.getBoundingClientRect();
    upload(place, [...event.dataTransfer.files], event.clientX - box.x, event.clientY - box.y);
  });
}

begin();
