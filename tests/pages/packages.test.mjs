// The scripts that read packages and compare texts, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { lineDiff } from '../../site-template/assets/viewer/line-diff.js';
import { entries } from '../../site-template/assets/viewer/zip.js';

const CONTENT = Buffer.from('Some text. '.repeat(100));

/** A zip with one deflated file; `change` sees the local header, the entry of the directory, and the end. */
function zip(change = () => {}, { name = 'a.txt', content = CONTENT } = {}) {
  const [path, packed] = [Buffer.from(name), deflateRawSync(content)];
  const [local, entry, end] = [Buffer.alloc(30), Buffer.alloc(46), Buffer.alloc(22)];
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(path.length, 26);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc32(content), 16);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(path.length, 28);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + path.length, 12);
  end.writeUInt32LE(local.length + path.length + packed.length, 16);
  change({ local, entry, end, packed });
  return new Uint8Array(Buffer.concat([local, path, packed, entry, path, end]));
}

const read = async (bytes, max = 1e6) => (await entries(bytes))[0].read(max);

test('a file of a package is read', async () => {
  const [file] = entries(zip());
  assert.deepEqual([file.path, file.size], ['a.txt', CONTENT.length]);
  assert.deepEqual(Buffer.from(await file.read(1e6)), CONTENT);
  const stored = zip(({ entry, packed }) => {
    entry.writeUInt16LE(0, 10);
    entry.writeUInt32LE(packed.length, 24);
  });
  assert.deepEqual(Buffer.from(await read(stored)), deflateRawSync(CONTENT));
});

test('a hostile package is an error and not unpacked', async () => {
  const hostile = {
    'a size that is too small, as of a bomb': ({ entry }) => entry.writeUInt32LE(10, 24),
    'a size that is too large': ({ entry }) => entry.writeUInt32LE(CONTENT.length + 1, 24),
    'data beyond the end': ({ entry }) => entry.writeUInt32LE(1e6, 20),
    'a place beyond the end': ({ entry }) => entry.writeUInt32LE(0xffffffff, 42),
    'a place that is no file': ({ entry }) => entry.writeUInt32LE(5, 42),
    'an unknown method': ({ entry }) => entry.writeUInt16LE(12, 10),
    'an encrypted file': ({ entry }) => entry.writeUInt16LE(1, 8),
    'damaged data': ({ packed }) => packed.fill(0xff),
    'more entries than there are': ({ end }) => end.writeUInt16LE(0xffff, 10),
    'a directory beyond the end': ({ end }) => end.writeUInt32LE(0xfffffff0, 16),
    'a long name': ({ entry }) => entry.writeUInt16LE(0xffff, 28),
    'no end': ({ end }) => end.fill(0),
  };
  for (const [what, change] of Object.entries(hostile)) await assert.rejects(() => read(zip(change)), what);
  await assert.rejects(() => read(zip(), 10), /too large/);
  for (const bytes of [new Uint8Array(0), new Uint8Array(21), new Uint8Array(100_000)]) assert.throws(() => entries(bytes));
});

test('a difference leads from one text to the other', () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 500; round++) {
    const [before, after] = [0, 0].map(() => Array.from({ length: random(12) }, () => 'abc'[random(3)]));
    const made = [];
    let at = 0;
    let now = 0;
    for (const [sign, count] of lineDiff(before, after)) {
      assert.ok(count > 0);
      if (sign === '=') made.push(...before.slice(at, at + count));
      if (sign === '+') made.push(...after.slice(now, now + count));
      if (sign !== '+') at += count;
      if (sign !== '-') now += count;
    }
    assert.deepEqual([made, at, now], [after, before.length, after.length], `${before} ${after}`);
  }
  assert.deepEqual(lineDiff(['a', 'b', 'c'], ['a', 'x', 'c']), [['=', 1], ['-', 1], ['+', 1], ['=', 1]]);
  const lines = (letter) => Array.from({ length: 50_000 }, (_, i) => `${letter}${i}`);
  const start = performance.now();
  assert.deepEqual(lineDiff(lines('a'), lines('b')), [['-', 50_000], ['+', 50_000]]);
  assert.ok(performance.now() - start < 5000);
});
