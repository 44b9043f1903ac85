// axe finds no violation, in both themes, wide and narrow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe from 'axe-core';
import { visit } from './browser.mjs';
import { PAGES } from './samples.mjs';

export function accessible(world) {
  for (const [path] of [...PAGES, ['search/?q=hurts']]) {
    test(`axe finds nothing in /${path}`, async () => {
      const found = [];
      await visit(world.browser, world.address, async (page) => {
        await page.goto(world.address + path);
        if (path.includes('?')) await page.waitForSelector('[data-results] a');
        await page.evaluate(axe.source);
        for (const theme of ['light', 'dark']) {
          for (const width of [1280, 390]) {
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
            await page.setViewport({ width, height: 800 });
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            for (const { id, impact, nodes } of violations) {
              const examples = nodes.map(({ html }) => html).slice(0, 3).join(' ');
              found.push(`${theme}, ${width} pixels wide: ${impact} ${id}: ${examples}`);
            }
          }
        }
      });
      assert.deepEqual(found, []);
    });
  }
}
