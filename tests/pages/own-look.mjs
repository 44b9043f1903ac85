// A site with an operator's name, color, logo and texts, as browsers show it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import axe from 'axe-core';
import { visit } from './browser.mjs';

/** Writes the settings and their files. Returns the path of the settings. */
export function writeLook(folder) {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8"/></svg>';
  writeFileSync(join(folder, 'logo.svg'), svg);
  writeFileSync(join(folder, 'about.md'), '## Rules\n\nBe kind.\n');
  const file = join(folder, 'look.toml');
  const links = '[{ text = "Status", url = "https://status.example.org" }]';
  writeFileSync(file, `[site]
name = "Acme & <b>Co</b>"
accent = "#7a1fa2"
logo = "${join(folder, 'logo.svg')}"
about = "${join(folder, 'about.md')}"
links = ${links}
`);
  return file;
}

export function ownLook(world) {
  test('name, logo and text of the operator are shown, and scripts keep the name', async () => {
    await visit(world.browser, world.address, async (page, problems) => {
      for (const path of ['', 'about/', 'search/?q=weather']) {
        await page.goto(world.address + path);
        if (path.includes('?')) await page.waitForSelector('[data-results] a');
        assert.match(await page.title(), / · Acme & <b>Co<\/b>$|^Acme & <b>Co<\/b>: /, path);
        assert.equal(await page.$eval('.brand', (brand) => brand.textContent), 'Acme & <b>Co</b>', path);
        assert.ok(await page.$eval('.brand img', (image) => image.complete && image.naturalWidth > 0), path);
      }
      await page.goto(`${world.address}about/`);
      assert.equal(await page.$eval('.prose h2', (heading) => heading.firstChild.textContent), 'Rules');
      assert.deepEqual(problems, []);
      // A script of this page gives it another title.
      await page.goto(`${world.address}login/`);
      await page.waitForSelector('[data-content] *');
      assert.match(await page.title(), / · Acme & <b>Co<\/b>$/);
    });
  });

  test('accent is that of the operator, and axe finds nothing in both themes', async () => {
    await visit(world.browser, world.address, async (page) => {
      for (const path of ['', 'about/', 'help/', 'global/weather-report/', 'search/?q=weather']) {
        await page.goto(world.address + path);
        if (path.includes('?')) await page.waitForSelector('[data-results] a');
        await page.evaluate(axe.source);
        for (const [theme, isOwn] of [['light', true], ['dark', false]]) {
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
          const accent = () => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
          assert.equal(await page.evaluate(accent) === '#7a1fa2', isOwn, `${theme} ${path}`);
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], `${theme} ${path}`);
        }
      }
    });
  });
}
