// Which files are requested, how often, and what invalid files lead to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

import { SearchError } from '../../site-template/assets/search.js';
import { Host, found } from './host.mjs';
import { varint } from './writer.mjs';

const MANIFEST = '/api/v1/search/_index/manifest.bin';
const NAMES = ['apple', 'banana', 'cherry', 'damson', 'elder'];

/** A skill for each name. Every key is in a piece of its own, with its prefixes. */
const orchard = (names = NAMES) =>
  names.map((name, i) => ({ id: i + 1, slug: name, words: { [name]: 20 }, named: [name] }));
const host = (names) => new Host(orchard(names), { keysInPiece: 1 });

test('cold query requests the manifest, and then a piece for each word at once', async () => {
  const from = host();
  const waiting = [];
  const slow = async (url, init) => {
    const response = await from.fetch(url, init);
    // Answers pieces only when two were requested. If they were requested one by one, this would never end.
    if (!url.includes('manifest')) {
      await new Promise((answer) => {
        waiting.push(answer);
        if (waiting.length === 2) waiting.forEach((each) => each());
      });
    }
    return response;
  };
  const search = from.open({ fetch: slow });
  assert.equal((await found(search, 'apple cherry')).length, 2);
  assert.equal(from.requests[0], `${MANIFEST} no-cache`);
  assert.equal(from.requests.length, 3);
});

test('warm query requests nothing, and a misspelt word requests its shard', async () => {
  const from = host();
  const search = from.open();
  await found(search, 'apple banana');
  from.requests.length = 0;
  assert.equal((await found(search, 'banana apple')).length, 2);
  assert.deepEqual(from.requests, []);
  assert.equal((await found(search, 'bannana')).length, 1);
  assert.equal(from.requests.length, 1);
});

test('short query requests at most four files, and two more for each misspelt word', async () => {
  const words = 'docker compose dockercompose backup restore'.split(' ');
  const skills = words.map((word, i) => ({ id: i + 1, slug: `skill-${i}`, words: { [word]: 20 } }));
  for (const [q, most, total] of [
    ['docker compose', 4, 3],
    ['docker compose backup', 4, 3],
    ['dokcer', 4, 1],
    ['dokcer compose', 5, 2],
    ['docker compsoe', 5, 2],
    ['dokcer compsoe', 7, 2],
    ['docker compose bakcup', 6, 3],
  ]) {
    const from = new Host(skills, { keysInPiece: 1 });
    assert.equal((await found(from.open(), q)).length, total, q);
    assert.ok(from.requests.length <= most, `${q}: ${from.requests.length}`);
  }
});

test('concurrent queries share requests for the same file', async () => {
  const from = host();
  const search = from.open();
  await Promise.all([
    found(search, 'apple'),
    found(search, 'apple apple'),
    found(search, 'apple zzz'),
    found(search, 'banana'),
  ]);
  assert.equal(new Set(from.requests).size, from.requests.length);
});

test('cache holds the 64 pieces used last', async () => {
  const names = Array.from({ length: 70 }, (_, i) => `n${i + 10}`);
  const from = host(names);
  const search = from.open();
  for (const name of names) await found(search, `${name} the`);
  from.take();
  await found(search, 'n79 the');
  await found(search, 'n16 the');
  assert.equal(from.take().length, 0);
  await found(search, 'n10 the');
  assert.equal(from.take().length, 1);
});

test('manifest older than a minute is read again', async () => {
  const from = host();
  let time = 1_000_000;
  const search = from.open({ now: () => time });
  const readings = async () => {
    from.requests.length = 0;
    await found(search, 'apple');
    return from.requests.filter((request) => request.startsWith(MANIFEST));
  };
  assert.equal((await readings()).length, 1);
  time += 59_999;
  assert.equal((await readings()).length, 0);
  time += 1;
  assert.deepEqual(await readings(), [`${MANIFEST} no-cache`]);
  // If the clock was set back, the age is unknown.
  time -= 3_600_000;
  assert.equal((await readings()).length, 1);
});

test('missing piece makes the manifest be read again, once', async () => {
  const from = host();
  const search = from.open();
  await found(search, 'apple');
  for (const path of from.pieces()) from.files.delete(path);
  // Other impacts make other pieces.
  const changed = orchard([...NAMES, 'figs']).map((skill) => ({ ...skill, words: { [skill.slug]: 21 } }));
  from.index(changed, { keysInPiece: 1 });
  from.requests.length = 0;
  assert.equal((await found(search, 'figs cherry')).length, 2);
  assert.equal(from.requests.filter((request) => request === `${MANIFEST} reload`).length, 1);
  for (const path of from.pieces()) from.files.delete(path);
  from.requests.length = 0;
  await assert.rejects(found(search, 'damson'), {
    name: 'Error',
    message: /\.bin of the search index is missing: try again/,
  });
  assert.equal(from.requests.filter((request) => request.startsWith(MANIFEST)).length, 1);
});

test('environment without cache modes gets requests without one', async (t) => {
  const from = host();
  const { Request } = globalThis;
  t.after(() => Object.assign(globalThis, { Request }));
  globalThis.Request = function refuse() {
    throw new TypeError('Unsupported cache mode');
  };
  await found(from.open(), 'apple');
  assert.equal(from.requests[0], MANIFEST);
});

test('failed request rejects with a sentence', async () => {
  const from = host();
  const cases = [
    [
      async () => new Response('no', { status: 500 }),
      /^https:.*manifest\.bin cannot be read \(status 500\): try again later\.$/,
    ],
    [
      async () => {
        throw new TypeError('fetch failed');
      },
      /cannot be read \(fetch failed\): try again later\.$/,
    ],
    [async () => new Response('no', { status: 404 }), /^https:\/\/skills\.test\/mirror has no search index\.$/],
    [
      async () => new Response('<!doctype html><title>Skills</title>'),
      /^The search index is damaged, or the host answers with another page: it is not a manifest\.$/,
    ],
  ];
  for (const [fetch, message] of cases) {
    await assert.rejects(
      found(from.open({ fetch }), 'apple'),
      (error) => error instanceof SearchError && message.test(error.message),
    );
  }
});

test('index of another format is refused with what to do', async () => {
  const from = host();
  from.manifest = Buffer.concat([Buffer.from('SKSI\x06'), from.manifest.subarray(5)]);
  await assert.rejects(found(from.open(), 'apple'), /reload the page, or use the search\.js of the release of the registry\.$/);
});

test('piece of endless zeros is refused', async () => {
  const from = host();
  for (const path of from.pieces()) from.files.set(path, gzipSync(Buffer.alloc(50_000_000)));
  for (const options of [{}, { inflate: gunzipSync }, { inflate: async (bytes) => gunzipSync(bytes) }]) {
    await assert.rejects(found(from.open(options), 'apple'), /it is larger than 4 MiB\.$/);
  }
});

test('engine without DecompressionStream unpacks with its own function', async (t) => {
  const { DecompressionStream } = globalThis;
  t.after(() => Object.assign(globalThis, { DecompressionStream }));
  globalThis.DecompressionStream = undefined;
  const from = host();
  assert.equal((await found(from.open({ inflate: gunzipSync }), 'apple')).length, 1);
  for (const path of from.pieces()) from.files.set(path, Buffer.from('<html>'));
  await assert.rejects(found(from.open({ inflate: gunzipSync }), 'apple'), SearchError);
});

test('sentence of many words reads at most seven files besides the manifest', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + i)}x`);
  const from = host(names.filter((name) => /^[a-z]+$/.test(name)));
  const hits = await found(from.open(), `${names.slice(0, 20).join(' ')} wordqqx`);
  assert.equal(hits.length, 7);
  assert.equal(from.requests.length, 8);
});

test('page instead of a piece or shard is refused', async () => {
  for (const page of [
    '',
    '<!doctype html><html><head><title>Skills</title>',
    '\0\0',
    '\0\x01\0\x01a\x02\0\0',
    '\x01\x05\x01a',
  ]) {
    const from = host();
    for (const path of from.pieces()) from.files.set(path, Buffer.from(page));
    await assert.rejects(found(from.open(), 'banana'), SearchError, page);
  }
});

test('file cut off at any byte is refused', async () => {
  const from = host();
  const whole = from.manifest;
  for (let length = 0; length < whole.length; length++) {
    from.manifest = whole.subarray(0, length);
    await assert.rejects(found(from.open(), 'banana'), SearchError, `the manifest's first ${length} bytes`);
  }
  from.manifest = Buffer.concat([whole, Buffer.of(0)]);
  await assert.rejects(found(from.open(), 'banana'), SearchError);
  from.manifest = whole;
  await found(from.open(), 'banana');
  const path = from.take()[0];
  const piece = from.files.get(path);
  for (let length = 0; length < piece.length; length++) {
    from.files.set(path, piece.subarray(0, length));
    await assert.rejects(found(from.open(), 'banana'), SearchError, `the piece's first ${length} bytes`);
  }
});

test('file with any changed byte gives an answer or a SearchError', async () => {
  const from = host();
  await found(from.open(), 'bannana the');
  const seen = [MANIFEST, ...from.take()];
  for (const path of seen) {
    const whole = from.files.get(path);
    for (let at = 0; at < whole.length; at++) {
      for (const byte of [0, 0x7f, 0xff, whole[at] ^ 1]) {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        from.files.set(path, changed);
        await found(from.open(), 'bannana ban').catch((error) => assert.ok(error instanceof SearchError, error.stack));
      }
    }
    from.files.set(path, whole);
  }
});

test('manifest with absurd numbers is refused', async () => {
  const max = varint(2n ** 53n - 1n);
  const start = Buffer.from('SKSI\x05');
  const shards = Buffer.alloc(128 * 8);
  const cases = {
    'too large a number': [start, varint(2n ** 53n)],
    'a number without end': [start, Buffer.alloc(1000, 0xff)],
    'too many counters': [start, varint(1), max, Buffer.of(1, 1, 1)],
    'too many pieces': [start, varint(1), varint(0), shards, max],
    'too long a key': [start, varint(1), varint(0), shards, varint(1), varint(0), max],
    'a key that shares too much': [start, varint(1), varint(0), shards, varint(1), max, varint(0)],
    'keys that grow': [start, varint(1), varint(0), shards, varint(9000), ...growing(9000)],
    'keys in disorder': [start, varint(1), varint(0), shards, varint(2), ...growing(1), ...growing(1)],
  };
  for (const [what, parts] of Object.entries(cases)) {
    const from = host();
    from.manifest = Buffer.concat(parts);
    await assert.rejects(found(from.open(), 'banana'), SearchError, what);
  }
});

/** Keys each of which is the one before and one byte more. */
function growing(count) {
  return Array.from({ length: count }, (_, i) => Buffer.concat([varint(i), Buffer.from('\x01a'), Buffer.alloc(8, 1)]));
}
