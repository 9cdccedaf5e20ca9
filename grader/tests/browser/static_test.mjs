// `grade site DIR`: the same pages from a folder.
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, openPage } from './browser.mjs';
import { root, Workbook } from './workbook.mjs';

const kFirstPaint = 1000; // milliseconds

let workbook, browser, page, origin;

before(async () => {
  workbook = await Workbook.make();
  const written = await workbook.grade('site', workbook.path('pages'));
  assert.equal(written.code, 0, written.stdout + written.stderr);
  origin = `${pathToFileURL(workbook.path('pages'))}/`;
  browser = await launch();
  page = await openPage(await browser.newContext({ viewport: { width: 1280, height: 900 } }), origin);
});

after(async () => {
  await browser?.close();
  await workbook?.end();
});

test('every page opens from its file', { timeout: 600_000 }, async (t) => {
  const files = (await fs.readdir(workbook.path('pages'), { recursive: true })).filter((name) => name.endsWith('.html'));
  assert.ok(files.length > 60);
  const wrong = [];
  let slowest = [0, ''];
  for (const file of files) {
    let paint = Infinity;
    for (let tries = 0; tries < 10 && paint > kFirstPaint; ++tries) {
      await page.goto(origin + file, { waitUntil: 'load' });
      paint = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
            const look = () => (painted() === undefined ? setTimeout(look, 10) : resolve(painted()));
            look();
          }),
      );
    }
    if (paint > kFirstPaint) wrong.push(`${file}: first paint after ${Math.round(paint)} ms`);
    if (paint > slowest[0]) slowest = [paint, file];
    const says = await page.evaluate(() => [...document.querySelectorAll('[data-mjx-error]')].map((each) => each.textContent));
    if (says.length > 0) wrong.push(`${file}: ${says}`);
  }
  t.diagnostic(`${files.length} pages; the slowest first paint: ${Math.round(slowest[0])} ms (${slowest[1]})`);
  assert.deepEqual([...wrong, ...page.faults.splice(0)], []);
});

test('links lead on, and a question is answered in the page', async () => {
  const lesson = '001_matmul_nn';
  await page.goto(`${origin}index.html`);
  await page.locator(`a[href*="${lesson}"]`).first().click();
  await page.waitForURL(`**/${lesson}.html`);
  const { quiz } = JSON.parse((await fs.readFile(`${root}/lessons/${lesson}/lesson.md`, 'utf8')).split('---\n')[1]);
  const { id, type, answer, accepted } = quiz[0];
  const form = page.locator(`form.question[data-question="${id}"]`);
  if (type === 'choice') await form.locator('input[type="radio"]').nth(answer).check();
  else await form.locator('input[type="text"]').fill(String(answer ?? accepted[0]));
  await form.locator('button[type="submit"]').click();
  await form.locator('.said').filter({ hasText: 'Right' }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('a page reads without scripts', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const reading = await openPage(plain, origin);
  await reading.goto(`${origin}lessons/001_matmul_nn.html`);
  assert.ok(await reading.locator('h1').isVisible());
  assert.ok((await reading.locator('svg.formula').count()) > 0, 'formulas are set');
  assert.deepEqual(reading.faults, []);
  await plain.close();
});
