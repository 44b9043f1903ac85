// The limits that hosts of the module rely on.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../site-template/assets/', import.meta.url);
const MODULES = readdirSync(new URL('search/', ASSETS)).map((name) => `search/${name}`);
const sources = ['search.js', ...MODULES].map((path) => [path, readFileSync(new URL(path, ASSETS), 'utf8')]);

test('the modules of a reader, compressed as one, are smaller than 19 kB', () => {
  // `answer.js` is loaded only where requests are answered, and translations where a query needs them.
  const ofReader = sources.filter(([path]) => !/\/(answer|characters|translations)\.js$/.test(path));
  const size = gzipSync(ofReader.map(([, text]) => text).join(''), { level: 9 }).length;
  assert.ok(size < 19_000, String(size));
});

test('modules import only each other', () => {
  for (const [path, text] of sources) {
    for (const [, from] of text.matchAll(/(?:from|import) ?\(?'([^']*)'/g)) {
      assert.match(from, path === 'search.js' ? /^\.\/search\/[a-z]+\.js$/ : /^\.\/[a-z]+\.js$/, path);
    }
  }
});

test('modules use nothing that browsers or workers lack or may forbid', () => {
  // These have words alone.
  for (const [path, text] of sources.filter(([path]) => !/\/(characters|language|translations)\.js$/.test(path))) {
    const code = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    assert.doesNotMatch(code, /\b(process|Buffer|require|window|self|crypto|eval|Function|BigInt|setTimeout)\b/, path);
  }
});

test('modules have at most 300 lines of at most 120 characters', () => {
  for (const [path, text] of sources) {
    assert.ok(text.split('\n').length <= 300, path);
    assert.deepEqual(
      text.split('\n').filter((line) => line.length > 120),
      [],
      path,
    );
  }
});
