// What a learner does on a page, and what the terminal does to it meanwhile. Short: tools/test runs it every time.
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { root, Workbook } from './workbook.mjs';

const lesson = '001_matmul_nn';

let workbook, browser, context, page, origin, address;

before(async () => {
  workbook = await Workbook.make();
  address = await workbook.serve();
  origin = new URL(address).origin + '/';
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await openPage(context, origin);
  await page.goto(address);
  assert.equal(page.url(), origin, 'the token does not stay in the address');
});

after(async () => {
  await browser?.close();
  await workbook?.end();
});

const visit = async (path) => {
  await page.goto(origin + path);
  await page.evaluate(() => (window.sameDocument = true));
};

// How long the page takes to show what is asked for, in milliseconds.
async function shows(what, argument) {
  const begun = performance.now();
  await page.waitForFunction(what, argument, { timeout: 60_000, polling: 20 });
  return performance.now() - begun;
}

test('a graded run changes the open page within a second', async (t) => {
  await visit(`lessons/${lesson}.html`);
  const delays = [];
  const run = async (code, what) => {
    const done = await workbook.grade('run', '1');
    assert.equal(done.code, code, done.stdout + done.stderr);
    delays.push(await shows(what));
  };
  await run(1, () => /attempt/.test(document.querySelector('[data-live="last"]').innerText));
  const kernel = workbook.path('lessons', lesson, 'kernel.cu');
  await fs.copyFile(`${root}/solutions/${lesson}/kernel.cu`, kernel);
  await run(0, () => document.querySelector('[data-live="state"]').classList.contains('passed'));
  t.diagnostic(`after the command's end: ${delays.map(Math.round).join(', ')} ms`);
  // The quicker one counts: the machine may be busy.
  assert.ok(Math.min(...delays) < 1000, `${delays} ms`);
  assert.equal(await page.evaluate(() => window.sameDocument), true, 'the page was not loaded again');
});

test('an answer is judged, and recorded as grade quiz does', async () => {
  await visit(`lessons/${lesson}.html`);
  const questions = await page.locator('form.question').evaluateAll((forms) => forms.map((form) => form.dataset.question));
  assert.ok(questions.length >= 2);
  const { quiz } = JSON.parse((await fs.readFile(`${root}/lessons/${lesson}/lesson.md`, 'utf8')).split('---\n')[1]);
  for (const { id, type, answer, accepted, choices } of quiz) {
    const form = page.locator(`form.question[data-question="${id}"]`);
    const said = form.locator('.said');
    if (type === 'choice') {
      const wrong = choices.findIndex((_, at) => at !== answer);
      await form.locator('input[type="radio"]').nth(wrong).check();
      await form.locator('button[type="submit"]').click();
      await said.filter({ hasText: 'Not this' }).waitFor();
      assert.equal(await form.locator('.why:visible').count(), 1, 'the misconception behind the choice');
      await form.locator('input[type="radio"]').nth(answer).check();
    } else {
      await form.locator('input[type="text"]').fill(String(answer ?? accepted[0]));
    }
    await form.locator('button[type="submit"]').click();
    await said.filter({ hasText: 'Right' }).waitFor();
    assert.equal((await workbook.progress(lesson)).quiz?.[id]?.correct, true, `${id} in progress.json`);
  }
});

test('hints open one by one and are recorded', async () => {
  const other = '002_matmul_nt';
  await visit(`lessons/${other}.html`);
  assert.equal(await page.locator('.hint > div:visible').count(), 0);
  await page.locator('.hint > summary').first().click();
  assert.equal(await page.locator('.hint > div:visible').count(), 1);
  for (let waited = 0; waited < 60_000 && (await workbook.progress(other)).hints !== 1; waited += 50) await page.waitForTimeout(50);
  assert.equal((await workbook.progress(other)).hints, 1);
  const terminal = await workbook.grade('hint', '2');
  assert.match(terminal.stdout, /Hint 2 of 3/);
});

test('without the printed address a page is there to read, and says so', async () => {
  const stranger = await browser.newContext();
  const reading = await openPage(stranger, origin);
  await reading.goto(`${origin}lessons/${lesson}.html`);
  assert.equal(await reading.locator('meta[name="grade-live"]').getAttribute('content'), '');
  const before = await workbook.progress(lesson);
  const form = reading.locator('form.question').first();
  const choice = form.locator('input[type="radio"]').first();
  if ((await choice.count()) > 0) await choice.check();
  else await form.locator('input[type="text"]').fill('1');
  await form.locator('button[type="submit"]').click();
  await form.locator('.said').filter({ hasText: /address that grade serve printed/ }).waitFor();
  assert.deepEqual(await workbook.progress(lesson), before);
  assert.deepEqual(reading.faults.filter((fault) => !/403/.test(fault)), []);
  await stranger.close();
});

test('nothing went wrong on the way', () => assert.deepEqual(page.faults, []));
