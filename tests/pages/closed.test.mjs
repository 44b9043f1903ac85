// The site of a closed registry: a browser signs in, and then everything works as usual.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { serve, skillmirror } from './hosts.mjs';
import { writeSamples } from './samples.mjs';
import { PASSWORD, fill, press, refusals, submit } from './work-steps.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillmirror-closed-'));
const places = ['data', 'public'].flatMap((name) => [`--${name}`, join(folder, name)]);
const world = {};

before(async () => {
  process.env.SKILLMIRROR_READS_REQUIRE = 'token';
  writeSamples(join(folder, 'skills'));
  world.server = await serve(...places);
  skillmirror('import', join(folder, 'skills/global'), '--namespace', 'global', '--as', 'admin', ...places);
  skillmirror.saying(PASSWORD, 'user', 'add', 'una', '--password-stdin', ...places);
  world.browser = await launch();
});

after(async () => {
  delete process.env.SKILLMIRROR_READS_REQUIRE;
  await world.browser?.close();
  await world.server?.stop();
  rmSync(folder, { recursive: true });
});

test('a stranger is asked to sign in, then reads, searches and signs out again', async () => {
  const { address } = world.server;
  await visit(world.browser, address, async (page, problems) => {
    await page.goto(`${address}global/weather-report/`);
    assert.equal(page.url(), `${address}login/?to=global%2Fweather%2Dreport%2F`);
    await page.waitForSelector('form.fields');
    await fill(page, { handle: 'una', password: PASSWORD });
    await Promise.all([page.waitForNavigation(), submit(page, 'Sign in')]);
    assert.equal(page.url(), `${address}global/weather-report/`);
    await page.goto(`${address}search/?q=weather`);
    await page.waitForFunction(() => document.querySelector('main').innerText.includes('weather-report'));
    await page.goto(`${address}login/`);
    await page.waitForFunction(() => document.querySelector('main').innerText.includes('You are signed in'));
    await Promise.all([page.waitForNavigation(), press(page, 'Sign out')]);
    await page.goto(address);
    assert.ok(page.url().startsWith(`${address}login/`), page.url());
    assert.deepEqual(problems.filter((problem) => !refusals(problem)), []);
  });
});
