// Pages load without errors, foreign scripts or foreign requests, with and without JavaScript.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ran, visit } from './browser.mjs';
import { HOSTILE, MISSING, PAGES } from './samples.mjs';

/** Pages and their links, on any host: what it answers where there is nothing is its own. */
export function loading(world) {
  test('every page loads completely', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      for (const [path, text] of pagesOf(world)) {
        await page.goto(world.address + path);
        assert.match(await page.$eval('main', (main) => main.innerText), new RegExp(text), path);
        assert.equal(await page.evaluate(() => document.styleSheets.length), 1, path);
        // The headless shell does not load the icon by itself.
        await page.$eval('link[rel=icon]', ({ href }) => Object.assign(new Image(), { src: href }).decode());
        assert.deepEqual(problems, [], path);
        assert.equal(await ran(page), false, path);
      }
    });
  });

  test('links go to existing pages, packages and documents', async () => {
    await visit(world.browser, world.address, async (page) => {
      const seen = new Set();
      for (const [path] of pagesOf(world)) {
        await page.goto(world.address + path);
        for (const link of await page.$$eval('a, link, script', (all) => all.map(({ href, src }) => href ?? src))) {
          const [url] = link.split('#');
          if (!url.startsWith(world.address) || seen.has(url)) continue;
          seen.add(url);
          assert.equal((await fetch(url)).status, url.includes(MISSING) ? 404 : 200, `${url} of ${path}`);
        }
      }
      assert.ok(seen.size > 20, [...seen].join('\n'));
    });
  });
}

function pagesOf({ isForeign }) {
  return isForeign ? PAGES.filter(([path]) => path !== MISSING) : PAGES;
}

/** What is in the pages, and what is not. */
export function reading(world) {
  test('hostile texts are shown and do nothing', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      for (const i of HOSTILE.keys()) {
        await page.goto(`${world.address}hostile/text-${i}/`);
        assert.deepEqual(problems, [], HOSTILE[i]);
        // Clicking on the links runs nothing, either.
        const links = await page.$$eval('.prose a', (all) => all.map((link) => link.href));
        assert.ok(links.every((link) => /^(https?|mailto):/.test(link)), `${HOSTILE[i]}: ${links}`);
        assert.equal(await page.$$eval('.prose :is(script, img, svg, iframe, form, style)', (all) => all.length), 0);
        assert.equal(await ran(page), false, HOSTILE[i]);
      }
    });
  });

  test('an injected script is blocked and detected', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.goto(`${world.address}global/weather-report/`);
      const said = new Promise((resolve) => page.once('console', resolve));
      await page.evaluate(() => {
        document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = 1' }));
      });
      await said;
      assert.match(problems.join('\n'), /Content Security Policy/);
      assert.equal(await ran(page), false);
      // The opposite case: a script that runs is detected.
      await page.evaluate(() => (globalThis.ran = 1));
      assert.equal(await ran(page), true);
    });
  });

  test('nothing is wider than a phone of 320, 360 or 390 pixels', async () => {
    const wide = [];
    await visit(world.browser, world.address, async (page) => {
      for (const [path] of [...PAGES, ['search/?q=hurts']]) {
        await page.goto(world.address + path);
        if (path.includes('?')) await page.waitForSelector('[data-results] a');
        for (const width of [320, 360, 390]) {
          await page.setViewport({ width, height: 640 });
          const found = await page.evaluate(() => {
            // Tables and code of authors scroll by themselves; ours fit.
            const ours = document.querySelectorAll('.scroll:has(> .versions, > .files), .panel, .cards, .pager, dl, header, footer');
            return [document.documentElement, ...ours]
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ tagName, className, scrollWidth }) => `${tagName} ${className} ${scrollWidth}`);
          });
          wide.push(...found.map((element) => `${path}: ${width}: ${element}`));
          const links = await page.$$eval('.versions a', (all) => all.map((link) => link.getBoundingClientRect().right));
          assert.ok(links.every((right) => right > 0 && right <= width), `${path}: ${links}`);
        }
      }
    });
    assert.deepEqual(wide, []);
  });

  test('on a phone, the facts are above the text, and a long text is folded', async () => {
    for (const isScripted of [true, false]) {
      await visit(world.browser, world.address, async (page) => {
        await page.setJavaScriptEnabled(isScripted);
        await page.setViewport({ width: 390, height: 844 });
        await page.goto(`${world.address}team/tall/`);
        const [facts, text] = await page.$$eval('.facts, #readme', (all) => all.map((each) => each.getBoundingClientRect().toJSON()));
        assert.ok(facts.bottom <= text.top, `${facts.bottom} ${text.top}`);
        assert.ok(text.height <= 3 * 844 && text.height > 844, `${text.height}`);
        await page.click('.folded summary');
        const whole = await page.$eval('#readme', (readme) => readme.getBoundingClientRect().height);
        assert.ok(whole > 6 * 844, `${whole}`);
      });
    }
  });

  test('words in cells of tables are not cut', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.setViewport({ width: 390, height: 844 });
      await page.goto(`${world.address}global/weather-report/`);
      const lines = await page.$$eval('.prose td code', (all) => all.map((each) => each.getClientRects().length));
      assert.ok(lines.length > 0 && lines.every((count) => count === 1), `${lines}`);
    });
  });

  test('a printed page has the whole readable content', async () => {
    await visit(world.browser, world.address, async (page) => {
      // The area between the margins of a sheet.
      await page.setViewport({ width: 680, height: 900 });
      await page.emulateMediaType('print');
      await page.goto(`${world.address}global/weather-report/`);
      const shown = await page.$$eval('header, footer, input, button, .button', (all) =>
        all.filter((each) => each.checkVisibility()).map(({ outerHTML }) => outerHTML),
      );
      assert.deepEqual(shown, []);
      const cut = await page.$$eval('.scroll, pre', (all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth + 1).map(({ textContent }) => textContent),
      );
      assert.deepEqual(cut, []);
    });
  });

  test('without JavaScript everything works except searching and copying', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.setJavaScriptEnabled(false);
      for (const [path, text] of PAGES) {
        await page.goto(world.address + path);
        const content = await page.$eval('main', (main) => main.innerText);
        assert.match(content, new RegExp(text), path);
        if (path === 'search/') assert.match(content, /Without JavaScript, a search is answered while/);
        if (path.includes('weather')) assert.match(content, /skillmirror install weather-report/);
        assert.deepEqual(problems, [], path);
      }
    });
  });
}
