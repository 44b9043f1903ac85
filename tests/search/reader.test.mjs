// Each step of answering a query, computed by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Host, found } from './host.mjs';
import { logarithm } from './writer.mjs';

/** The weight of a word in an index of a size class. */
const idf = (df, size = 16) => Math.max(1, 4 + logarithm(size) - logarithm(df));
const value = (df, impact, factor = 16, size = 16) => Math.floor((idf(df, size) * impact * factor) / 16);
/** The score of a sum of values of a skill that lacks words, given the weights of the words that it has and of all. */
const lacking = (sum, has, all) => Math.floor((sum * has * (all + has)) / (2 * all * all));

/** Skills with ids from 10 on, from a table of slugs and words. */
const skills = (table) =>
  Object.entries(table).map(([slug, words], i) => ({ id: 10 + i, slug, words, named: Object.keys(words) }));

const open = (table, options) => new Host(skills(table), options).open();

test('rarer words and larger impacts give larger scores', async () => {
  const search = open({ one: { pdf: 40, read: 9 }, two: { pdf: 20, read: 9 }, three: { read: 9 } });
  assert.deepEqual(await found(search, 'pdf read'), [
    `one:${value(2, 40) + value(3, 9)}`,
    `two:${value(2, 20) + value(3, 9)}`,
    `three:${lacking(value(3, 9), idf(3), idf(2) + idf(3))}`,
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
    { id: 3, slug: 'team--pdf-tools', name: 'Something', words: { pdf: 2, tools: 2 }, details: ['1.0.0', 'Reads.'] },
  ]);
  const { hits, total, blank, page, limit } = await host.open().search('Pdf tools');
  assert.deepEqual({ total, blank, page, limit }, { total: 3, blank: false, page: 1, limit: 20 });
  const none = { version: undefined, description: undefined, stars: 0, downloads: 0 };
  const details = { ...none, version: '1.0.0', description: 'Reads.' };
  const score = (impact) => 2 * value(3, impact);
  assert.deepEqual(hits, [
    { id: 3, slug: 'team--pdf-tools', name: 'Something', ...details, score: score(2), exactness: 2 },
    { id: 2, slug: 'other', name: 'PDF: Tools!', ...none, score: score(9), exactness: 1 },
    { id: 1, slug: 'big', name: 'Big', ...none, score: score(63), exactness: 0 },
  ]);
  for (const q of ['pdf-tools', '@team/pdf-tools', ' team/PDF-tools']) {
    assert.deepEqual((await host.open().search(q)).hits.map(({ id, exactness }) => [id, exactness])[0], [3, 3], q);
  }
  assert.equal((await host.open().search('team pdf tools')).hits[0].exactness, 2);
});

test('word with the longest key is found', async () => {
  const word = '\u{1e922}'.repeat(40);
  assert.equal((await found(open({ one: { [word]: 20 } }), word)).length, 1);
});

test('name that is not stored is the slug in title case', async () => {
  const { hits } = await open({ 'team--my-3d-x': { x1: 9 } }).search('x1');
  assert.equal(hits[0].name, 'My 3d X');
});

test('popularity adds at most a twentieth to the score', async () => {
  const words = { pdf: 40 };
  const host = new Host([
    { id: 1, slug: 'one', words },
    { id: 2, slug: 'two', words, downloads: 65_536 },
    { id: 300, slug: 'three', words, stars: 4 },
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

test('particles are ignored except in words that are not made with them', async () => {
  const search = open({ one: { 请求: 20 }, two: { 图片: 20, 格式: 20 } });
  assert.equal((await found(search, '请求'))[0], `one:${value(1, 20)}`);
  assert.equal((await found(search, '请帮我图片的格式'))[0], `two:${2 * value(1, 20)}`);
});

test('only the first thirty-two different words are searched for', async () => {
  const search = open({ one: { w1: 10, w32: 20 }, two: { w1: 10, w33: 63 } });
  const many = Array.from({ length: 33 }, (_, i) => `w${i + 1}`).join(' ');
  const all = idf(2) + idf(1);
  assert.deepEqual(await found(search, many), [`one:${value(2, 10) + value(1, 20)}`, `two:${lacking(value(2, 10), idf(2), all)}`]);
});

test('other forms of a word and its synonyms count less than the word', async () => {
  const search = open({ one: { invoice: 20 }, two: { invoices: 20 }, three: { billing: 20 } });
  // The weight is that of the words with the stem.
  assert.deepEqual(await found(search, 'invoices zz'), [
    `two:${value(2, 20)}`,
    `one:${value(2, 20, 11)}`,
    `three:${value(2, 20, 8)}`,
  ]);
  assert.deepEqual(await found(search, 'bills zz'), [
    `three:${value(1, 20, 11)}`,
    `one:${value(1, 20, 8)}`,
    `two:${value(1, 20, 8)}`,
  ]);
});

test('words written apart find the compound', async () => {
  const search = open({ one: { timezone: 20 }, two: { time: 20 } });
  const half = Math.floor(value(1, 20) / 2);
  // `zone` is no word of the index, and counts as much as its part of the compound.
  const all = idf(1) + Math.floor(idf(1) / 2);
  assert.deepEqual(await found(search, 'time zone'), [`one:${2 * half}`, `two:${lacking(value(1, 20), idf(1), all)}`]);
});

test('words of other languages find the English word', async () => {
  const search = open({ one: { password: 20 }, two: { passwort: 20 }, three: { image: 20 }, four: { manage: 20 } });
  const names = async (q) => (await found(search, q)).map((hit) => hit.split(':')[0]).join(' ');
  assert.equal(await names('Passwort'), 'one two');
  assert.equal(await names('contraseñas'), 'one');
  assert.equal(await names('mots de passe'), 'one');
  assert.equal(await names('密碼 圖片'), 'one three');
  assert.equal(await names('パスワード管理'), 'one four');
  assert.equal(await names('Passwortverwaltung'), 'one four');
});

test('word without lists is divided into two', async () => {
  const search = open({ one: { youtube: 20 }, two: { downloads: 20 }, three: { pdf: 20 }, four: { docx: 20 } });
  const names = async (q) => (await found(search, q)).map((hit) => hit.split(':')[0]).join(' ');
  assert.equal(await names('youtubeDownloader'), 'one two');
  assert.equal(await names('docx2pdf'), 'three four');
  assert.equal(await names('youtubexyz'), '');
  assert.equal(await names('pdfdocx zz'), 'three four');
});

test('one of three pairs of characters is no hit', async () => {
  const search = open({ one: { 航海: 20 }, two: { 航海: 20, 海図: 20 } });
  const names = async (q) => (await found(search, q)).map((hit) => hit.split(':')[0]).join(' ');
  assert.equal(await names('航海'), 'one two');
  assert.equal(await names('航海図鑑'), 'two');
  assert.equal(await names('航海図'), 'two one');
});

test('last word is also searched for as a prefix', async () => {
  const search = open({ one: { reader: 20 }, two: { read: 30 } });
  assert.deepEqual(await found(search, 'read'), [`two:${value(1, 30)}`, `one:${value(1, 20, 6)}`]);
  assert.deepEqual(await found(search, 'rea'), [`two:${value(2, 30, 12)}`, `one:${value(2, 20, 12)}`]);
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
  for (const keysInPiece of [1000, 66]) {
    assert.deepEqual(await slugs(keysInPiece, 'worda'), Object.keys(table).slice(0, 64));
  }
  // The next piece is read only if the first one has no such word: a namespace, `aa` and `worda00` to `worda07`.
  assert.equal((await slugs(10, 'worda')).length, 8);
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

test('typing error is corrected to the word whose forms are most frequent together', async () => {
  const skills = { one: { invoice: 9 }, two: { invoicing: 9 }, three: { invoices: 20 }, four: { invokes: 20 } };
  const right = [`three:${value(3, 20, 8)}`, `one:${value(3, 9, 5)}`, `two:${value(3, 9, 5)}`];
  for (const keysInPiece of [1, 99]) {
    const search = open({ ...skills, five: { invokes: 9 } }, { keysInPiece });
    assert.deepEqual(await found(search, 'invoces zz'), right);
  }
});

test('words under five code points are not corrected, nor to words under four', async () => {
  const search = open({ one: { read: 20, été: 20 }, two: { Ωmega: 9 } });
  assert.deepEqual(await found(search, 'raed zz'), []);
  assert.deepEqual(await found(search, 'reada zz'), [`one:${value(1, 20, 8)}`]);
});

test('word that is the prefix of others is not corrected', async () => {
  const search = open({ one: { readers: 20 }, two: { reade: 63 } });
  assert.deepEqual(await found(search, 'reader'), [`one:${value(1, 20, 11)}`]);
});

test('skill that lacks words is ranked lower, by the weight of those that it has', async () => {
  const search = open({ one: { pdf: 20, read: 10 }, two: { pdf: 63 }, three: { read: 30 } });
  const all = 2 * idf(2);
  assert.deepEqual(await found(search, 'pdf qqq read'), [
    `one:${value(2, 20) + value(2, 10)}`,
    `two:${lacking(value(2, 63), idf(2), all)}`,
    `three:${lacking(value(2, 30), idf(2), all)}`,
  ].sort((a, b) => b.split(':')[1] - a.split(':')[1]));
});

test('bigrams are searched for as words', async () => {
  const search = open({ one: { 数据: 20, 据分: 20, 分析: 20 }, two: { 数据: 30 } });
  const all = idf(2) + 2 * idf(1);
  assert.deepEqual(await found(search, '数据分析'), [
    `one:${value(2, 20) + 2 * value(1, 20)}`,
    `two:${lacking(value(2, 30), idf(2), all)}`,
  ]);
});

/** 6,000 skills. The impact of `mass` grows with the id, and every fifth skill has `rare`. */
const crowd = Array.from({ length: 6000 }, (_, i) => ({
  id: 1 + i,
  slug: i % 3 === 0 ? `s-${i}` : i % 3 === 1 ? `big--s-${i}` : `${i < 30 ? 'few' : 'rest'}--s-${i}`,
  words: { mass: 1 + Math.floor(i / 100), ...(i % 5 === 0 && { rare: 10 }), ...(i === 0 && { single: 9 }) },
  named: ['mass'],
}));

test('only 160 skills of a key are candidates', async () => {
  const host = new Host(crowd);
  const { hits, total } = await host.open().search('mass zz', { limit: 100 });
  assert.equal(total, 160);
  assert.equal(hits[0].slug, 'rest--s-5900');
  assert.equal(hits[0].score, 60 * idf(6000, 8192));
  assert.equal((await host.open().search('mass zz', { page: 2, limit: 100 })).hits.at(-1).id, 5860);
  // The skill that `mass` leaves out is still found by its other word, and the candidates of `rare` are others.
  assert.equal((await host.open().search('single mass')).total, 161);
  assert.equal((await host.open().search('mass rare')).total, 160 + 160);
});

test('search says whether more skills match than it ranks', async () => {
  const host = new Host(crowd);
  for (const [q, namespace, isCut] of [
    ['mass zz', undefined, true],
    ['single mass', undefined, true],
    ['rare zz', undefined, true],
    ['single zz', undefined, false],
    ['rare zz', 'few', false],
    // Half of the skills of this word have no posting.
    ['mass zz', 'big', true],
  ]) {
    assert.equal((await host.open().search(q, { namespace })).isCut, isCut, `${q} ${namespace}`);
  }
});

test('namespace has all its skills that have a word', async () => {
  const host = new Host(crowd);
  const only = async (q, namespace) => (await host.open().search(q, { namespace, limit: 100 })).hits;
  // `mass` has postings for half of the skills only.
  assert.deepEqual(await only('mass zz', 'few'), []);
  const rare = await only('rare zz', 'few');
  assert.deepEqual(
    rare.map(({ id }) => id),
    [6, 21],
  );
  // The weight is that of the whole registry.
  assert.equal(rare[0].score, 10 * idf(1200, 8192));
  assert.deepEqual(
    (await only('single', 'global')).map(({ id }) => id),
    [1],
  );
  assert.deepEqual(await only('single', 'big'), []);
  assert.deepEqual(await only('mass', 'nobody'), []);
  // Of a large namespace, a thousand skills have cards; of the others, those that are candidates of a word.
  assert.equal((await host.open().search('mass zz', { namespace: 'big' })).total, 53);
});

test('query without words is blank', async () => {
  const host = new Host(crowd.slice(0, 3));
  for (const q of ['', '  ', '?!']) {
    const nothing = { total: 0, isCut: false, unknown: [], near: 0, also: [], hits: [] };
    assert.deepEqual(await host.open().search(q), { ...nothing, page: 1, limit: 20, blank: true });
  }
});

test('page after the last one is empty', async () => {
  const host = new Host(crowd.slice(0, 45));
  const ids = async (page, limit) => (await host.open().search('mass', { page, limit })).hits.map(({ id }) => id);
  assert.deepEqual(await ids(3, 20), [41, 42, 43, 44, 45]);
  assert.deepEqual(await ids(4, 20), []);
  assert.deepEqual(await ids(Number.MAX_SAFE_INTEGER, 100), []);
});
