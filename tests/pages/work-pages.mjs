// The pages for work as pages: accessible, and on hosts without the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe from 'axe-core';
import { visit } from './browser.mjs';
import { asIn, open, refusals, see } from './work-steps.mjs';

const PAGES = ['login/', 'me/', 'publish/', 'settings/', 'reviews/', 'admin/'];

/** Views with everything that the other tests have left. */
export function accessibleWork(world) {
  const as = asIn(world);

  test('axe finds nothing in the pages for work', async () => {
    const found = [];
    const views = [
      ...PAGES,
      'settings/?namespace=crew',
      'me/?skill=crew/kite',
      'admin/?user=viktor',
      'reviews/?namespace=crew&status=all',
      'reviews/?namespace=global&id=0',
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
        assert.deepEqual(
          problems.filter((problem) => !refusals(problem)),
          [],
          path,
        );
      });
    }
  });

  test('pages for work say the same when a server in front cannot reach the server', async () => {
    const answers = {
      'an unreachable server': undefined,
      'a proxy without a server': { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
      'a host with files': { status: 405, contentType: 'text/html', body: '<h1>Not allowed</h1>' },
      'a host with files that answers everything': { status: 200, contentType: 'text/html', body: '<h1>Hello</h1>' },
      'a host with files in front of a server': {
        status: 503,
        contentType: 'application/problem+json',
        body: '{"status":503,"code":"read_only","detail":"Only reads."}',
      },
    };
    for (const [name, answer] of Object.entries(answers)) {
      await visit(world.browser, world.address, async (page) => {
        await page.setRequestInterception(true);
        page.on('request', (request) => {
          if (!request.url().includes('/api/')) request.continue();
          else if (answer) request.respond(answer);
          else request.abort();
        });
        await page.goto(`${world.address}publish/`);
        await see(page, '[role=alert]', 'The registry cannot be reached').catch((error) =>
          assert.fail(`${name}: ${error.message}`),
        );
      });
    }
  });

  test('without a script, pages for work name the command', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.setJavaScriptEnabled(false);
      for (const path of PAGES) {
        await page.goto(world.address + path);
        assert.match(
          await page.$eval('noscript', ({ textContent }) => textContent),
          /needs JavaScript.*skillmirror /s,
          path,
        );
      }
    });
  });
}
