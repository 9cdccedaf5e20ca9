// Every page of the workbook as `grade serve` gives it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, launch, openPage } from './browser.mjs';
import { Workbook } from './workbook.mjs';

const kLargest = 300_000; // bytes of one page besides what all pages share

let workbook, browser, context, page, origin;
const pages = new Map(); // path -> what look() saw
const weights = new Map();

before(async () => {
  workbook = await Workbook.make();
  await workbook.grade('hint', '1'); // there is some progress to show
  await workbook.grade('quiz', '1', '--answer', 'flat-index=9');
  const address = await workbook.serve();
  origin = new URL(address).origin + '/';
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await openPage(context, origin);
  page.on('response', async (response) => {
    const path = new URL(response.url()).pathname;
    if (path.startsWith('/assets/') || path === '/events') return;
    const bytes = await response.body().then((body) => body.length, () => 0);
    const of = new URL(page.url()).pathname;
    weights.set(of, (weights.get(of) ?? new Map()).set(path, bytes));
  });
  await page.goto(address);
});

after(async () => {
  await browser?.close();
  await workbook?.end();
});

// What the page says of itself.
function look() {
  for (const each of document.querySelectorAll('details')) each.open = true;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const ids = all('[id]').map((each) => each.id);
  return {
    title: document.title,
    ids,
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    links: all('a[href]').map((each) => each.href.baseVal ?? each.href),
    sources: all('img[src], script[src], link[href]').map((each) => each.src ?? each.href),
    formulas: all('svg.formula').length,
    unset: all('.formula-text').map((each) => each.textContent),
    wrong: all('[data-mjx-error], merror, [data-mml-node="merror"]').map((each) => each.getAttribute('data-mjx-error') ?? each.textContent),
    headings: all('h1, h2, h3, h4, h5, h6').filter((each) => each.offsetParent).map((each) => Number(each.tagName[1])),
    landmarks: ['main', 'header', 'nav'].filter((name) => !document.querySelector(name)),
  };
}

// The course leads to every page: what no link names is not part of it.
test('every page reads without a fault', { timeout: 1_200_000 }, async (t) => {
  const queue = ['/'];
  const known = new Set(queue);
  const faults = [];
  while (queue.length > 0) {
    const path = queue.shift();
    const response = await page.goto(new URL(path, origin).href, { waitUntil: 'load' });
    if (!response.headers()['content-type'].startsWith('text/html')) continue;
    const seen = await page.evaluate(look);
    pages.set(path, seen);
    const add = (what) => faults.push(`${path}: ${what}`);
    if (seen.twice.length > 0) add(`an id twice: ${[...new Set(seen.twice)].join(', ')}`);
    if (seen.wrong.length > 0) add(`formulas that MathJax refuses: ${seen.wrong.join('; ')}`);
    if (seen.unset.length > 0) add(`formulas that are not set: ${seen.unset.slice(0, 3).join('; ')}`);
    if (seen.landmarks.length > 0) add(`no ${seen.landmarks.join(', ')}`);
    if (seen.headings.filter((level) => level === 1).length !== 1) add('not one h1');
    seen.headings.forEach((level, at) => {
      if (at > 0 && level > seen.headings[at - 1] + 1) add(`a heading ${level} after a heading ${seen.headings[at - 1]}`);
    });
    for (const fault of await accessibilityFaults(page)) add(fault);
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const fault of await accessibilityFaults(page, ['color-contrast'])) add(`dark: ${fault}`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 740 });
    const wide = await page.evaluate(() => {
      const room = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= room) return '';
      const inBox = (each) => each.closest('pre, .display, .table, figure'); // these scroll by themselves
      const all = [...document.querySelectorAll('main *')].filter((each) => each.getBoundingClientRect().right > room + 1 && !inBox(each));
      return all.slice(0, 2).map((each) => `${each.tagName.toLowerCase()}.${each.getAttribute('class') ?? ''}`).join(', ') || 'something';
    });
    if (wide !== '') add(`wider than a phone: ${wide}`);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const link of seen.links) {
      const url = new URL(link);
      if (url.origin + '/' !== origin || known.has(url.pathname)) continue;
      known.add(url.pathname);
      queue.push(url.pathname);
    }
  }
  faults.push(...page.faults.splice(0));
  t.diagnostic(`${pages.size} pages, ${[...pages.values()].reduce((sum, { formulas }) => sum + formulas, 0)} formulas`);
  const lessons = [...pages.keys()].filter((path) => /^\/lessons\/\d{3}_\w+\.html$/.test(path));
  assert.equal(lessons.length, 52);
  assert.ok([...pages.keys()].filter((path) => path.startsWith('/docs/')).length >= 8, 'the pages of docs');
  assert.deepEqual(faults, []);
});

test('no link is broken, and no anchor', async () => {
  const broken = [];
  const sources = new Map();
  for (const [path, seen] of pages) {
    for (const link of [...seen.links, ...seen.sources]) {
      const url = new URL(link);
      if (url.origin + '/' !== origin) {
        if (url.protocol !== 'https:') broken.push(`${path}: ${link}`);
        continue;
      }
      const target = pages.get(url.pathname === '/index.html' ? '/' : url.pathname) ?? pages.get(url.pathname);
      if (target) {
        const id = decodeURIComponent(url.hash.slice(1));
        if (id !== '' && !target.ids.includes(id)) broken.push(`${path}: ${url.pathname}${url.hash}`);
        continue;
      }
      if (!sources.has(url.pathname)) {
        sources.set(url.pathname, await fetch(url).then((reply) => reply.status, () => 0));
      }
      if (sources.get(url.pathname) !== 200) broken.push(`${path}: ${url.pathname} (${sources.get(url.pathname)})`);
    }
  }
  assert.deepEqual(broken, []);
});

test('no page weighs more than it may', (t) => {
  const sums = [...weights].map(([path, parts]) => [path, [...parts.values()].reduce((sum, bytes) => sum + bytes, 0)]);
  sums.sort((a, b) => b[1] - a[1]);
  t.diagnostic(`the heaviest: ${sums.slice(0, 5).map(([path, bytes]) => `${path} ${Math.round(bytes / 1000)} kB`).join(', ')}`);
  assert.deepEqual(sums.filter(([, bytes]) => bytes > kLargest), []);
});
