// Rules for the scripts of the pages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../site-template/assets/', import.meta.url);
const scripts = ['site.js', 'search-page.js'].map((name) => [name, readFileSync(new URL(name, ASSETS), 'utf8')]);

test('scripts take less than six kilobytes compressed', () => {
  const sizes = scripts.map(([, text]) => gzipSync(text, { level: 9 }).length);
  assert.ok(sizes.reduce((a, b) => a + b) < 6_000, sizes.join(' + '));
});

test('scripts insert text of others as text and never as markup', () => {
  for (const [name, text] of scripts) {
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\b|Function\(/, name);
  }
});

test('script lines are short', () => {
  for (const [name, text] of scripts) assert.deepEqual(text.split('\n').filter((line) => line.length > 120), [], name);
});
