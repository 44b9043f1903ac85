// Rules for the scripts of the pages.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../site-template/assets/', import.meta.url);
const read = (names) => names.map((name) => [name, readFileSync(new URL(name, ASSETS), 'utf8')]);
const scriptsIn = (folder) =>
  readdirSync(new URL(folder, ASSETS), { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => `${folder}/${name}`);
const scripts = read(['site.js', 'search-page.js', 'search-key.js', 'copying.js', 'unseen.js']);
const viewer = read(['viewer.js', ...scriptsIn('viewer')]);
const highlight = read(scriptsIn('highlight'));
const ofWork = read(scriptsIn('signed-in'));

test('scripts take less than six kilobytes compressed', () => {
  // Pages get them joined, without comments.
  const code = scripts.map(([, text]) => text.replace(/^ *(\/\*|\*|\/\/).*\n/gm, '')).join('');
  const { length } = gzipSync(code, { level: 9 });
  assert.ok(length < 6_000, `${length}`);
});

test('scripts of the viewer, with all languages, take less than 20 kilobytes compressed', () => {
  const sizes = [...viewer, ...highlight].map(([, text]) => gzipSync(text, { level: 9 }).length);
  assert.ok(sizes.reduce((a, b) => a + b) < 20_000, sizes.join(' + '));
});

test('scripts insert text of others as text and never as markup', () => {
  for (const [name, text] of [...scripts, ...viewer, ...ofWork]) {
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\b|Function\(/, name);
  }
});

test('script lines are short', () => {
  const long = (text) => text.split('\n').filter((line) => line.length > 120);
  for (const [name, text] of [...scripts, ...viewer, ...ofWork]) assert.deepEqual(long(text), [], name);
});

test('scripts for work keep no credential, and ask no other host', () => {
  for (const [name, text] of ofWork) {
    assert.doesNotMatch(text, /sessionStorage|indexedDB|document\.cookie|Authorization|https?:\/\//, name);
    assert.ok(!text.includes('localStorage') || name === 'signed-in/parts/handle.js', name);
  }
});
