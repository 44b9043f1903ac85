// Each step of answering a query, computed by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Host, found } from './host.mjs';
import { logarithm } from './writer.mjs';

/** The weight of a word in an index of a size class. */
const idf = (df, size = 16) => Math.max(1, 4 + logarithm(size) - logarithm(df));
const value = (df, impact, factor = 16, size = 16) => Math.floor((idf(df, size) * impact * factor) / 16);

/** Skills with ids from 10 on, from a table of slugs and words. */
const skills = (table) =>
  Object.entries(table).map(([slug, words], i) => ({ id: 10 + i, slug, words, named: Object.keys(words) }));

const open = (table, options) => new Host(skills(table), options).open();

test('rarer words and larger impacts give larger scores', async () => {
  const search = open({ one: { pdf: 40, read: 9 }, two: { pdf: 20, read: 9 }, three: { read: 9 } });
  assert.deepEqual(await found(search, 'pdf read'), [
    `one:${value(2, 40) + value(3, 9)}`,
    `two:${value(2, 20) + value(3, 9)}`,
  ]);
});

test('equal scores are ordered by id', async () => {
  const search = open({ zeta: { pdf: 20 }, alpha: { pdf: 20 } });
  assert.deepEqual(await found(search, 'pdf'), [`zeta:${value(2, 20)}`, `alpha:${value(2, 20)}`]);
});

test('exact slug comes first, then exact name, then scores', async () => {
  const host = new Host([
    { id: 1, slug: 'big', words: { pdf: 63, tools: 63 } },
    { id: 2, slug: 'other', name: 'PDF: Tools!', words: { pdf: 9, tools: 9 } },
    { id: 3, slug: 'team--pdf-tools', name: 'Something', words: { pdf: 2, tools: 2 } },
  ]);
  const { hits, total, blank, page, limit } = await host.open().search('Pdf tools');
  assert.deepEqual({ total, blank, page, limit }, { total: 3, blank: false, page: 1, limit: 20 });
  assert.deepEqual(hits, [
    { id: 3, slug: 'team--pdf-tools', name: 'Something', score: 2 * value(3, 2), exactness: 2 },
    { id: 2, slug: 'other', name: 'PDF: Tools!', score: 2 * value(3, 9), exactness: 1 },
    { id: 1, slug: 'big', name: 'Big', score: 2 * value(3, 63), exactness: 0 },
  ]);
});

test('name that is not stored is the slug in title case', async () => {
  const { hits } = await open({ 'team--my-3d-x': { x1: 9 } }).search('x1');
  assert.equal(hits[0].name, 'My 3d X');
});

test('popularity adds at most a twentieth to the score', async () => {
  const words = { pdf: 40 };
  const host = new Host([
    { id: 1, slug: 'one', words },
    { id: 2, slug: 'two', words, popularity: 7 },
    { id: 300, slug: 'three', words, popularity: 1 },
  ]);
  const plain = value(3, 40);
  const popular = (level) => plain + Math.floor((plain * level) / 128);
  assert.deepEqual(await found(host.open(), 'pdf'), [`two:${popular(7)}`, `three:${popular(1)}`, `one:${plain}`]);
});

test('stop words are ignored unless the query has no other words', async () => {
  const search = open({ one: { pdf: 20, the: 30 }, two: { the: 30 } });
  assert.deepEqual(await found(search, 'the pdf'), [`one:${value(1, 20)}`]);
  assert.deepEqual((await found(search, 'the')).length, 2);
});

test('only the first eight different words are searched for', async () => {
  const search = open({ one: { w1: 10, w8: 20 }, two: { w1: 10, w9: 63 } });
  const eight = 'w1 w1 x2 x3 x4 x5 x6 x7 w8 w9';
  assert.deepEqual(await found(search, eight), [`one:${value(2, 10) + value(1, 20)}`]);
});

test('last word is also searched for as a prefix', async () => {
  const search = open({ one: { reader: 20 }, two: { read: 30 } });
  assert.deepEqual(await found(search, 'read'), [`two:${value(1, 30)}`, `one:${value(1, 20, 6)}`]);
  assert.deepEqual(await found(search, 'rea'), [`two:${value(2, 30, 10)}`, `one:${value(2, 20, 10)}`]);
  assert.deepEqual(await found(search, 'r'), []);
});

test('word before another one is not searched for as a prefix', async () => {
  const search = open({ one: { reader: 20 }, two: { read: 30 } });
  assert.deepEqual(await found(search, 'read the'), [`two:${value(1, 30)}`]);
  assert.deepEqual(await found(search, 'read zzz'), [`two:${value(1, 30)}`]);
  assert.deepEqual(await found(search, 'read a1 a2 a3 a4 a5 a6 a7 a8'), [`two:${value(1, 30)}`]);
});

test('prefix of no name finds the first 64 longer words of one piece', async () => {
  const table = {};
  for (let i = 0; i < 70; i++) table[`s-${i}`] = { [`worda${String(i).padStart(2, '0')}`]: 20 };
  const plain = skills({ before: { aa: 1 }, ...table }).map((skill) => ({ ...skill, named: [] }));
  const slugs = async (keysInPiece, q) =>
    (await found(new Host(plain, { keysInPiece }).open(), q)).map((hit) => hit.split(':')[0]);
  for (const keysInPiece of [1000, 65]) {
    assert.deepEqual(await slugs(keysInPiece, 'worda'), Object.keys(table).slice(0, 64));
  }
  // The next piece is read only if the first one has no such word: `aa` to `worda08`.
  assert.equal((await slugs(10, 'worda')).length, 9);
  assert.equal((await slugs(1, 'worda')).length, 1);
  assert.equal((await slugs(10, 'worda x')).length, 0);
  // The piece after a word that comes before all keys is the first one.
  assert.deepEqual(await found(open({ one: { 'b-only': 9 } }, { keysInPiece: 1 }), 'aa'), []);
  const first = new Host([{ id: 1, slug: 'one', words: { worda: 20 } }]);
  assert.deepEqual(await found(first.open(), 'wor'), [`one:${value(1, 20, 8)}`]);
});

test('typing error in a word of five code points is corrected to the most frequent word', async () => {
  const search = open({ one: { docker: 20 }, two: { docker: 20, rocket: 5 }, three: { socket: 9 } });
  const right = [`one:${value(2, 20, 8)}`, `two:${value(2, 20, 8)}`];
  // The last two are found only in the piece, because another last letter has another shard.
  for (const typed of ['dcoker', 'dockr', 'dockker', 'dockex', 'docke']) {
    assert.deepEqual(await found(search, `${typed} zz`), right, typed);
  }
  for (const typed of ['dcokre', 'dccer', 'ddocckerr', 'docekrr'])
    assert.deepEqual(await found(search, `${typed} zz`), []);
  // Of words of the same class, the first is taken.
  assert.deepEqual(await found(search, 'focket zz'), [`two:${value(1, 5, 8)}`]);
});

test('words under five code points are not corrected, nor to words under four', async () => {
  const search = open({ one: { read: 20, été: 20 }, two: { Ωmega: 9 } });
  assert.deepEqual(await found(search, 'raed zz'), []);
  assert.deepEqual(await found(search, 'reada zz'), [`one:${value(1, 20, 8)}`]);
});

test('word that is the prefix of others is not corrected', async () => {
  const search = open({ one: { readers: 20 }, two: { reade: 63 } });
  assert.deepEqual(await found(search, 'reader'), [`one:${value(1, 20, 10)}`]);
});

test('found skills have all words that the index has', async () => {
  const search = open({ one: { pdf: 20, read: 10 }, two: { pdf: 63 }, three: { read: 63 } });
  const both = value(2, 20) + value(2, 10);
  assert.deepEqual(await found(search, 'pdf read'), [`one:${both}`]);
  assert.deepEqual(await found(search, 'pdf qqq read'), [`one:${both}`]);
});

test('without a skill that has all words, those with one are found, by the number of words', async () => {
  const search = open({ one: { aa1: 20, bb1: 10 }, two: { cc1: 30 }, three: { bb1: 11, cc1: 12 } });
  const expected = [
    ['one', 2 * (value(1, 20) + value(2, 10))],
    ['three', 2 * (value(2, 11) + value(2, 12))],
    ['two', value(2, 30)],
  ].sort(([, a], [, b]) => b - a);
  assert.deepEqual(
    await found(search, 'aa1 bb1 cc1'),
    expected.map(([slug, score]) => `${slug}:${score}`),
  );
});

test('bigrams are searched for as words', async () => {
  const search = open({ one: { 数据: 20, 据分: 20, 分析: 20 }, two: { 数据: 30 } });
  assert.deepEqual(await found(search, '数据分析'), [`one:${value(2, 20) + 2 * value(1, 20)}`]);
});

/** 6,000 skills. The impact of `many` grows with the id, and every fifth skill has `rare`. */
const crowd = Array.from({ length: 6000 }, (_, i) => ({
  id: 1 + i,
  slug: i % 3 === 0 ? `s-${i}` : i % 3 === 1 ? `big--s-${i}` : `${i < 30 ? 'few' : 'rest'}--s-${i}`,
  words: { many: 1 + Math.floor(i / 100), ...(i % 5 === 0 && { rare: 10 }), ...(i === 0 && { only: 9 }) },
  named: ['many'],
}));

test('only 160 skills of a key are candidates, and a key that is cut off is not required', async () => {
  const host = new Host(crowd);
  const { hits, total } = await host.open().search('many zz', { limit: 100 });
  assert.equal(total, 160);
  assert.deepEqual(hits[0], {
    id: 5901,
    slug: 's-5900'.replace('s-', 'rest--s-'),
    name: 'S 5900',
    score: 60 * idf(6000, 8192),
    exactness: 0,
  });
  assert.equal((await host.open().search('many zz', { page: 2, limit: 100 })).hits.at(-1).id, 5860);
  // The skill that `many` leaves out is still found by its other word.
  assert.deepEqual(await found(host.open(), 'only many'), [`s-0:${value(1, 9, 16, 8192)}`]);
  // `rare` has all its 1,200 postings, so it is required: a fifth of the candidates of `many` have it, and all its own.
  assert.equal((await host.open().search('many rare')).total, 32 + 160);
});

test('namespace filters a short list, and has a key of its own for a long one', async () => {
  const host = new Host(crowd);
  const only = async (q, namespace) => (await host.open().search(q, { namespace, limit: 100 })).hits;
  const few = await only('many zz', 'few');
  assert.deepEqual(
    few.map(({ id }) => id),
    [3, 6, 9, 12, 15, 18, 21, 24, 27, 30],
  );
  // The weight is that of the whole registry.
  assert.equal(few[0].score, idf(6000, 8192));
  assert.deepEqual((await only('man', 'few')).length, 10);
  assert.deepEqual(
    (await only('only', 'global')).map(({ id }) => id),
    [1],
  );
  assert.deepEqual(await only('only', 'big'), []);
  assert.deepEqual(await only('many', 'nobody'), []);
  assert.equal((await host.open().search('many zz', { namespace: 'big' })).total, 160);
  // The key of `few` is complete, so it is required. Two of its ten skills have `rare`.
  assert.deepEqual(
    (await only('many rare', 'few')).map(({ id }) => id),
    [6, 21],
  );
});

test('word without skills in the namespace is still required there', async () => {
  const host = new Host([
    { id: 1, slug: 'one', words: { pdf: 20 } },
    { id: 2, slug: 'team--two', words: { read: 20 } },
  ]);
  assert.deepEqual(await found(host.open(), 'pdf read zz', { namespace: 'team' }), [`team--two:${value(1, 20)}`]);
});

test('query without words is blank', async () => {
  const host = new Host(crowd.slice(0, 3));
  for (const q of ['', '  ', '?!']) {
    assert.deepEqual(await host.open().search(q), { total: 0, page: 1, limit: 20, hits: [], blank: true });
  }
});

test('page after the last one is empty', async () => {
  const host = new Host(crowd.slice(0, 45));
  const ids = async (page, limit) => (await host.open().search('many', { page, limit })).hits.map(({ id }) => id);
  assert.deepEqual(await ids(3, 20), [41, 42, 43, 44, 45]);
  assert.deepEqual(await ids(4, 20), []);
  assert.deepEqual(await ids(Number.MAX_SAFE_INTEGER, 100), []);
});
