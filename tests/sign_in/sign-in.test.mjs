// People sign in with the account of their company, in a browser.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from '../pages/browser.mjs';
import { serve, skillmirror } from '../pages/hosts.mjs';
import { PASSWORD, fill, open, press, see, signIn, submit } from '../pages/work-steps.mjs';
import { SECRET, listen } from './provider.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillmirror-sign-in-'));
const places = ['data', 'public'].flatMap((name) => [`--${name}`, join(folder, name)]);
const people = {
  1: { name: 'Ann Smith', preferred_username: 'Ann.Smith', groups: ['staff'] },
  2: { name: 'Bob', preferred_username: 'admin', groups: [] },
  3: { name: 'Carol', preferred_username: 'carol', groups: [] },
};
const world = {};

before(async () => {
  world.provider = await listen(people);
  const config = join(folder, 'config.toml');
  writeFileSync(join(folder, 'secret'), SECRET);
  writeFileSync(
    config,
    `[sign_in.providers.company]
issuer = "${world.provider.issuer}"
client_id = "skillmirror"
client_secret_file = "${join(folder, 'secret')}"
title = "The company"
scopes = ["openid", "profile", "groups"]
roles = { staff = "team:member" }
`,
  );
  places.push('--config', config);
  world.server = await serve(...places);
  world.provider.open(world.server.address);
  const token = readFileSync(join(folder, 'data', 'admin-token'), 'utf8').trim();
  const made = await fetch(`${world.server.address}api/v1/namespaces`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ slug: 'team' }),
  });
  assert.equal(made.status, 201);
  skillmirror.saying(PASSWORD, 'user', 'add', 'zoe', '--password-stdin', ...places);
  world.browser = await launch();
});

after(async () => {
  await world.browser?.close();
  await world.server?.stop();
  world.provider?.stop();
  rmSync(folder, { recursive: true });
});

/** A visit without checks of other addresses: the provider is one. */
const visiting = (work) => visit(world.browser, world.server.address, (page) => work(page, world.server.address));

/** At the provider: says who it is, and agrees until the browser is back at the registry. */
async function atProvider(page, id) {
  for (let step = 0; step < 6; step++) {
    await page.waitForFunction(() => document.readyState === 'complete');
    if (page.url().startsWith(world.server.address) && !page.url().includes('/cli/')) return;
    if (!page.url().startsWith(world.provider.issuer)) {
      await page.waitForNavigation();
      continue;
    }
    if (await page.$('input[name=login]')) {
      await page.type('input[name=login]', id);
      await page.type('input[name=password]', 'any');
    }
    await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
  }
}

/** From the page to sign in to the registry again. */
async function signInAs(page, id) {
  await page.goto(`${world.server.address}login/`);
  const link = await page.waitForSelector('a[href*="auth/sign-in/company"]');
  await Promise.all([page.waitForNavigation(), link.click()]);
  await atProvider(page, id);
}

test('first sign-in makes an account with the role of its group, which is lost with the group', async () => {
  await visiting(async (page, address) => {
    await signInAs(page, '1');
    assert.equal(page.url(), `${address}me/`);
    await see(page, 'main', 'Ann Smith');
    await see(page, '#sessions', 'signed in with company');
    await open(page, `${address}settings/`);
    await see(page, 'main', '@team');
  });
  people[1].groups = [];
  await visiting(async (page, address) => {
    await signInAs(page, '1');
    await open(page, `${address}settings/`);
    assert.ok(!(await page.$eval('main', (main) => main.textContent)).includes('@team'));
  });
});

test('taken handle is asked for', async () => {
  await visiting(async (page, address) => {
    await signInAs(page, '2');
    assert.ok(page.url().startsWith(`${address}api/v1/auth/callback/company`), page.url());
    await see(page, 'main', 'the handle `admin` is taken');
    await fill(page, { handle: 'bob' });
    await Promise.all([page.waitForNavigation(), page.click('main button[type=submit]')]);
    assert.equal(page.url(), `${address}me/`);
    await see(page, 'main', 'Bob');
  });
});

test('account with a password is linked, signs in with it, and signs out there, too', async () => {
  await visiting(async (page, address) => {
    await signIn(page, address, 'zoe', PASSWORD);
    await see(page, 'main', 'Link to The company');
    await Promise.all([page.waitForNavigation(), press(page, 'Link to The company')]);
    await atProvider(page, '3');
    await see(page, '#account', world.provider.issuer);
    await Promise.all([page.waitForNavigation(), press(page, 'Sign out')]);
    assert.equal(page.url(), address);
    await signInAs(page, '3');
    await see(page, 'main', 'zoe');
    await press(page, 'Sign out');
    await page.waitForFunction((issuer) => location.href.startsWith(issuer), {}, world.provider.issuer);
    await Promise.all([page.waitForNavigation(), page.click('button[name=logout]')]);
    await page.waitForFunction((home) => location.href === home, {}, address);
    // The provider asks again who it is.
    await page.goto(`${address}login/`);
    const link = await page.waitForSelector('a[href*="auth/sign-in/company"]');
    await Promise.all([page.waitForNavigation(), link.click()]);
    await page.waitForSelector('input[name=login]');
  });
});

test('skillmirror login completes in a browser', async () => {
  const home = join(folder, 'home');
  const words = ['login', '--web', '--registry', world.server.address, '--yes'];
  const child = spawn(process.env.SKILLMIRROR, words, {
    env: { PATH: process.env.PATH, HOME: home, BROWSER: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const code = await new Promise((resolve, reject) => {
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      told += text;
      const [found] = /[A-Z]{4}-[A-Z]{4}/.exec(told) ?? [];
      if (found) resolve(found);
    });
    ended.then((status) => reject(new Error(`${status}: ${told}`)));
  });
  await visiting(async (page, address) => {
    await page.goto(`${address}cli/device`);
    await fill(page, { user_code: code });
    await Promise.all([page.waitForNavigation(), submit(page, 'Go on')]);
    await page.click('button[value="provider:company"]');
    await page.waitForFunction((issuer) => location.href.startsWith(issuer), {}, world.provider.issuer);
    await atProvider(page, '1');
    await see(page, 'main', 'You are logged in');
  });
  assert.equal(await ended, 0);
  assert.match(said, /logged in to \S+ as ann-smith/);
});
