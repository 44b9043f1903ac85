// From a query to skills in order, in whole numbers.

import { BEST, bestOf, keyOf, partsOf, pieceOf, readList, wordOf, wordsOf } from './files.js';

const RUN = /[\p{L}\p{M}\p{N}]+/gu;

// The scripts that put no space between words, and the sign for long vowels, which is of none.
const SCRIPTS = 'Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar';
const UNSPACED = SCRIPTS.replace(/(\w+) ?/g, '\\p{sc=$1}') + 'ー';
const STRETCH = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const BIGRAM = new RegExp(`^[${UNSPACED}]`, 'u');

const STOP = new Set(
  `a an and are as at be by can do for from has have how i if in into is it its no not of on or our so that the their
  them then there these they this to us use used uses using was we what when where which who will with you your`.split(
    /\s+/,
  ),
);

// Of a word itself, of names that begin with it or with no word, of others.
const [WHOLE, BEGINNING, UNFINISHED, OTHER] = [16, 6, 10, 8];
const MOST_LONGER = 64;

/** The words of a text, in its order, doubles too. */
export function words(text) {
  const folded = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFKC').toLowerCase();
  // Not letter by letter, a last Σ becomes ς.
  const runs = folded.replace(/ς/g, 'σ').match(RUN) ?? [];
  return runs.flatMap((run) => run.match(STRETCH)).flatMap((stretch) => {
    const points = [...stretch];
    if (!BIGRAM.test(stretch)) return points.slice(0, 40).join('');
    return points.length === 1 ? points : points.slice(1).map((point, i) => points[i] + point);
  });
}

/** All skills that a query finds, best first; null where it has no words. */
export async function find(index, q, namespace) {
  const all = words(q);
  if (!all.length) return null;
  const distinct = [...new Set(all)];
  const telling = distinct.filter((word) => !STOP.has(word));
  const asked = (telling.length ? telling : distinct).slice(0, 8);
  // It may still be being typed.
  const rest = asked.at(-1) === all.at(-1) && all.at(-1);
  const terms = await Promise.all(asked.map((word) => termOf(index, word, word === rest, namespace)));
  const hits = scored(terms, namespace).map(({ card, score }) => {
    // Kept: they are compared with every letter that is typed.
    card.words ??= words(card.name).join(' ');
    const exactness = partsOf(card.slug)[1] === all.join('-') ? 2 : card.words === all.join(' ') ? 1 : 0;
    const popular = Math.floor((score * (index.manifest.classes.get(card.id) ?? 0)) / 128);
    return { id: card.id, slug: card.slug, name: card.name, score: score + popular, exactness };
  });
  return hits.sort((a, b) => b.exactness - a.exactness || b.score - a.score || a.id - b.id);
}

/** A word's lists, and whether all that is found must be in one of them. */
async function termOf(index, word, isRest, namespace) {
  const found = await listsOf(index, word, isRest);
  const lists = await Promise.all(found.map((list) => only(index, list, namespace)));
  return { lists, isBinding: lists.length > 0 && lists.every(({ ids, df }) => ids.length >= df) };
}

/** A long list's part in a namespace, where that has a key of its own. */
async function only(index, list, namespace) {
  if (!namespace || list.df <= BEST) return list;
  const key = (list.key.endsWith('\0') ? `${list.key.slice(0, -1)}\x02` : `${list.key}\x01`) + keyOf(namespace);
  const inside = readList(await index.piece(pieceOf(index.manifest, key)), key);
  return inside ? { ...inside, weight: list.weight } : list;
}

async function listsOf(index, word, isRest) {
  const { manifest } = index;
  const key = keyOf(word);
  const { length } = [...word];
  const number = pieceOf(manifest, key);
  const piece = await index.piece(number);
  const found = [];
  const add = (from, each, factor) => {
    const list = readList(from, each);
    if (list) found.push({ ...list, weight: factor * rarity(manifest.live, list.df) });
  };
  const addLonger = (from) => {
    for (const each of wordsOf(from)) if (each.startsWith(key) && found.length < MOST_LONGER) add(from, each, OTHER);
  };
  add(piece, key, WHOLE);
  if (isRest && length >= 2) {
    add(piece, `${key}\0`, found.length ? BEGINNING : UNFINISHED);
    if (!found.length) {
      addLonger(piece);
      const next = number + 1;
      if (!found.length && manifest.firsts[next]?.startsWith(key)) {
        addLonger(await index.piece(next));
        return found;
      }
    }
  }
  if (!found.length && length >= 5 && !BIGRAM.test(word)) {
    const right = corrected(word, piece, (await index.shard(shardOf(word))) ?? []);
    if (right) add(await index.piece(pieceOf(manifest, right)), right, OTHER);
  }
  return found;
}

function shardOf(word) {
  const points = [...word];
  return (points[0].codePointAt() + 7 * points.at(-1).codePointAt()) % 128;
}

/** The key of the most frequent word that is one typing error away. */
function corrected(word, piece, shard) {
  const { length } = keyOf(word);
  // Lengths in bytes are compared first: decoding takes longer.
  const isNear = (key) => Math.abs(key.length - length) <= 4 && isOneOff([...word], [...wordOf(key)]);
  const own = wordsOf(piece).filter(isNear).map((key) => [key, Math.floor(logarithm(readList(piece, key).df) / 4)]);
  const near = [...own, ...shard.filter(([key]) => isNear(key))];
  return near.sort(([a, often], [b, oftener]) => oftener - often || (a < b ? -1 : 1))[0]?.[0];
}

/** Whether a word of four code points or more is one typing error away. */
function isOneOff(asked, word) {
  const most = Math.min(asked.length, word.length);
  let start = 0;
  while (start < most && asked[start] === word[start]) start++;
  let end = 0;
  while (end < most - start && asked.at(-1 - end) === word.at(-1 - end)) end++;
  const [a, b] = [asked.slice(start, asked.length - end), word.slice(start, word.length - end)];
  const isExchanged = a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
  return word.length >= 4 && (isExchanged || Math.max(a.length, b.length) === 1);
}

/** What is found, before popularity. */
function scored(terms, namespace) {
  const candidates = new Map();
  for (const card of terms.flatMap(({ lists }) => lists.flatMap(bestOf))) {
    const isOutside = namespace && partsOf(card.slug)[0] !== namespace;
    if (!isOutside && !candidates.has(card.id)) candidates.set(card.id, { card, values: terms.map(() => 0) });
  }
  terms.forEach(({ lists }, term) => {
    for (const { ids, impacts, weight } of lists) {
      ids.forEach((id, i) => {
        const values = candidates.get(id)?.values;
        if (values) values[term] = Math.max(values[term], Math.floor((weight * impacts[i]) / 16));
      });
    }
  });
  const all = [...candidates.values()];
  const found = all.filter(({ values }) => terms.every(({ isBinding }, term) => !isBinding || values[term]));
  return (found.length ? found : all).map(({ card, values }) => {
    const sum = values.reduce((a, b) => a + b);
    return { card, score: found.length ? sum : sum * values.filter(Boolean).length };
  });
}

/** How rare a key is, among about as many. */
function rarity(live, df) {
  let size = 16;
  while (size < live) size *= 2;
  return Math.max(1, 4 + logarithm(size) - logarithm(df));
}

/** Four times the binary logarithm, rounded down; a division by a power of two is exact. */
function logarithm(x) {
  let exponent = 0;
  while (2 ** (exponent + 1) <= x) exponent++;
  const mantissa = (x / 2 ** exponent) * 65536;
  return 4 * exponent + [77936, 92682, 110218].filter((step) => mantissa >= step).length;
}
