// Every skill is found by following links, and what search engines and browsers read about the pages is valid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.mjs';
import { LARGE, MISSING, PAGES } from './samples.mjs';

export function browsing(world) {
  test('every skill of a large namespace is reached by links of files alone', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      await page.setJavaScriptEnabled(false);
      const root = `${world.address}large/`;
      const [open, skills] = [[root], new Set()];
      for (const address of open) {
        await page.goto(address);
        for (const link of await page.$$eval('main a', (all) => all.map(({ href }) => href.split(/[#?]/)[0]))) {
          const name = link.startsWith(root) ? link.slice(root.length) : '';
          if (name.startsWith('_') && !open.includes(link)) open.push(link);
          if (/^[a-z0-9-]+\/$/.test(name)) skills.add(name.slice(0, -1));
        }
      }
      assert.equal(skills.size, LARGE);
      assert.ok(open.length > 3 && open.length < 30, open.join('\n'));
      assert.deepEqual(problems, []);
    });
  });

  test('lists of skills lead to each other and to every namespace', async () => {
    await visit(world.browser, world.address, async (page) => {
      await page.goto(`${world.address}skills/`);
      const links = await page.$$eval('.orders a', (all) => all.map(({ href }) => href));
      const orders = ['', 'created/', 'downloads/', 'stars/', 'rating/', 'name/', 'keywords/'];
      assert.deepEqual(links, [...orders.map((order) => `${world.address}skills/${order}`), `${world.address}namespaces/`]);
      assert.match(await page.$eval('.left-out', ({ innerText }) => innerText), /first 50 of \d+ skills/);
      await page.goto(`${world.address}skills/keywords/`);
      const [keyword] = await page.$$eval('.keyword-list a', (all) => all.map(({ href, innerText }) => [innerText, href]));
      assert.deepEqual(keyword, ['item', `${world.address}search/?q=item`]);
    });
  });

  test('pages name their own address to crawlers if the public URL is known', async () => {
    await visit(world.browser, world.address, async (page) => {
      const { publicUrl } = await (await fetch(`${world.address}api/v1/mirror/settings.json`)).json();
      for (const [path] of PAGES.filter(([path]) => path !== MISSING)) {
        await page.goto(world.address + path);
        const found = await page.evaluate(() => ({
          title: document.title,
          canonical: document.querySelector('link[rel=canonical]')?.href,
          tags: Object.fromEntries([...document.querySelectorAll('meta[property]')].map((tag) => [tag.getAttribute('property'), tag.content])),
          description: document.querySelector('meta[name=description]').content,
        }));
        if (publicUrl === null) {
          assert.deepEqual([found.canonical, found.tags], [undefined, {}], path);
          continue;
        }
        assert.equal(found.canonical, `${publicUrl}/${path}`);
        // People share the page of the skill instead.
        if (/\d\.\d/.test(path)) continue;
        assert.equal(found.tags['og:url'], found.canonical);
        assert.equal(found.tags['og:title'], found.title, path);
        assert.equal(found.tags['og:description'], found.description, path);
      }
      const status = async (path) => (await fetch(world.address + path)).status;
      assert.equal(await status('robots.txt'), 200);
      for (const file of ['sitemap.xml', 'opensearch.xml']) assert.equal(await status(file), publicUrl === null ? 404 : 200, file);
    });
  });

  test('sitemaps are well-formed and name every skill', async () => {
    await visit(world.browser, world.address, async (page) => {
      const { publicUrl } = await (await fetch(`${world.address}api/v1/mirror/settings.json`)).json();
      if (publicUrl === null) return;
      await page.goto(world.address);
      const read = async (path, root) => {
        const text = await (await fetch(world.address + path)).text();
        const [name, found] = await page.evaluate((text) => {
          const { documentElement } = new DOMParser().parseFromString(text, 'application/xml');
          return [documentElement.nodeName, [...documentElement.querySelectorAll('loc')].map((loc) => loc.textContent)];
        }, text);
        assert.equal(name, root, path);
        return found.map((url) => url.replace(`${publicUrl}/`, ''));
      };
      const maps = await read('sitemap.xml', 'sitemapindex');
      // Other tests may have made more namespaces.
      for (const initial of ['g', 'h', 'l', 't']) assert.ok(maps.includes(`sitemap/${initial}.xml`), String(maps));
      const large = await read('sitemap/l.xml', 'urlset');
      assert.equal(large.length, LARGE + 1);
      for (const path of [large[0], large.at(-1)]) assert.equal((await fetch(world.address + path)).status, 200, path);
      const search = await (await fetch(`${world.address}opensearch.xml`)).text();
      assert.ok(search.includes(`template="${publicUrl}/search/?q={searchTerms}"`), search);
    });
  });
}
