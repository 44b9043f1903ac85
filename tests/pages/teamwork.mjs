// Members, reviews and the care of skills in the browser, against the real server. It goes on where `working.mjs` ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD } from './samples.mjs';
import { answerQuestion, asIn, choose, fill, folderOf, heading } from './work-steps.mjs';
import { open, PASSWORD, press, said, see, skillMd, submit } from './work-steps.mjs';

/** What people do together. */
export function teamwork(world) {
  const as = asIn(world);

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

  test('a trusted publisher is added with the password of a person, and removed', async () => {
    await as('una', async (page) => {
      await open(page, `${world.address}settings/?namespace=crew`);
      await see(page, '#publishers', 'No job may publish here');
      await page.click('#publishers summary');
      const given = { repository: 'acme/skills', ownerId: '1234', workflow: 'publish.yml', password: 'wrong password' };
      await fill(page, given, '#publishers');
      await press(page, 'Add', '#publishers');
      await see(page, '#publishers [role=alert], #publishers .field-error:not([hidden])', 'password');
      await fill(page, { password: PASSWORD }, '#publishers');
      await press(page, 'Add', '#publishers');
      await said(page, 'The trusted publisher is added');
      await see(page, '#publishers', 'publishes @crew/*');
      await page.click('#publishers details:last-of-type summary');
      await fill(page, { password: PASSWORD }, '#publishers details:last-of-type');
      await press(page, 'Remove', '#publishers');
      await said(page, 'The trusted publisher is removed');
      await see(page, '#publishers', 'No job may publish here');
    });
  });

  test('submissions are compared, rejected with a comment, and approved', async () => {
    const hand = async (page, version, text) => {
      await open(page, `${world.address}publish/?namespace=crew&slug=lamp`);
      const files = { 'new.txt': FIELD, 'odd.txt': 'one\rtwo\u3164\u{e0101}\u001b\n', 'scripts/on.sh': 'echo on\n' };
      await choose(page, folderOf('lamp', { 'SKILL.md': skillMd('lamp', version, text), ...files }));
      await see(page, '.checked', `@crew/lamp ${version}`);
      await press(page, 'Hand in');
      await see(page, '.result', 'waits for a review');
    };
    await as('viktor', (page) => hand(page, '2.0.0', '# Other text\n'));
    await as('wanda', async (page) => {
      await open(page, `${world.address}reviews/`);
      await see(page, '#waiting', '@crew/lamp 2.0.0');
      await Promise.all([page.waitForNavigation(), page.click('#waiting a')]);
      await heading(page, '@crew/lamp 2.0.0');
      await page.waitForSelector('.files-list');
      const states = await page.$$eval('.files-list li', (all) =>
        all.map((item) => item.innerText.replace(/\s+/g, ' ').trim()),
      );
      assert.deepEqual(
        states.map((state) => state.split(' ').at(-1)),
        ['changed', 'added', 'added', 'changed', 'removed'],
      );
      assert.match(states[3], /^scripts\/on\.sh .* no longer executable changed$/);
      const breakPackage = (request) => {
        if (request.url().endsWith('/package')) request.respond({ status: 503, body: 'Try again.' });
        else request.continue();
      };
      await page.setRequestInterception(true);
      page.on('request', breakPackage);
      await page.click('.files-list li:nth-child(1) summary');
      await see(page, '.files-list [role=alert]', 'The package cannot be read: the host answered 503');
      page.off('request', breakPackage);
      await page.setRequestInterception(false);
      await page.click('.files-list li:nth-child(1) summary');
      await page.click('.files-list li:nth-child(1) summary');
      await see(page, '.difference del', 'version: 1.0.0');
      const added = await page.$$eval('.difference ins', (all) => all.map(({ textContent }) => textContent));
      assert.deepEqual(added, ['version: 2.0.0', '# Other text']);
      await page.click('.files-list li:nth-child(3) summary');
      const lines = await page.waitForSelector('.files-list li:nth-child(3) .code');
      // Nothing of a line is hidden from the person who approves it.
      assert.deepEqual(await lines.$$eval('i', (all) => all.map(({ textContent }) => textContent)), ['one', 'twoU+3164 U+E0101\ufffd']);
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
      await Promise.all([page.waitForNavigation(), page.click('#waiting a')]);
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

}
