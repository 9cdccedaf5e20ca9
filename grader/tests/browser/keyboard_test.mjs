// The workbook without a mouse.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { Workbook } from './workbook.mjs';

let workbook, browser, page, origin;

before(async () => {
  workbook = await Workbook.make();
  const address = await workbook.serve();
  origin = new URL(address).origin + '/';
  browser = await launch();
  page = await openPage(await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' }), origin);
  await page.goto(address);
});

after(async () => {
  await browser?.close();
  await workbook?.end();
});

const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    window.walked ??= new Set();
    const again = window.walked.has(element);
    window.walked.add(element);
    return {
      what: `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''} "${element.textContent.trim().slice(0, 30)}"`,
      again,
      marked: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none',
      seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  });

for (const path of ['', 'lessons/001_matmul_nn.html', 'progress.html', 'docs/conventions.html']) {
  test(`Tab reaches everything, visibly: /${path}`, async (t) => {
    await page.goto(origin + path);
    const faults = [];
    let steps = 0;
    for (; steps < 600; ++steps) {
      await page.keyboard.press('Tab');
      const at = await focused();
      if (at === null || at.again) break;
      if (steps === 0 && !/skip/i.test(at.what)) faults.push(`the first stop is no way past the head: ${at.what}`);
      if (!at.marked) faults.push(`no mark on ${at.what}`);
      if (!at.seen) faults.push(`out of sight: ${at.what}`);
    }
    const missed = await page.evaluate(() =>
      [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
        .filter((each) => each.tabIndex >= 0 && each.checkVisibility() && !window.walked.has(each))
        // Of a group of radio buttons, one is a stop.
        .filter((each) => each.type !== 'radio' || ![...each.form.elements].some((other) => other.name === each.name && window.walked.has(other)))
        .map((each) => each.outerHTML.slice(0, 80)));
    t.diagnostic(`${steps} stops`);
    assert.deepEqual(faults, []);
    assert.deepEqual(missed, []);
  });
}

test('keys turn pages, step through sections, search, and change the theme', async () => {
  await page.goto(`${origin}lessons/001_matmul_nn.html`);
  const top = () => page.evaluate(() => scrollY);
  const heading = () => page.evaluate(() => document.activeElement.closest('h1, h2')?.textContent.trim() ?? '');
  await page.keyboard.press('j');
  const first = await heading();
  await page.keyboard.press('j');
  const second = await heading();
  assert.notEqual(first, '');
  assert.notEqual(second, first);
  assert.ok((await top()) > 0);
  await page.keyboard.press('k');
  assert.equal(await heading(), first);

  await Promise.all([page.waitForURL('**/002_*.html'), page.keyboard.press('n')]);
  await Promise.all([page.waitForURL('**/001_*.html'), page.keyboard.press('p')]);

  const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = new Set([before]);
  for (let i = 0; i < 3; ++i) {
    await page.keyboard.press('t');
    seen.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  assert.equal(seen.size, 2, 'a light and a dark page');

  await page.keyboard.press('/');
  await page.keyboard.type('softmax rows');
  const found = page.locator('dialog a');
  await found.first().waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  await Promise.all([page.waitForURL((url) => !url.pathname.includes('001_')), page.keyboard.press('Enter')]);
});

test('keys are letters while something is written', async () => {
  await page.goto(`${origin}lessons/001_matmul_nn.html`);
  const url = page.url();
  const input = page.locator('form.question input[type="text"]').first();
  if ((await input.count()) === 0) return;
  await input.focus();
  await page.keyboard.type('njt/');
  assert.equal(await input.inputValue(), 'njt/');
  assert.equal(page.url(), url);
});

test('nothing went wrong on the way', () => assert.deepEqual(page.faults, []));
