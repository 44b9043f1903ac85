// Private namespaces in a browser: an admin makes one for a person, who works in it. Another person sees nothing.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { serve, skillmirror } from './hosts.mjs';
import { PASSWORD, choose, fill, folderOf, open, press, refusals, see, signIn, skillMd, submit } from './work-steps.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillmirror-private-'));
const places = ['data', 'public'].flatMap((name) => [`--${name}`, join(folder, name)]);
const world = {};

before(async () => {
  world.server = await serve(...places);
  for (const name of ['una', 'eve']) {
    skillmirror.saying(PASSWORD, 'user', 'add', name, '--password-stdin', ...places);
  }
  skillmirror.saying(PASSWORD, 'user', 'set-password', 'admin', ...places);
  world.browser = await launch();
});

after(async () => {
  await world.browser?.close();
  await world.server?.stop();
  rmSync(folder, { recursive: true });
});

test('an admin makes a private namespace, in which a member publishes and a stranger finds nothing', async () => {
  const { address } = world.server;
  const hidden = `${address}-/secrets/`;
  await visit(world.browser, address, async (page, problems) => {
    await signIn(page, address, 'admin', PASSWORD, 'settings/');
    await fill(page, { slug: 'secrets' });
    await page.click('main [name=private]');
    await Promise.all([page.waitForNavigation(), submit(page, 'Create')]);
    assert.equal(page.url(), hidden);
    await page.goto(`${address}settings/`);
    await see(page, '#private', '@secrets');
    await open(page, `${hidden}settings/?namespace=secrets`);
    await fill(page, { userId: 'una' });
    await submit(page, 'Add');
    await see(page, 'main', 'una');
    assert.deepEqual(problems.filter((problem) => !refusals(problem)), []);
  });
  await visit(world.browser, address, async (page, problems) => {
    await page.goto(hidden);
    assert.equal(page.url(), `${address}login/?to=%2D%2Fsecrets%2F`);
    await page.waitForSelector('form.fields');
    await fill(page, { handle: 'una', password: PASSWORD });
    await Promise.all([page.waitForNavigation(), submit(page, 'Sign in')]);
    assert.equal(page.url(), hidden);
    await open(page, `${hidden}publish/`);
    await choose(page, folderOf('quiet', { 'SKILL.md': skillMd('quiet', '1.0.0') }));
    await see(page, '.checked', '@secrets/quiet 1.0.0');
    await press(page, 'Publish');
    await see(page, '.result', '@secrets/quiet 1.0.0 is published');
    await Promise.all([page.waitForNavigation(), page.click('.result a')]);
    assert.equal(page.url(), `${hidden}secrets/quiet/`);
    await see(page, 'h1', 'quiet');
    await page.goto(`${hidden}search/?q=quiet`);
    await see(page, '[data-results]', 'quiet');
    // The main registry has it in no result of its own.
    await page.goto(`${address}search/?q=quiet`);
    await see(page, '[data-private]', '@secrets/quiet');
    assert.equal(await page.$eval('[data-private] a', ({ href }) => href), `${hidden}secrets/quiet/`);
    assert.equal((await page.$$('[data-results] li')).length, 0);
    assert.deepEqual(problems.filter((problem) => !refusals(problem)), []);
  });
  await visit(world.browser, address, async (page) => {
    await signIn(page, address, 'eve', PASSWORD);
    for (const path of ['-/secrets/', '-/secrets/secrets/quiet/', '-/nothing/']) {
      const response = await page.goto(`${address}${path}`);
      assert.equal(response.status(), 404);
      assert.doesNotMatch(await page.$eval('body', ({ textContent }) => textContent), /quiet|secrets/);
    }
  });
});
