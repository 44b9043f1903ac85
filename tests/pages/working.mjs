// Signed-in work in the browser, against the real server: each job runs to its end.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import axe from 'axe-core';
import { focused, ran, visit } from './browser.mjs';
import { skillmirror } from './hosts.mjs';
import { FIELD } from './samples.mjs';
import {
  answerQuestion, choose, drop, fill, heading, open, press, refusals, said, see, signIn, submit,
} from './work-steps.mjs';

const PASSWORD = 'correct horse battery';
const PAGES = ['login/', 'me/', 'publish/', 'settings/', 'reviews/', 'admin/'];

/** A folder of a skill with these files. */
function folderOf(name, files) {
  const folder = join(mkdtempSync(join(tmpdir(), 'skillmirror-work-')), name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function skillMd(name, version, text = '# Text\n') {
  return `---\nname: ${name}\ndescription: A skill that a person uploads.\nversion: ${version}\n---\n${text}`;
}

/** What only the write server does. */
export function working(world) {
  const as = (handle, work) => visit(world.browser, world.address, async (page, problems, context) => {
    if (handle) await signIn(page, world.address, handle, PASSWORD);
    await work(page, problems, context);
    assert.deepEqual(problems.filter((problem) => !refusals(problem)), []);
    assert.equal(await ran(page), false);
  });

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
    for (const to of ['https://example.org/', '//example.org/', '\\\\example.org', 'javascript:ran=1', '/..//example.org', 'login/']) {
      await visit(world.browser, world.address, async (page, problems) => {
        await signIn(page, world.address, 'una', PASSWORD, to);
        assert.ok(page.url().startsWith(world.address), `${to}: ${page.url()}`);
        assert.deepEqual(problems.filter((problem) => !refusals(problem)), [], to);
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
      const bad = folderOf('lamp', { 'SKILL.md': skillMd('lamp', '1.0.0'), 'keys/"><img src=x onerror=ran=1>.txt': `one\ntwo\n${key}`, '.env': 'A=1\n' });
      await choose(page, bad);
      await see(page, '.checked [role=alert]', 'cannot be published');
      const findings = await page.$eval('.findings', (list) => list.innerText);
      assert.match(findings, /keys\/"><img src=x onerror=ran=1>\.txt:3/);
      assert.match(findings, /\.env.*secret_file/);
      assert.equal((await fetch(`${world.address}api/v1/skills/crew/lamp`)).status, 404);
      await choose(page, folderOf('lamp', { 'SKILL.md': skillMd('lamp', '1.0.0'), 'scripts/on.sh': '#!/bin/sh\necho on\n', '.env': 'A=1\n' }));
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
    });
  });

  test('a folder and a zip are dropped', async () => {
    await as('una', async (page) => {
      await open(page, `${world.address}publish/?namespace=crew`);
      await drop(page, folderOf('kite', { 'SKILL.md': skillMd('kite', '1.0.0'), 'deep/er/text.txt': 'a\n'.repeat(500), '.git/HEAD': 'x' }));
      await see(page, '.chosen', 'kite.zip 2 files');
      await see(page, '.checked', '@crew/kite 1.0.0');
      await press(page, 'Publish');
      await see(page, '.result', 'is published');
      const { items } = await (await fetch(`${world.address}api/v1/skills/crew/kite/versions/1.0.0/files`)).json();
      assert.deepEqual(items.map(({ path, size }) => [path, size]), [['SKILL.md', 85], ['deep/er/text.txt', 1000]]);
    });
  });

  test('a skill is starred and rated by who is signed in', async () => {
    await as(undefined, async (page) => {
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${world.address}crew/lamp/`);
      assert.equal(await page.$eval('[data-account]', ({ textContent }) => textContent), 'Sign in');
      assert.deepEqual(asked.filter((url) => url.includes('/api/') || url.includes('/work/')), []);
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

  test('a person is added to a namespace, another is invited and accepts', async () => {
    await as('una', async (page) => {
      await open(page, `${world.address}settings/?namespace=crew`);
      await fill(page, { userId: 'nobody-at-all' }, '#add');
      await submit(page, 'Add');
      await see(page, '#add [role=alert], #add .field-error:not([hidden])', 'nobody-at-all');
      await fill(page, { userId: 'viktor' }, '#add');
      await submit(page, 'Add');
      await see(page, '#members', 'viktor');
      await fill(page, { userId: 'wanda' }, '#add');
      await page.select('#add select', 'owner');
      await submit(page, 'Add');
      await see(page, '#invitations', 'Wanda');
      await page.click('#settings [name=reviewRequired]');
      await submit(page, 'Save');
      await said(page, 'The settings are saved');
    });
    await as('wanda', async (page) => {
      await open(page, `${world.address}me/`);
      await see(page, '#offers', 'Owner of @crew');
      await press(page, 'Accept', '#offers');
      await see(page, '#offers', 'No invitation');
      await open(page, `${world.address}settings/?namespace=crew`);
      await see(page, '.lead', 'you: owner');
      await page.select('#members li:nth-child(2) select', 'admin');
      await press(page, 'Change', '#members li:nth-child(2)');
      await see(page, '#members li:nth-child(2)', 'admin, since');
      await page.select('#members li:nth-child(2) select', 'member');
      await press(page, 'Change', '#members li:nth-child(2)');
      await see(page, '#members li:nth-child(2)', 'member, since');
    });
  });

  test('submissions are compared, rejected with a comment, and approved', async () => {
    const hand = async (page, version, text) => {
      await open(page, `${world.address}publish/?namespace=crew&slug=lamp`);
      await choose(page, folderOf('lamp', { 'SKILL.md': skillMd('lamp', version, text), 'new.txt': FIELD }));
      await see(page, '.checked', `@crew/lamp ${version}`);
      await press(page, 'Hand in');
      await see(page, '.result', 'waits for a review');
    };
    await as('viktor', (page) => hand(page, '2.0.0', '# Other text\n'));
    await as('wanda', async (page) => {
      await open(page, `${world.address}reviews/`);
      await see(page, '#in-crew', '@crew/lamp 2.0.0');
      await Promise.all([page.waitForNavigation(), page.click('#in-crew a')]);
      await heading(page, '@crew/lamp 2.0.0');
      const states = await page.$$eval('.files-list li', (all) => all.map((item) => item.innerText.replace(/\s+/g, ' ').trim()));
      assert.deepEqual(states.map((state) => state.split(' ').at(-1)), ['changed', 'added', 'removed', 'removed']);
      await page.click('.files-list li:nth-child(1) summary');
      await see(page, '.line-removed', 'version: 1.0.0');
      const added = await page.$$eval('.line-added', (all) => all.map(({ textContent }) => textContent.trim()));
      assert.deepEqual(added, ['+ version: 2.0.0', '+ # Other text']);
      await page.click('.files-list li:nth-child(2) summary');
      await see(page, '.files-list li:nth-child(2) pre', FIELD);
      await page.type('#comment', FIELD);
      await press(page, 'Reject');
      await answerQuestion(page, {}, 'Reject');
      await see(page, '.asked', 'rejected');
    });
    await as('viktor', async (page) => {
      await open(page, `${world.address}me/`);
      await see(page, '#submissions', FIELD);
      await hand(page, '2.0.1', '# Better text\n');
    });
    await as('wanda', async (page) => {
      await open(page, `${world.address}reviews/`);
      await Promise.all([page.waitForNavigation(), page.click('#in-crew a')]);
      await press(page, 'Approve');
      await see(page, '.asked', 'approved');
      await page.goto(`${world.address}crew/lamp/`);
      assert.match(await page.$eval('main', (main) => main.innerText), /2\.0\.1/);
    });
  });

  test('versions are yanked and offered again, tags set, a skill removed, restored and given away', async () => {
    await as('una', async (page) => {
      await page.goto(`${world.address}crew/lamp/`);
      await page.waitForSelector('.acts a[href*=skill]');
      await Promise.all([page.waitForNavigation(), page.click('.acts a')]);
      await heading(page, '@crew/lamp');
      await press(page, 'Yank', '#versions li:nth-child(1)');
      // The keyboard leaves a question without an answer.
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { hidden: true });
      await press(page, 'Yank', '#versions li:nth-child(1)');
      await answerQuestion(page, { reason: FIELD }, 'Yank');
      await see(page, '#versions', FIELD);
      await press(page, 'Offer again');
      await page.waitForFunction(() => !document.querySelector('#versions .badge'));
      await fill(page, { tag: 'stable' }, '#tags');
      await submit(page, 'Set the tag');
      await see(page, '#tags .rows', 'stable');
      await press(page, 'Remove', '#tags li:nth-child(2)');
      await answerQuestion(page, {}, 'Remove');
      await page.waitForFunction(() => !document.querySelector('#tags .rows').innerText.includes('stable'));
      await submit(page, 'Ask for a copy in @global');
      await see(page, '#promotion', 'waits for review');
      await press(page, 'Remove this skill');
      await answerQuestion(page, {}, 'Remove this skill');
      await see(page, 'main', 'This skill is removed');
      await press(page, 'Restore this skill');
      await see(page, '#versions', '2.0.1');
      await fill(page, { to: 'viktor', message: FIELD }, '#transfer');
      await submit(page, 'Offer');
      await said(page, 'Offered to viktor');
    });
    await as('viktor', async (page) => {
      await open(page, `${world.address}me/`);
      await see(page, '#offers', 'Author of @crew/lamp');
      await press(page, 'Accept', '#offers');
      await see(page, '#skills', '@crew/lamp');
    });
  });

  test('an admin sees the state, and finds what to take down', async () => {
    await as('admin', async (page) => {
      await open(page, `${world.address}admin/`);
      await see(page, '#state', 'ready');
      await fill(page, { skill: '@crew/kite' });
      await Promise.all([page.waitForNavigation(), submit(page, 'Show the skill')]);
      await heading(page, '@crew/kite');
    });
    await as('una', async (page) => {
      await page.goto(`${world.address}admin/`);
      await see(page, 'main', 'for platform admins');
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
      await fill(page, { currentPassword: PASSWORD, password: 'short' }, '#account');
      await submit(page, 'Change the password');
      await see(page, '#account .field-error:not([hidden])', '8');
      const cookies = await page.browserContext().cookies();
      assert.deepEqual(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite]), [[true, 'Lax']]);
      await Promise.all([page.waitForNavigation(), press(page, 'Sign out')]);
      assert.equal(page.url(), world.address);
      assert.deepEqual(await page.evaluate(() => ({ ...localStorage })), {});
      await page.goto(`${world.address}me/`);
      await page.waitForFunction(() => location.pathname === '/login/');
      assert.equal(new URL(page.url()).searchParams.get('to'), 'me/');
    });
  });

  test('axe finds nothing in the pages for work', async () => {
    const found = [];
    const views = [
      ...PAGES, 'settings/?namespace=crew', 'me/?skill=crew/kite', 'reviews/?namespace=crew&status=all', 'reviews/?namespace=global&id=0',
    ];
    await as('admin', async (page) => {
      for (const path of views) {
        await open(page, world.address + path);
        await page.evaluate(axe.source);
        for (const theme of ['light', 'dark']) {
          for (const width of [1280, 390, 320]) {
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
            await page.setViewport({ width, height: 800 });
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            found.push(...violations.map(({ id, nodes }) => `${path} ${theme} ${width}: ${id} ${nodes[0].html}`));
            const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            if (isWide) found.push(`${path} is wider than ${width}`);
          }
        }
      }
    });
    assert.deepEqual(found, []);
  });
}

/** What the pages for work say on a host without the server. */
export function away(world) {
  test('pages for work say that the server cannot be reached', async () => {
    for (const path of PAGES) {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.goto(world.address + path);
        await see(page, '[role=alert]', 'The registry cannot be reached');
        const links = await page.$$eval('[role=alert] a', (all) => all.map(({ href }) => href));
        assert.deepEqual(links, [world.address, `${world.address}search/`]);
        assert.deepEqual(problems.filter((problem) => !refusals(problem)), [], path);
      });
    }
  });

  test('without a script, pages for work name the command', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.setJavaScriptEnabled(false);
      for (const path of PAGES) {
        await page.goto(world.address + path);
        assert.match(await page.$eval('noscript', ({ textContent }) => textContent), /needs JavaScript.*skillmirror /s, path);
      }
    });
  });
}
