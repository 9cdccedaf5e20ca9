// What the pages can do beyond being read. Every page reads without it.
'use strict';

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content;
const root = meta('grade-root') ?? '';
const token = meta('grade-live'); // there is one where a server answers; an empty one is for reading alone
const live = token !== undefined;
const lesson = location.pathname.match(/\/lessons\/([^/]+)\.html$/)?.[1];

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

// Storage may be forbidden or full: then nothing is remembered.
const storage = {
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // nothing to do
    }
  },
};

// ---- Theme ----

const themes = {
  system: '<circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="2"/><path d="M12 3a9 9 0 0 1 0 18z"/>',
  light:
    '<circle cx="12" cy="12" r="5"/><path stroke="currentColor" stroke-width="2" d="M12 1v3m0 16v3M1 12h3m16 0h3M4.2 4.2l2.1 2.1m11.4 11.4 2.1 2.1M19.8 4.2l-2.1 2.1M6.3 17.7l-2.1 2.1"/>',
  dark: '<path d="M14 2a10 10 0 1 0 8 14.5A8.5 8.5 0 0 1 14 2z"/>',
};
let themeButton;

function theme() {
  return document.documentElement.dataset.theme ?? 'system';
}

function showTheme() {
  themeButton.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${themes[theme()]}</svg>`;
  themeButton.setAttribute('aria-label', `Theme: ${theme()}`);
  themeButton.title = `Theme: ${theme()} (t)`;
}

function changeTheme() {
  const order = Object.keys(themes);
  const next = order[(order.indexOf(theme()) + 1) % order.length];
  try {
    if (next === 'system') localStorage.removeItem('workbook-theme');
    else localStorage.setItem('workbook-theme', next);
  } catch {
    // it holds for this page
  }
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  showTheme();
}

// ---- Search ----

let dialog;
let index;

function loadIndex() {
  index ??= new Promise((resolve, reject) => {
    const script = element('script', { src: `${root}assets/search.js` });
    script.onload = () => resolve(window.workbookIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return index;
}

// Every word asked for must begin a word of the entry; words in a title count most.
function score(entry, words) {
  const [, title, section, text] = entry;
  const heading = ` ${title} ${section}`.toLowerCase().replace(/[^a-z0-9_]+/g, ' ');
  let sum = section === '' ? 1 : 0;
  for (const word of words) {
    if (heading.includes(` ${word}`)) sum += 5;
    else if (` ${text}`.includes(` ${word}`)) sum += 1;
    else return 0;
  }
  return sum;
}

async function find(asked) {
  const words = asked.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const list = dialog.querySelector('ol');
  const says = dialog.querySelector('p');
  if (words.length === 0) {
    list.replaceChildren();
    says.textContent = 'Lessons, sections, docs: any word, name or number.';
    return;
  }
  const entries = await loadIndex();
  const found = entries
    .map((entry) => [score(entry, words), entry])
    .filter(([value]) => value > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, 14);
  list.replaceChildren(
    ...found.map(([, [url, title, section]]) => {
      const link = element('a', { href: root + url }, title);
      if (section) link.append(' ', element('small', {}, section));
      return element('li', {}, link);
    }),
  );
  says.textContent = found.length === 0 ? 'Nothing has all of these words.' : '';
}

function openSearch() {
  if (!dialog) {
    const input = element('input', { type: 'search', 'aria-label': 'Search the workbook', placeholder: 'Search the workbook' });
    dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, input, element('ol'), element('p', { role: 'status' }));
    input.addEventListener('input', () => find(input.value));
    dialog.addEventListener('keydown', (event) => {
      const links = [...dialog.querySelectorAll('a')];
      const at = links.indexOf(document.activeElement);
      if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
      else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus();
      else if (event.key === 'Enter' && at < 0) links[0]?.click();
      else if (event.key === 'Escape') dialog.close(); // where it would only empty the field
      else return;
      event.preventDefault();
    });
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || event.target.closest('a')) dialog.close();
    });
    document.body.append(dialog);
  }
  dialog.showModal();
  dialog.querySelector('input').select();
  find(dialog.querySelector('input').value);
}

// ---- Copy ----

function addCopyButtons(within) {
  for (const code of within.querySelectorAll('code[data-copy]')) {
    if (code.nextElementSibling?.classList.contains('copied')) continue;
    const button = element('button', { type: 'button', class: 'copied', 'aria-label': `Copy ${code.textContent}` }, 'Copy');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    code.after(button);
  }
}

// What scrolls sideways must be reachable by keyboard.
function markScrolling() {
  for (const box of document.querySelectorAll('pre, .display, .table, figure, .rail')) {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || (box.matches('.rail') && box.scrollHeight > box.clientHeight);
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}

// ---- Keys ----

function sections() {
  return [...document.querySelectorAll('main h1, main h2')].filter((each) => each.offsetParent);
}

let stepped = -Infinity; // when the last step began: a page may scroll for a while

// To the next heading from the one that the last step went to, which at either end of a page does not come to the top;
// from what is at the top where the reader has gone on otherwise.
function step(by) {
  const heads = sections();
  const line = 90; // below the head of the page
  const tops = heads.map((each) => each.getBoundingClientRect().top);
  const last = heads.indexOf(document.activeElement);
  const there = last >= 0 && (performance.now() - stepped < 600 || (tops[last] >= 0 && tops[last] < innerHeight));
  const passed = tops.findLastIndex((top) => top < line - 30);
  const at = there ? last + by : by > 0 ? tops.findIndex((top) => top > line) : passed;
  const target = heads[at];
  if (!target) return scrollTo({ top: by > 0 ? document.body.scrollHeight : 0 });
  stepped = performance.now();
  target.scrollIntoView();
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  n: () => turn('next'),
  p: () => turn('prev'),
  t: changeTheme,
  '/': openSearch,
};

function turn(direction) {
  const link = document.querySelector(`link[rel="${direction}"]`);
  if (link) location.assign(link.href);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (dialog?.open || event.target.closest?.('input, textarea, select, [contenteditable]')) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// ---- Quiz ----

// As `grade quiz` reads numbers: 12, -0.5, 1e-3, 2/3.
function number(text) {
  const plain = (part) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : NaN);
  const [above, below, ...rest] = text.replaceAll('−', '-').trim().split('/');
  if (rest.length > 0) return NaN;
  if (below === undefined) return plain(above);
  const divisor = plain(below.trim());
  return divisor === 0 ? NaN : plain(above.trim()) / divisor;
}

function canonical(text) {
  let result = text.replaceAll('−', '-').replace(/[\s`]/g, '').toLowerCase();
  if (/^(\[.*\]|\(.*\)|\{.*\})$/s.test(result)) result = result.slice(1, -1);
  return result.length > 1 && result.endsWith('.') ? result.slice(0, -1) : result;
}

function judge(form, answer) {
  const right = JSON.parse(form.dataset.right);
  if ('choice' in right) return { understood: true, correct: answer === 'abcdefghij'[right.choice] };
  if ('accepted' in right) {
    return { understood: canonical(answer) !== '', correct: right.accepted.some((each) => canonical(each) === canonical(answer)) };
  }
  const value = number(answer);
  const slack = 1e-9 * Math.max(1, Math.abs(right.number));
  return {
    understood: Number.isFinite(value),
    correct: Math.abs(value - right.number) <= right.tolerance + slack,
    remark: 'Write a number like 12, -0.5, 1e-3 or 2/3.',
  };
}

async function post(what, body) {
  const reply = await fetch(root + what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Grade-Token': token },
    body: JSON.stringify({ lesson, ...body }),
  });
  if (reply.status === 403) throw new Error('for that, open the address that grade serve printed.');
  if (!reply.ok) throw new Error(`the server says ${reply.status}.`);
  return reply.json();
}

function show(form, answer, verdict) {
  const says = form.querySelector('.said');
  const tell = (style, text) => says.replaceChildren(element('span', { class: style }, text));
  if (!verdict.understood) tell('', verdict.remark || 'That is no answer yet.');
  else if (verdict.correct) tell('good', 'Right');
  else tell('bad', 'Not this');
  for (const why of form.querySelectorAll('.why')) {
    why.hidden = verdict.correct || !verdict.understood || why.dataset.choice !== answer;
  }
  if (verdict.correct) form.querySelector('.explain').hidden = false;
}

async function onAnswer(event) {
  event.preventDefault();
  const form = event.target;
  const answer = String(new FormData(form).get('answer') ?? '');
  if (answer.trim() === '') return show(form, answer, { understood: false, remark: 'Choose or write an answer first.' });
  try {
    const verdict = live ? await post('answer', { question: form.dataset.question, answer }) : judge(form, answer);
    show(form, answer, verdict);
    if (!live && verdict.correct) storage.set(`workbook-quiz ${lesson} ${form.dataset.question}`, answer);
  } catch (error) {
    show(form, answer, { understood: false, remark: `Not recorded: ${error.name === 'TypeError' ? 'is grade serve still running?' : error.message}` });
  }
}

function prepareQuiz() {
  for (const form of document.querySelectorAll('form.question')) {
    form.addEventListener('submit', onAnswer);
    if (live) continue;
    const answer = storage.get(`workbook-quiz ${lesson} ${form.dataset.question}`);
    if (typeof answer !== 'string') continue;
    const text = form.querySelector('input[type="text"]');
    if (text) text.value = answer;
    for (const choice of form.querySelectorAll('input[type="radio"]')) choice.checked = choice.value === answer;
    const verdict = judge(form, answer);
    if (verdict.correct) show(form, answer, verdict);
  }
}

function prepareHints() {
  for (const hint of document.querySelectorAll('.hint')) {
    hint.addEventListener('toggle', () => {
      if (token && hint.open) post('hint', { rung: Number(hint.dataset.rung) }).catch(() => {});
    });
  }
}

// ---- Where the reader is ----

function followSections() {
  const links = [...document.querySelectorAll('.rail a[href^="#"]')];
  if (links.length === 0) return;
  const targets = links.map((link) => document.getElementById(link.hash.slice(1)));
  const update = () => {
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    let here = atEnd ? targets.length - 1 : -1;
    targets.forEach((target, i) => {
      if (!atEnd && target && target.getBoundingClientRect().top < 140) here = i;
    });
    links.forEach((link, i) => (i === here ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current')));
  };
  addEventListener('scroll', update, { passive: true });
  update();
}

// ---- Live ----

// What the server sent for each part of the page that may change.
const sources = new WeakMap();

// Takes over what changed, and leaves alone what the reader is doing.
async function refresh() {
  const reply = await fetch(location.href, { cache: 'no-store' });
  if (!reply.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const update = fresh.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
    if (!update || update.outerHTML === sources.get(part)) continue;
    const source = update.outerHTML;
    if (part.matches('.said')) {
      if (update.textContent !== '' && part.textContent === '') part.replaceChildren(...update.childNodes);
      continue;
    }
    const made = document.importNode(update, true);
    sources.set(made, source);
    part.replaceWith(made);
    addCopyButtons(made);
  }
  markScrolling();
}

// A browser grants a host six connections, for all its tabs: only a page that is looked at keeps one.
function listen() {
  let events = null;
  let missed = true; // something may have happened while there was no connection, or not yet
  const follow = () => {
    if (document.hidden) {
      events?.close();
      events = null;
      missed = true;
      return;
    }
    if (events) return;
    events = new EventSource(`${root}events`);
    events.addEventListener('change', () => refresh().catch(() => {}));
    events.addEventListener('reload', () => location.reload());
    events.addEventListener('error', () => (missed = true));
    events.addEventListener('open', () => {
      if (missed) refresh().catch(() => {});
      missed = false;
    });
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}

// ---- Start ----

const tools = document.querySelector('[data-tools]');
const searchButton = element('button', { type: 'button', title: 'Search (/)' }, 'Search', element('kbd', { 'aria-hidden': 'true' }, '/'));
searchButton.addEventListener('click', openSearch);
themeButton = element('button', { type: 'button' });
themeButton.addEventListener('click', changeTheme);
tools.append(searchButton, themeButton);
showTheme();
for (const part of document.querySelectorAll('[data-live]')) sources.set(part, part.outerHTML);
addCopyButtons(document);
prepareQuiz();
prepareHints();
followSections();
markScrolling();
addEventListener('resize', markScrolling);
document.addEventListener('keydown', onKey);
if (live) listen();
