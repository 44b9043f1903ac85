// What platform admins do in the browser, against the real server. It goes on where `teamwork.mjs` ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focused } from './browser.mjs';
import { FIELD } from './samples.mjs';
import { PASSWORD, answerQuestion, asIn, fill, heading, open, press, said, see, submit } from './work-steps.mjs';

export function administering(world) {
  const as = asIn(world);
  const send = (path, body, headers = {}) =>
    fetch(`${world.address}api/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: new URL(world.address).origin, ...headers },
      body: JSON.stringify(body),
    });
  const logIn = (handle) => send('auth/login', { handle, password: PASSWORD });
  const show = (page, label) => Promise.all([page.waitForNavigation(), submit(page, label)]);

  test('an admin sees the state, and finds what to take down', async () => {
    await as('admin', async (page) => {
      await open(page, `${world.address}admin/`);
      await see(page, '#state', 'ready');
      await see(page, '#people', FIELD);
      await fill(page, { skill: '@crew/kite' });
      await show(page, 'Show the skill');
      await heading(page, '@crew/kite');
    });
  });

  test('others learn nothing from the page for admins', async () => {
    await as('una', async (page) => {
      const asked = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      for (const query of ['', '?user=wanda', '?user=nobody-at-all']) {
        await open(page, `${world.address}admin/${query}`);
        await see(page, 'main', 'for platform admins');
        assert.doesNotMatch(await page.$eval('main', ({ innerText }) => innerText), /wanda|nobody/);
      }
      assert.ok(!asked.some((path) => /users|audit/.test(path)), asked.join(' '));
    });
  });

  test('an account is disabled and enabled, and the log says who did it', async () => {
    await as('admin', async (page) => {
      await open(page, `${world.address}admin/`);
      await fill(page, { user: '@wanda' }, '#person');
      await show(page, 'Show the person');
      await heading(page, 'wanda');
      await press(page, 'Disable');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { hidden: true });
      await press(page, 'Disable');
      await answerQuestion(page, {}, 'Disable');
      await see(page, 'main .badge', 'disabled');
      assert.equal((await logIn('wanda')).status, 401);
      await see(page, '#audit tr:first-child', 'disabled the account wanda');
      await press(page, 'Enable');
      await see(page, '#audit tr:first-child', 'enabled the account wanda');
      assert.equal(await page.$('main .badge'), null);
      assert.equal((await logIn('wanda')).status, 200);
      await open(page, `${world.address}admin/?user=nobody-at-all`);
      await see(page, '[role=alert]', 'no user `nobody-at-all`');
    });
  });

  test('tokens of a person are shown without their text, and revoked', async () => {
    const name = FIELD.slice(0, 60);
    const [cookie] = (await logIn('viktor')).headers.getSetCookie()[0].split(';');
    const made = await send('tokens', { name }, { Cookie: cookie });
    const { token } = await made.json();
    const whoami = () => fetch(`${world.address}api/v1/whoami`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal((await whoami()).status, 200);
    await as('admin', async (page) => {
      await open(page, `${world.address}admin/?user=viktor`);
      await see(page, '#tokens', name);
      assert.ok(!(await page.content()).includes(token));
      await press(page, 'Revoke', '#tokens');
      await answerQuestion(page, {}, 'Revoke');
      await see(page, '#tokens', 'No tokens');
      await see(page, '#audit tr:first-child', 'of viktor');
      assert.deepEqual(await page.evaluate(() => ({ ...localStorage })), { 'skillmirror-handle': 'admin' });
    });
    assert.equal((await whoami()).status, 401);
  });

  test('the log is filtered, and older changes are shown by keyboard', async () => {
    await as('admin', async (page) => {
      await open(page, `${world.address}admin/`);
      const rows = () => page.$$eval('#audit tbody tr', ({ length }) => length);
      assert.equal(await rows(), 50);
      await page.focus('#audit > .choices button');
      assert.equal(await focused(page), 'Show older');
      await page.keyboard.press('Enter');
      await said(page, '50 changes shown');
      assert.equal(await rows(), 100);
      await fill(page, { namespace: '@crew' }, '#audit');
      await submit(page, 'Filter');
      await see(page, '#audit', 'created the namespace crew');
      const what = await page.$$eval('#audit tbody td:last-child p:first-child', (all) => all.map((p) => p.innerText));
      assert.ok(what.every((text) => text.includes('crew') || text.includes('review')), what.join('\n'));
      assert.ok(what.some((text) => text.includes(FIELD.slice(0, 40))), what.join('\n'));
      await fill(page, { user: 'a b' }, '#audit');
      await submit(page, 'Filter');
      await see(page, '#audit .field-error:not([hidden])', 'a-z');
    });
  });
}
