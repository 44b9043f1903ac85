// Rules for the scripts of the pages.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../site-template/assets/', import.meta.url);
const read = (names) => names.map((name) => [name, readFileSync(new URL(name, ASSETS), 'utf8')]);
const scripts = read(['site.js', 'search-page.js']);
const viewer = read(['viewer.js', ...readdirSync(new URL('viewer', ASSETS)).map((name) => `viewer/${name}`)]);
const highlight = read(readdirSync(new URL('highlight', ASSETS)).filter((name) => /js$/.test(name)).map((name) => `highlight/${name}`));

test('scripts take less than six kilobytes compressed', () => {
  const sizes = scripts.map(([, text]) => gzipSync(text, { level: 9 }).length);
  assert.ok(sizes.reduce((a, b) => a + b) < 6_000, sizes.join(' + '));
});

test('scripts of the viewer, with all languages, take less than 20 kilobytes compressed', () => {
  const sizes = [...viewer, ...highlight].map(([, text]) => gzipSync(text, { level: 9 }).length);
  assert.ok(sizes.reduce((a, b) => a + b) < 20_000, sizes.join(' + '));
});

test('scripts insert text of others as text and never as markup', () => {
  for (const [name, text] of [...scripts, ...viewer]) {
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\b|Function\(/, name);
  }
});

test('script lines are short', () => {
  for (const [name, text] of [...scripts, ...viewer]) assert.deepEqual(text.split('\n').filter((line) => line.length > 120), [], name);
});
