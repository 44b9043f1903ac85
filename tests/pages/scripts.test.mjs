// Rules for the scripts of the pages.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../site-template/assets/', import.meta.url);
const scripts = ['site.js', 'search-page.js'].map((name) => [name, readFileSync(new URL(name, ASSETS), 'utf8')]);
const work = readdirSync(new URL('signed-in', ASSETS), { recursive: true }).filter((name) => name.endsWith('.js'));
const ofWork = work.map((name) => [`signed-in/${name}`, readFileSync(new URL(`signed-in/${name}`, ASSETS), 'utf8')]);

test('scripts take less than six kilobytes compressed', () => {
  const sizes = scripts.map(([, text]) => gzipSync(text, { level: 9 }).length);
  assert.ok(sizes.reduce((a, b) => a + b) < 6_000, sizes.join(' + '));
});

test('scripts insert text of others as text and never as markup', () => {
  for (const [name, text] of [...scripts, ...ofWork]) {
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\b|Function\(/, name);
  }
});

test('script lines are short', () => {
  for (const [name, text] of [...scripts, ...ofWork]) assert.deepEqual(text.split('\n').filter((line) => line.length > 120), [], name);
});

test('scripts for work keep no credential, and ask no other host', () => {
  for (const [name, text] of ofWork) {
    assert.doesNotMatch(text, /sessionStorage|indexedDB|document\.cookie|Authorization|https?:\/\//, name);
    assert.ok(!text.includes('localStorage') || name === 'signed-in/parts/handle.js', name);
  }
});
