// Use of the pages by keyboard, and copying.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focused, visit } from './browser.mjs';

export function using(world) {
  test('commands name the address of the page, and are copied by keyboard', async () => {
    const site = world.address.replace(/\/$/, '');
    const command = `skillmirror install weather-report --registry ${site}`;
    await visit(world.browser, world.address, async (page, problems, context) => {
      await context.overridePermissions(new URL(site).origin, ['clipboard-read', 'clipboard-sanitized-write']);
      await page.goto(`${world.address}global/weather-report/`);
      await page.focus('.command button');
      assert.equal(await focused(page), 'Copy the install command');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('[data-announce]').textContent === 'Copied');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
      assert.deepEqual(problems, []);
    });
    await visit(world.browser, world.address, async (page) => {
      await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      await page.goto(`${world.address}global/weather-report/`);
      await page.click('.command button');
      await page.waitForFunction(() => /selected/.test(document.querySelector('[data-announce]').textContent));
      assert.equal(await page.evaluate(() => getSelection().toString().replace(/\s+/g, ' ').trim()), command);
    });
  });

  test('the keyboard moves through a page in its order', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.goto(`${world.address}global/weather-report/`);
      const stops = [];
      for (let i = 0; i < 16; i++) {
        await page.keyboard.press('Tab');
        stops.push((await focused(page)).slice(0, 30));
      }
      assert.deepEqual(stops.slice(0, 6), ['Skip to content', 'Skillmirror', 'Search skills', 'Search', 'Skills', 'Namespaces']);
      assert.deepEqual(stops.slice(6, 12), ['Sign in', '@global', 'weather', 'forecast', 'Star', 'Rate']);
      assert.deepEqual(stops.slice(12, 16), ['Readme', 'Versions 1', 'Files 3', 'Front matter']);
      await page.goto(`${world.address}global/weather-report/`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
    });
  });

  test('a link into the folded text unfolds it', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}team/tall/`);
      const isShown = () => page.$eval('#readme-the-end', (heading) => heading.checkVisibility());
      assert.equal(await isShown(), false);
      await page.evaluate(() => (location.hash = '#readme-the-end'));
      await page.waitForFunction(() => document.querySelector('#readme-the-end').checkVisibility());
      await page.goto('about:blank');
      await page.goto(`${world.address}team/tall/#readme-the-end`);
      assert.equal(await isShown(), true);
      assert.deepEqual(problems, []);
    });
  });

  test('headings link to themselves, long texts have a list of contents, and code is copied', async () => {
    await visit(world.browser, world.address, async (page, problems, context) => {
      await context.overridePermissions(new URL(world.address).origin, ['clipboard-read', 'clipboard-sanitized-write']);
      await page.goto(`${world.address}global/weather-report/`);
      assert.equal(await page.$eval('#readme-what-it-needs .self', (link) => link.hash), '#readme-what-it-needs');
      await page.focus('.prose .block button');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('[data-announce]').textContent === 'Copied');
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^report --city "Reykjavík"/);
      await page.goto(`${world.address}team/tall/`);
      await page.click('.contents summary');
      await page.$$eval('.contents a', (all) => all.at(-1).click());
      await page.waitForFunction(() => document.querySelector('#readme-the-end').checkVisibility());
      assert.deepEqual(problems, []);
    });
  });
}
