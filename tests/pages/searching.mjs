// Searches: results, and the message without results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { write } from '../search/writer.mjs';
import { focused, visit } from './browser.mjs';

/** Types a query, which the index answers. The page for an address with a query may have results of the server. */
async function type(page, world, q) {
  await page.goto(`${world.address}search/`);
  await page.type('main input[type=search]', q);
}

/** From the start page to the page of a skill. */
export function finding(world) {
  test('a search from the start page finds a skill', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(world.address);
      await page.type('main input[type=search]', 'weather report city');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await page.waitForSelector('[data-results] mark');
      assert.match(await page.$eval('[data-count]', ({ textContent }) => textContent), /^2\sskills found, 1 by meaning alone$/);
      await page.focus('main input[type=search]');
      await page.keyboard.press('ArrowDown');
      assert.equal(await focused(page), 'weather-report');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      assert.equal(page.url(), `${world.address}global/weather-report/`);
      assert.deepEqual(problems, []);
    });
  });
}

export function searching(world) {
  for (const [what, q, slugs] of [
    ['a typing error', 'forcast', ['weather-report']],
    ['Japanese', '翻訳', ['translate']],
    ['the beginning of a word', 'transl', ['translate']],
    ['what is in no skill', 'zzzzzz', []],
    ['no words', '!?', []],
    ['markup', '<img src=x onerror=globalThis.ran=1>zzzz', []],
  ]) {
    test(`a search for ${what}`, async () => {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.goto(`${world.address}search/?${new URLSearchParams({ q })}`);
        await page.waitForFunction(() => document.querySelector('[data-count]').textContent);
        const links = await page.$$eval('[data-results] a', (all) => all.map(({ href }) => href.split('/').at(-2)));
        // One of several words is enough.
        if (what !== 'markup') assert.deepEqual(links, slugs);
        assert.equal(await page.$('[data-results] img'), null);
        const message = await page.$eval('[data-count]', ({ textContent }) => textContent);
        assert.match(message, what === 'markup' ? /./ : slugs.length ? /found(\.|$)/ : /Nothing found|Type letters/);
        assert.deepEqual(problems, []);
      });
    });
  }

  test('a word that no skill has is named with the closest one, which is marked', async () => {
    const said = /^1\sskill found\. No skill has the word “forcast”; the closest is “forecast”\./;
    for (const fill of [(page) => page.goto(`${world.address}search/?q=forcast`), (page) => type(page, world, 'forcast')]) {
      await visit(world.browser, world.address, async (page, problems) => {
        await fill(page);
        await page.waitForSelector('[data-results] mark');
        assert.match(await page.$eval('[data-count]', ({ textContent }) => textContent), said);
        const marked = await page.$$eval('[data-results] mark', (all) => all.map(({ textContent }) => textContent));
        // A forecast is what “weather” means, too.
        assert.ok(marked.every((text) => text.toLowerCase() === 'weather'), String(marked));
        assert.deepEqual(problems, []);
      });
    }
  });

  test('a search with few results says how many are near in meaning alone', async () => {
    for (const fill of [(page) => page.goto(`${world.address}search/?q=edits+writing`), (page) => type(page, world, 'edits writing')]) {
      await visit(world.browser, world.address, async (page, problems) => {
        await fill(page);
        await page.waitForFunction(() => /skills found/.test(document.querySelector('[data-count]').textContent));
        const said = await page.$eval('[data-count]', ({ textContent }) => textContent);
        const [, total, near] = /^(\d+)\sskills found, (\d+) by meaning alone$/.exec(said) ?? assert.fail(said);
        assert.ok(Number(near) < Number(total), said);
        const first = await page.$eval('[data-results] a', ({ textContent }) => textContent);
        assert.equal(first, 'plain-prose');
        assert.deepEqual(problems, []);
      });
    }
  });

  for (const q of ['', 'zzzzzz']) {
    test(`a search for “${q}” suggests skills and namespaces`, async () => {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.goto(`${world.address}search/?${new URLSearchParams({ q })}`);
        await page.waitForSelector('[data-recent] a');
        assert.match(await page.$eval('[data-suggestions]', ({ innerText }) => innerText), /Browse the namespaces/);
        await page.type('main input[type=search]', q ? ' weather' : 'weather');
        await page.waitForSelector('[data-results] a');
        assert.equal(await page.$eval('[data-suggestions]', (section) => section.checkVisibility()), false);
        assert.deepEqual(problems, []);
      });
    });
  }

  test('a search updates while typing, within a namespace, and on going back', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}team/`);
      await page.type('main input[type=search]', 'translate');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await page.waitForSelector('[data-results] a');
      assert.match(page.url(), /namespace=team/);
      await page.click('main input[type=search]', { count: 3 });
      await page.type('main input[type=search]', 'weather');
      await page.waitForFunction(() => /Nothing found for “weather” in @team/.test(document.body.textContent));
      await page.click('[data-filter] a');
      await page.waitForFunction(() => /1\sskill found/.test(document.body.textContent));
      assert.deepEqual(problems, []);
    });
  });

  test('what a query asks for is marked in its results', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}search/?q=weather`);
      await page.waitForSelector('[data-results] mark');
      const marked = await page.$$eval('[data-results] mark', (all) => all.map(({ textContent }) => textContent.toLowerCase()));
      assert.ok(marked.length > 0 && marked.every((text) => text.startsWith('weather')), String(marked));
      assert.deepEqual(problems, []);
    });
  });

  test('a slash goes to the search box, and is a letter in it', async () => {
    for (const path of ['', 'search/?q=weather', 'global/weather-report/']) {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.goto(`${world.address}${path}`);
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('/');
        assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
        const before = await page.evaluate(() => document.activeElement.value);
        await page.keyboard.type('a/b');
        assert.equal((await page.evaluate(() => document.activeElement.value)).length, before.length + 3);
        assert.deepEqual(problems, []);
      });
    }
  });

  test('results in another order are those of the server, or the message says why not', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.goto(`${world.address}search/?q=hurts`);
      await page.waitForNetworkIdle();
      await page.select('[data-order]', 'name');
      await page.waitForFunction(() => location.search.includes('sort=name') && /found|order/.test(document.querySelector('[data-count]').textContent));
      const message = await page.$eval('[data-count]', ({ textContent }) => textContent);
      const names = await page.$$eval('[data-results] a', (all) => all.map(({ textContent }) => textContent.toLowerCase()));
      assert.equal(names.length, 20);
      if (/did not answer/.test(message)) return;
      assert.deepEqual(names, [...names].sort());
    });
  });

  test('results have pages', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}search/?q=hurts`);
      await page.waitForSelector('[data-pager] a[rel=next]');
      assert.equal((await page.$$('[data-results] li')).length, 20);
      await Promise.all([page.waitForNavigation(), page.click('[data-pager] a[rel=next]')]);
      await page.waitForSelector('[data-pager] a[rel=prev]');
      assert.match(await page.$eval('[data-pager]', ({ textContent }) => textContent), /Page 2 of/);
      assert.deepEqual(problems, []);
    });
  });

  for (const [what, parameters, expected] of [
    ['no number', { q: 'weather', page: 'abc' }, /^1\sskill found$/],
    ['a page before the first', { q: 'weather', page: '-1' }, /^1\sskill found$/],
    // The server takes what is not a number for the first page.
    ['the last of all pages', { q: 'weather', page: 'Infinity' }, /^(There is no page \d+: )?1\sskill found$/],
    ['a page beyond numbers', { q: 'weather', page: '1e30' }, /^(There is no page \d+: )?1\sskill found$/],
    ['a page after the last', { q: 'weather', page: '7' }, /^There is no page 7: 1\sskill found$/],
    ['a long query', { q: `weather ${'İ'.repeat(900)}` }, /Only the first 200 characters were searched for\./],
    ['no name', { q: 'weather', namespace: '<img src=x onerror=globalThis.ran=1>' }, /^There is no such namespace\.$/],
  ]) {
    test(`an address that asks for ${what} is answered`, async () => {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.goto(`${world.address}search/?${new URLSearchParams(parameters)}`);
        await page.waitForFunction(() => document.querySelector('[data-count]').textContent);
        assert.match(await page.$eval('[data-count]', ({ textContent }) => textContent), expected);
        assert.deepEqual(problems, []);
      });
    });
  }

  test('results whose words are in names need no request each, and nothing shifts', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      const asked = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.evaluateOnNewDocument(() => {
        globalThis.shifted = 0;
        const add = (list) => list.getEntries().forEach(({ value }) => (globalThis.shifted += value));
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`${world.address}search/?q=weather%20report`);
      await page.waitForSelector('[data-results] a');
      const first = await page.$eval('[data-results] li', ({ innerText }) => innerText);
      assert.match(first, /\d+\.\d+\.\d+/, 'the version is shown');
      assert.match(await page.$eval('[data-results] .card-text', ({ textContent }) => textContent), /\w/);
      await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
      assert.deepEqual(asked.filter((path) => path.includes('/api/v1/skills/global/weather-report')), []);
      assert.ok((await page.evaluate(() => globalThis.shifted)) < 0.1);
      assert.deepEqual(problems, []);
    });
  });

  for (const width of [1280, 390]) {
    test(`a search asks for few files, one after the other, and moves nothing, ${width} pixels wide`, async () => {
      await visit(world.browser, world.address, async (page, problems) => {
        await page.setViewport({ width, height: 800 });
        const asked = [];
        let running = 0;
        let waits = 0; // Requests that began when nothing else was asked for: each costs a whole way there and back.
        page.on('request', (request) => {
          asked.push(request.url().slice(world.address.length));
          if (running++ === 0) waits++;
        });
        page.on('requestfinished', () => running--);
        page.on('requestfailed', () => running--);
        await page.evaluateOnNewDocument(() => {
          globalThis.shifted = [];
          const add = (list) => list.getEntries().forEach(({ value, sources }) => {
            globalThis.shifted.push(`${value} ${sources.map(({ node }) => node?.className)}`);
          });
          new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
        });
        await page.goto(`${world.address}search/?q=hurts`);
        await page.waitForSelector('[data-results] a');
        await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
        assert.ok(asked.length <= 8, asked.join('\n'));
        assert.equal(new Set(asked).size, asked.length, 'the manifest is read once');
        assert.ok(waits <= 4, `${waits}: ${asked.join('\n')}`);
        assert.deepEqual(await page.evaluate(() => globalThis.shifted), []);
        assert.deepEqual(problems, []);
      });
    });
  }

  test('a result without details on its card gets them when it is seen', async () => {
    // In an index as small as this one, all cards have details.
    const files = write([{ id: 1, slug: 'weather-report', words: { city: 20 } }]);
    await visit(world.browser, world.address, async (page, problems) => {
      const asked = [];
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const file = files.get(request.url().split('/_index/')[1]);
        asked.push(new URL(request.url()).pathname);
        if (file) request.respond({ body: file });
        else request.continue();
      });
      await type(page, world, 'city');
      await page.waitForFunction(() => document.querySelector('[data-results] .version')?.textContent);
      assert.match(await page.$eval('[data-results] .card-text', ({ textContent }) => textContent), /^Writes a report/);
      assert.equal(asked.filter((path) => path.endsWith('/api/v1/skills/global/weather-report.json')).length, 1);
      assert.deepEqual(problems, []);
    });
  });

  for (const width of [1200, 320]) {
    test(`details of cards move nothing when they come, ${width} pixels wide`, async () => {
      const files = write(
        ['weather-report', 'team--long-words', 'release-notes'].map((slug, i) => ({
          id: i + 1, slug, name: slug.split('--').at(-1), words: { city: 20 - i },
        })),
      );
      await visit(world.browser, world.address, async (page, problems) => {
        await page.setViewport({ width, height: 900 });
        const held = [];
        await page.setRequestInterception(true);
        page.on('request', (request) => {
          const file = files.get(request.url().split('/_index/')[1]);
          if (file) request.respond({ body: file });
          else if (/\/api\/v1\/skills\/.*\.json$/.test(request.url())) held.push(request);
          else request.continue();
        });
        const bottoms = () =>
          page.$$eval('[data-results] li', (cards) => cards.map((card) => card.getBoundingClientRect().bottom));
        await type(page, world, 'city');
        await page.waitForFunction(() => document.querySelectorAll('[data-results] li').length === 3);
        const before = await bottoms();
        while (held.length < 3) await page.evaluate(() => new Promise(requestAnimationFrame));
        held.forEach((request) => request.continue());
        await page.waitForFunction(() =>
          [...document.querySelectorAll('[data-results] .card-text')].every(({ textContent }) => textContent),
        );
        // Layouts differ by parts of a pixel.
        (await bottoms()).forEach((bottom, i) => assert.ok(Math.abs(bottom - before[i]) < 1, `${bottom} ${before[i]}`));
        assert.deepEqual(problems, []);
      });
    });
  }

  test('an unreadable index is reported', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (request.url().endsWith('manifest.bin')) request.respond({ status: 500, body: 'no' });
        else request.continue();
      });
      await type(page, world, 'weather');
      await page.waitForFunction(() => /could not be read/.test(document.querySelector('[data-count]').textContent));
    });
  });
}
