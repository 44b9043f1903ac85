// axe finds no violation, in both themes, wide and narrow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe from 'axe-core';
import { visit } from './browser.mjs';
import { PAGES } from './samples.mjs';

export function accessible(world) {
  for (const theme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      test(`axe finds nothing: ${theme}, ${width} pixels wide`, async () => {
        const found = [];
        for (const [path] of [...PAGES, ['search/?q=hurts']]) {
          await visit(world.browser, world.address, async (page) => {
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
            await page.setViewport({ width, height: 800 });
            await page.goto(world.address + path);
            if (path.includes('?')) await page.waitForSelector('[data-results] a');
            await page.evaluate(axe.source);
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            for (const { id, impact, nodes } of violations) {
              found.push(`${path} ${impact} ${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(' ')}`);
            }
          });
        }
        assert.deepEqual(found, []);
      });
    }
  }
}
