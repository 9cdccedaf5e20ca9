// A real browser that cannot leave this machine, and an ear for whatever goes wrong in it.
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';

export function browserProgram() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  for (const folder of (process.env.PATH ?? '').split(':')) {
    for (const name of names) {
      try {
        accessSync(path.join(folder, name), constants.X_OK);
        return path.join(folder, name);
      } catch {
        // the next one
      }
    }
  }
  return null;
}

export function launch() {
  return chromium.launch({
    executablePath: browserProgram(),
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
}

// Notes in page.faults what a reader's browser would complain about, and requests to anywhere but `origin`.
export async function openPage(context, origin) {
  const page = await context.newPage();
  page.faults = [];
  const here = () => page.url().replace(origin, '');
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.faults.push(`${here()}: console: ${message.text()}`);
  });
  page.on('pageerror', (error) => page.faults.push(`${here()}: script: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) page.faults.push(`${here()}: asks for ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) page.faults.push(`${here()}: ${response.status()} for ${response.url()}`);
  });
  page.on('crash', () => page.faults.push(`${here()}: the page crashed`));
  return page;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Serious faults of accessibility, a line each.
export async function accessibilityFaults(page, rules) {
  await page.evaluate(axe);
  const violations = await page.evaluate(async (only) => {
    const options = { resultTypes: ['violations'], ...(only ? { runOnly: { type: 'rule', values: only } } : {}) };
    return (await window.axe.run(document, options)).violations.map(({ id, impact, help, nodes }) => ({
      id, impact, help, where: nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.any?.[0]?.message ?? ''}`), count: nodes.length,
    }));
  }, rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, where, count }) => `${id} (${count}): ${help}: ${where.join('; ')}`);
}
