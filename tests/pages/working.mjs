// Signing in, publishing, starring and tokens in the browser, against the real server.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { focused, ran, visit } from './browser.mjs';
import { skillmirror } from './hosts.mjs';
import { FIELD } from './samples.mjs';
import { PASSWORD, asIn, folderOf, refusals, skillMd } from './work-steps.mjs';
import { answerQuestion, choose, drop, fill, heading, open, press, said, see, signIn, submit } from './work-steps.mjs';

/** What a person does alone. */
export function working(world) {
  const as = asIn(world);

  before(() => {
    const names = { una: 'Una Lund', viktor: FIELD, wanda: 'Wanda' };
    for (const [handle, name] of Object.entries(names)) {
      skillmirror.saying(PASSWORD, 'user', 'add', handle, '--name', name, '--password-stdin', ...world.places);
    }
    skillmirror.saying(PASSWORD, 'user', 'set-password', 'admin', ...world.places);
  });

  test('a wrong password is said beside the form, and the right one leads back', async () => {
    await as(undefined, async (page) => {
      await page.goto(`${world.address}login/?to=global/plain-prose/`);
      await page.waitForSelector('form.fields');
      assert.equal(await focused(page), 'Handle');
      await page.keyboard.press('Enter');
      await see(page, '.field-error', 'Fill in this field');
      await fill(page, { handle: 'una', password: 'wrong password' });
      await submit(page, 'Sign in');
      await see(page, '[role=alert]', 'Wrong handle or password');
      assert.equal(await page.$eval('[name=password]', ({ value }) => value), '');
      await fill(page, { password: PASSWORD });
      await Promise.all([page.waitForNavigation(), submit(page, 'Sign in')]);
      assert.equal(page.url(), `${world.address}global/plain-prose/`);
      assert.equal(await page.$eval('[data-account]', ({ textContent }) => textContent), 'una');
      // No script can read the session.
      assert.equal(await page.evaluate(() => document.cookie), '');
      assert.deepEqual(await page.evaluate(() => ({ ...localStorage })), { 'skillmirror-handle': 'una' });
    });
  });

  test('signing in never leads to another site', async () => {
    for (const to of [
      'https://example.org/',
      '//example.org/',
      '\\\\example.org',
      'javascript:ran=1',
      '/..//example.org',
      'login/',
    ]) {
      await visit(world.browser, world.address, async (page, problems) => {
        await signIn(page, world.address, 'una', PASSWORD, to);
        assert.ok(page.url().startsWith(world.address), `${to}: ${page.url()}`);
        assert.deepEqual(
          problems.filter((problem) => !refusals(problem)),
          [],
          to,
        );
        assert.equal(await ran(page), false, to);
      });
    }
  });

  test('a folder with problems is refused by file and line, and published when they are gone', async () => {
    await as('una', async (page) => {
      await open(page, `${world.address}settings/`);
      await fill(page, { slug: 'crew', displayName: 'The crew', description: 'People who work.' });
      await Promise.all([page.waitForNavigation(), submit(page, 'Create')]);
      await heading(page, '@crew');
      await open(page, `${world.address}publish/?namespace=crew`);
      const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'.repeat(8)}\n-----END PRIVATE KEY-----\n`;
      const bad = folderOf('lamp', {
        'SKILL.md': skillMd('lamp', '1.0.0'),
        'keys/"><img src=x onerror=ran=1>.txt': `one\ntwo\n${key}`,
        '.env': 'A=1\n',
      });
      await choose(page, bad);
      await see(page, '.checked [role=alert]', 'cannot be published');
      const findings = await page.$eval('.findings', (list) => list.innerText);
      assert.match(findings, /keys\/"><img src=x onerror=ran=1>\.txt:3/);
      assert.match(findings, /\.env.*secret_file/);
      await see(page, '.findings pre', 'BEGIN PRIVATE KEY');
      assert.equal((await fetch(`${world.address}api/v1/skills/crew/lamp`)).status, 404);
      await choose(
        page,
        folderOf('lamp', {
          'SKILL.md': skillMd('lamp', '1.0.0'),
          'scripts/on.sh': '#!/bin/sh\necho on\n',
          '.env': 'A=1\n',
        }),
      );
      await see(page, '.checked [role=alert]', '1 problem');
      await page.click('.checked input[type=checkbox]');
      await press(page, 'Check again', '.checked');
      await see(page, '.checked', '@crew/lamp 1.0.0');
      // What was checked is what is published.
      await fill(page, { version: '1.0.1' });
      await see(page, '.checked', 'Check again before you publish');
      await submit(page, 'Check again');
      await see(page, '.checked', '@crew/lamp 1.0.1');
      await press(page, 'Publish');
      await see(page, '.result', '@crew/lamp 1.0.1 is published');
      await Promise.all([page.waitForNavigation(), page.click('.result a')]);
      assert.equal(page.url(), `${world.address}crew/lamp/`);
      assert.match(await page.$eval('main', (main) => main.innerText), /scripts\/on\.sh/);
      const { items } = await (await fetch(`${world.address}api/v1/skills/crew/lamp/versions/1.0.1/files`)).json();
      assert.deepEqual(items.filter(({ executable }) => executable).map(({ path }) => path), ['scripts/on.sh']);
    });
  });

  test('files that are chosen count instead of those before, which may take longer', async () => {
    await as('una', async (page) => {
      await page.evaluateOnNewDocument(() => {
        const { arrayBuffer } = Blob.prototype;
        Blob.prototype.arrayBuffer = async function () {
          if (this.name === 'slow.txt') await new Promise((resolve) => (globalThis.readSlowly = resolve));
          return arrayBuffer.call(this);
        };
      });
      await open(page, `${world.address}publish/?namespace=crew`);
      await choose(page, folderOf('slow', { 'SKILL.md': skillMd('slow', '1.0.0'), 'slow.txt': '' }));
      await page.waitForFunction(() => globalThis.readSlowly);
      await choose(page, folderOf('quick', { 'SKILL.md': skillMd('quick', '1.0.0') }));
      await see(page, '.checked', '@crew/quick 1.0.0');
      await page.evaluate(() => {
        globalThis.readSlowly();
        return new Promise((resolve) => setTimeout(resolve, 500));
      });
      assert.match(await page.$eval('.chosen', ({ innerText }) => innerText), /^quick\.zip/);
      await see(page, '.checked', '@crew/quick 1.0.0');
      await choose(page, folderOf('empty', { '.git/HEAD': 'x' }));
      await see(page, '.chosen [role=alert]', 'There is no file in it');
      assert.equal(await page.$eval('form.fields', (form) => form.checkVisibility()), false);
      assert.equal(await page.$('.checked *'), null);
    });
  });

  test('a folder and a zip are dropped', async () => {
    await as('una', async (page) => {
      await open(page, `${world.address}publish/?namespace=crew`);
      await drop(
        page,
        folderOf('kite', {
          'SKILL.md': skillMd('kite', '1.0.0'),
          'deep/er/text.txt': 'a\n'.repeat(500),
          '.git/HEAD': 'x',
          'node_modules/a/b.js': 'x',
          '.gitignore': 'out\n',
        }),
      );
      await see(page, '.chosen', 'kite.zip 3 files');
      await see(page, '.chosen', '.git');
      await see(page, '.chosen', 'node_modules');
      await see(page, '.chosen', 'What kite/.gitignore names is packed here');
      await see(page, '.checked', '@crew/kite 1.0.0');
      await press(page, 'Publish');
      await see(page, '.result', 'is published');
      const { items } = await (await fetch(`${world.address}api/v1/skills/crew/kite/versions/1.0.0/files`)).json();
      assert.deepEqual(
        items.map(({ path, size }) => [path, size]),
        [
          ['.gitignore', 4],
          ['SKILL.md', 85],
          ['deep/er/text.txt', 1000],
        ],
      );
    });
  });

  test('a skill is starred and rated by who is signed in', async () => {
    await as(undefined, async (page) => {
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${world.address}crew/lamp/`);
      assert.equal(await page.$eval('[data-account]', ({ textContent }) => textContent), 'Sign in');
      assert.deepEqual(
        asked.filter((url) => url.includes('/api/') || url.includes('/signed-in/')),
        [],
      );
      assert.ok(asked.length <= 8, asked.join('\n'));
      await Promise.all([page.waitForNavigation(), page.click('.acts a')]);
      await fill(page, { handle: 'viktor', password: PASSWORD });
      await Promise.all([page.waitForNavigation(), submit(page, 'Sign in')]);
      assert.equal(page.url(), `${world.address}crew/lamp/`);
      const act = (number) => page.click(`.acts button:nth-of-type(${number})`);
      await see(page, '.acts [aria-pressed=false]', 'Star');
      await act(1);
      await see(page, '.acts [aria-pressed=true]', 'Starred');
      await page.reload();
      await see(page, '.acts [aria-pressed=true]', 'Starred');
      await act(2);
      await answerQuestion(page, { score: '4' }, 'Rate');
      await see(page, '.acts', 'Rated 4 of 5');
      await page.reload();
      await see(page, '.acts', 'Rated 4 of 5');
      await open(page, `${world.address}me/`);
      await press(page, 'Unstar');
      await see(page, '#stars', 'You have starred no skill');
    });
  });

  test('a token is created, copied once and revoked', async () => {
    await as('una', async (page, _, context) => {
      await context.overridePermissions(new URL(world.address).origin, ['clipboard-read', 'clipboard-sanitized-write']);
      await open(page, `${world.address}me/`);
      await fill(page, { name: FIELD.slice(0, 60) }, '#tokens');
      await page.click('#tokens [value=social]');
      await submit(page, 'Create a token');
      await see(page, '#tokens', 'Copy it now');
      await press(page, 'Copy the token');
      await said(page, 'Copied');
      const token = await page.evaluate(() => navigator.clipboard.readText());
      const whoami = () => fetch(`${world.address}api/v1/whoami`, { headers: { Authorization: `Bearer ${token}` } });
      assert.equal((await (await whoami()).json()).handle, 'una');
      await submit(page, 'Create a token');
      await see(page, '#tokens .field-error', 'Fill in this field');
      await page.reload();
      await see(page, '#tokens', 'read, social');
      assert.ok(!(await page.content()).includes(token));
      await press(page, 'Revoke');
      await answerQuestion(page, {}, 'Revoke');
      await see(page, '#tokens', 'You have no tokens');
      assert.equal((await whoami()).status, 401);
    });
  });

  test('name and password change, and signing out ends the session', async () => {
    await as('wanda', async (page) => {
      await open(page, `${world.address}me/`);
      await fill(page, { displayName: ' two  spaces' }, '#account');
      await submit(page, 'Save the name');
      await see(page, '#account .field-error:not([hidden])', 'space');
      await fill(page, { displayName: 'Wanda Wu' }, '#account');
      await submit(page, 'Save the name');
      await see(page, '.lead', 'Wanda Wu');
      const refuseRead = (request) => {
        const isRead = request.method() === 'GET' && request.url().endsWith('/auth/me');
        if (isRead) request.respond({ status: 503, body: 'Try again.' });
        else request.continue();
      };
      await page.setRequestInterception(true);
      page.on('request', refuseRead);
      await fill(page, { displayName: 'Wanda W' }, '#account');
      await submit(page, 'Save the name');
      await see(page, '.notice', 'The name is saved. This page still shows what was before.');
      page.off('request', refuseRead);
      await page.setRequestInterception(false);
      await Promise.all([page.waitForNavigation(), press(page, 'Reload the page')]);
      await see(page, '.lead', 'Wanda W');
      await fill(page, { currentPassword: PASSWORD, password: 'short' }, '#account');
      await submit(page, 'Change the password');
      await see(page, '#account .field-error:not([hidden])', '8');
      const cookies = await page.browserContext().cookies();
      assert.deepEqual(
        cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite]),
        [[true, 'Lax']],
      );
      await Promise.all([page.waitForNavigation(), press(page, 'Sign out')]);
      assert.equal(page.url(), world.address);
      assert.deepEqual(await page.evaluate(() => ({ ...localStorage })), {});
      await page.goto(`${world.address}me/`);
      await page.waitForFunction(() => location.pathname === '/login/');
      assert.equal(new URL(page.url()).searchParams.get('to'), 'me/');
    });
  });
}
