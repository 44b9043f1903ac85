// A small writer of the search index for tests of readers, made from the specification alone. Its input has the words of
// each skill with their impacts, because these are up to the writer.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { rootOf } from '../../site-template/assets/search/words.js';

const MAX_POSTINGS = 3000;
const MAX_PREFIX_POSTINGS = 1500;
const MAX_CANDIDATES = 160;
const MAX_IN_NAMESPACE = 1000;
const NO_SHARD = new Uint8Array(8);

/**
 * @typedef {object} Skill
 * @property {number} id
 * @property {string} slug canonical
 * @property {string} [name] if it is not the slug in title case
 * @property {Record<string, number>} words impact of each
 * @property {string[]} [named] the words that are also found by their prefixes
 * @property {number} [downloads]
 * @property {number} [stars]
 * @property {[string, string]} [details] version and description on its cards
 */

/** Four times the binary logarithm, rounded down, by counting instead of dividing. */
export function logarithm(x) {
  let exponent = 0;
  for (let power = 2n; power <= BigInt(x); power *= 2n) exponent++;
  const mantissa = (BigInt(x) * 65536n) / 2n ** BigInt(exponent);
  return 4 * exponent + (mantissa >= 77936n) + (mantissa >= 92682n) + (mantissa >= 110218n);
}

/** The keys of an index in order: each as hexadecimal digits, with its df, candidates and postings by id. */
export function keysOf(skills) {
  const impacts = new Map();
  const put = (key, { id }, impact) => {
    const hex = Buffer.from(key).toString('hex');
    if (!impacts.has(hex)) impacts.set(hex, new Map());
    const postings = impacts.get(hex);
    postings.set(id, Math.max(impact, postings.get(id) ?? 0));
  };
  for (const skill of skills) {
    for (const [word, impact] of Object.entries(skill.words)) put(`${rootOf(word)}\0${word}`, skill, impact);
    for (const word of skill.named ?? []) {
      const points = [...word];
      for (let length = 2; points.length >= 3 && length <= 7 && length < points.length; length++) {
        const prefix = points.slice(0, length).join('');
        put(`${rootOf(prefix)}\x01${prefix}`, skill, skill.words[word]);
      }
    }
  }
  for (const skill of skills) put(`@${namespaceOf(skill)}`, skill, 1);
  const keys = [...impacts].map(([hex, postings]) => {
    const isPrefix = Buffer.from(hex, 'hex').includes(1);
    const most = hex.startsWith('40') ? MAX_IN_NAMESPACE : MAX_CANDIDATES;
    const ranked = [...postings].sort(([a, x], [b, y]) => y - x || a - b);
    const kept = ranked.slice(0, isPrefix ? MAX_PREFIX_POSTINGS : MAX_POSTINGS);
    return {
      hex,
      df: postings.size,
      candidates: kept.slice(0, most).map(([id]) => id),
      postings: kept.sort(([a], [b]) => a - b),
    };
  });
  return keys.sort((a, b) => Buffer.from(a.hex, 'hex').compare(Buffer.from(b.hex, 'hex')));
}

/** The group of a key, as hexadecimal digits. */
function groupOf(hex) {
  return Buffer.from(Buffer.from(hex, 'hex').toString('latin1').split(/[\0-\x03]/, 1)[0], 'latin1').toString('hex');
}

/**
 * The files of an index, by name.
 * @param {Skill[]} skills
 * @param {{ keysInPiece?: number, live?: number }} [options] the least number of keys in every piece except the last
 * @returns {Map<string, Buffer>}
 */
export function write(skills, { keysInPiece = 50, live = skills.length } = {}) {
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const files = new Map();
  const put = (content) => {
    const bytes = gzipSync(content);
    const digest = createHash('sha256').update(bytes).digest().subarray(0, 8);
    files.set(`${digest.toString('hex')}.bin`, bytes);
    return digest;
  };
  const groups = [[]];
  for (const key of keysOf(skills)) {
    const last = groups.at(-1);
    // The keys of a group stay in one piece.
    if (last.length >= keysInPiece && groupOf(key.hex) !== groupOf(last.at(-1).hex)) groups.push([key]);
    else last.push(key);
  }
  const pieces = groups
    .filter((group) => group.length > 0)
    .map((group) => ({ first: groupOf(group[0].hex), digest: put(piece(group, byId)) }));
  const shards = Array.from({ length: 128 }, () => []);
  const dfOfGroup = new Map();
  const words = keysOf(skills).filter(({ hex }) => Buffer.from(hex, 'hex').includes(0));
  for (const { hex, df } of words) dfOfGroup.set(groupOf(hex), (dfOfGroup.get(groupOf(hex)) ?? 0) + df);
  for (const { hex } of words) {
    const [, word] = Buffer.from(hex, 'hex').toString().split('\0');
    const points = [...word];
    if (points.length < 4) continue;
    shards[(points[0].codePointAt(0) + 7 * points.at(-1).codePointAt(0)) % 128].push([
      Buffer.from(word).toString('hex'),
      Math.floor(logarithm(dfOfGroup.get(groupOf(hex))) / 4),
    ]);
  }
  const popular = skills.filter(({ downloads, stars }) => downloads || stars).sort((a, b) => a.id - b.id);
  const firsts = frontCoded(pieces.map(({ first }) => first));
  files.set(
    'manifest.bin',
    Buffer.concat([
      Buffer.from('SKSI\x05'),
      varint(live),
      varint(popular.length),
      ...popular.flatMap(({ id, downloads = 0, stars = 0 }, i) => [
        varint(id - (popular[i - 1]?.id ?? 0)),
        varint(stars),
        varint(downloads),
      ]),
      ...shards.map((words) => (words.length > 0 ? put(shard(words.sort(([a], [b]) => (a < b ? -1 : 1)))) : NO_SHARD)),
      varint(pieces.length),
      ...pieces.flatMap(({ digest }, i) => [firsts[i], digest]),
    ]),
  );
  return files;
}

function piece(keys, byId) {
  const carded = [...new Set(keys.flatMap(({ candidates }) => candidates))].sort((a, b) => a - b);
  const names = frontCoded(keys.map(({ hex }) => hex));
  return Buffer.concat([
    varint(carded.length),
    ...carded.flatMap((id, i) => {
      const { slug, name, meaning, details } = byId.get(id);
      const start = [varint(id - (carded[i - 1] ?? 0)), text(slug), text(name ?? ''), meaning ?? Buffer.alloc(8)];
      return [...start, ...(details ?? ['']).map(text)];
    }),
    varint(keys.length),
    ...keys.flatMap(({ df, postings }, i) => {
      const body = Buffer.concat([
        varint(df),
        varint(postings.length),
        ...postings.map(([id, impact], j) => varint((id - (postings[j - 1]?.[0] ?? 0)) * 64 + impact)),
      ]);
      return [names[i], varint(body.length), body];
    }),
  ]);
}

function shard(words) {
  const names = frontCoded(words.map(([hex]) => hex));
  return Buffer.concat(words.flatMap(([, level], i) => [names[i], Buffer.of(level)]));
}

function frontCoded(all) {
  let before = Buffer.alloc(0);
  return all.map((hex) => {
    const key = Buffer.from(hex, 'hex');
    let shared = 0;
    while (shared < before.length && before[shared] === key[shared]) shared++;
    before = key;
    return Buffer.concat([varint(shared), text(key.subarray(shared))]);
  });
}

function namespaceOf({ slug }) {
  return slug.includes('--') ? slug.split('--')[0] : 'global';
}

function text(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** An unsigned number in LEB128. */
export function varint(number) {
  const bytes = [];
  let left = BigInt(number);
  do {
    bytes.push(Number(left & 127n) | (left > 127n ? 128 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}
