// Finds the skills of a query and ranks them, in whole numbers.

import { MAX_CANDIDATES, candidatesOf, keyOf, partsOf, positionOf, readList, wordOf, wordsOf } from './files.js';

const RUN = /[\p{L}\p{M}\p{N}]+/gu;

// Scripts without spaces between words, and the mark of long vowels, which has no script.
const SCRIPTS = 'Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar';
const UNSPACED = SCRIPTS.replace(/(\w+) ?/g, '\\p{sc=$1}') + 'ー';
const PART = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const BIGRAM = new RegExp(`^[${UNSPACED}]`, 'u');

const STOP_WORDS = new Set(
  `a an and are as at be by can do for from has have how i if in into is it its no not of on or our so that the their
  them then there these they this to us use used uses using was we what when where which who will with you your`.split(
    /\s+/,
  ),
);

// Factors of lists: of the word; of names that start with it, if it is a word of the index or not; of other words.
const [EXACT, PREFIX_OF_WORD, UNFINISHED, SUBSTITUTE] = [16, 6, 10, 8];
const MAX_LONGER = 64;

/** The words of a text in order, with repetitions. */
export function words(text) {
  const folded = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFKC').toLowerCase();
  // Lower-casing a whole text turns Σ at the end of a word into ς.
  const runs = folded.replace(/ς/g, 'σ').match(RUN) ?? [];
  return runs.flatMap((run) => run.match(PART)).flatMap((part) => {
    const points = [...part];
    if (!BIGRAM.test(part)) return points.slice(0, 40).join('');
    return points.length === 1 ? points : points.slice(1).map((point, i) => points[i] + point);
  });
}

/** All skills that a query finds, best first; null if it has no words. */
export async function find(index, q, namespace) {
  const all = words(q);
  if (!all.length) return null;
  const distinct = [...new Set(all)];
  const telling = distinct.filter((word) => !STOP_WORDS.has(word));
  const searched = (telling.length ? telling : distinct).slice(0, 8);
  // The last word may still be being typed.
  const open = searched.at(-1) === all.at(-1) && all.at(-1);
  const terms = await Promise.all(searched.map((word) => termOf(index, word, word === open, namespace)));
  const hits = scored(terms, namespace).map(({ card, score }) => {
    // Cached: cards are compared again with every typed letter.
    card.words ??= words(card.name).join(' ');
    const exactness = partsOf(card.slug)[1] === all.join('-') ? 2 : card.words === all.join(' ') ? 1 : 0;
    const popular = Math.floor((score * (index.manifest.popularity.get(card.id) ?? 0)) / 128);
    return { id: card.id, slug: card.slug, name: card.name, score: score + popular, exactness };
  });
  return hits.sort((a, b) => b.exactness - a.exactness || b.score - a.score || a.id - b.id);
}

/** The lists of a word, and whether skills must be in one. */
async function termOf(index, word, isOpen, namespace) {
  const found = await listsOf(index, word, isOpen);
  const lists = await Promise.all(found.map((list) => inNamespace(index, list, namespace)));
  return { lists, isRequired: lists.length > 0 && lists.every(({ ids, df }) => ids.length >= df) };
}

/** The part of a long list in a namespace, if the index has its key. */
async function inNamespace(index, list, namespace) {
  if (!namespace || list.df <= MAX_CANDIDATES) return list;
  const key = (list.key.endsWith('\0') ? `${list.key.slice(0, -1)}\x02` : `${list.key}\x01`) + keyOf(namespace);
  const inside = readList(await index.piece(positionOf(index.manifest, key)), key);
  return inside ? { ...inside, weight: list.weight } : list;
}

async function listsOf(index, word, isOpen) {
  const { manifest } = index;
  const key = keyOf(word);
  const { length } = [...word];
  const position = positionOf(manifest, key);
  const piece = await index.piece(position);
  const found = [];
  const add = (from, each, factor) => {
    const list = readList(from, each);
    if (list) found.push({ ...list, weight: factor * idf(manifest.skills, list.df) });
  };
  const addLonger = (from) => {
    const longer = wordsOf(from).filter((each) => each.startsWith(key));
    for (const each of longer.slice(0, MAX_LONGER)) add(from, each, SUBSTITUTE);
  };
  add(piece, key, EXACT);
  if (isOpen && length >= 2) {
    add(piece, `${key}\0`, found.length ? PREFIX_OF_WORD : UNFINISHED);
    if (!found.length) {
      addLonger(piece);
      const next = position + 1;
      if (!found.length && manifest.firsts[next]?.startsWith(key)) {
        addLonger(await index.piece(next));
        return found;
      }
    }
  }
  if (!found.length && length >= 5 && !BIGRAM.test(word)) {
    const corrected = correction(word, piece, (await index.shard(shardOf(word))) ?? []);
    if (corrected) add(await index.piece(positionOf(manifest, corrected)), corrected, SUBSTITUTE);
  }
  return found;
}

function shardOf(word) {
  const points = [...word];
  return (points[0].codePointAt() + 7 * points.at(-1).codePointAt()) % 128;
}

/** The key of the most frequent word that is one typing error away. */
function correction(word, piece, shard) {
  const { length } = keyOf(word);
  // Comparing lengths first saves decoding.
  const isNear = (key) => Math.abs(key.length - length) <= 4 && isOneErrorAway([...word], [...wordOf(key)]);
  const own = wordsOf(piece).filter(isNear).map((key) => [key, Math.floor(log(readList(piece, key).df) / 4)]);
  const near = [...own, ...shard.filter(([key]) => isNear(key))];
  return near.sort(([a, classA], [b, classB]) => classB - classA || (a < b ? -1 : 1))[0]?.[0];
}

/** Whether a word of four code points or more is one typing error away. */
function isOneErrorAway(asked, word) {
  const most = Math.min(asked.length, word.length);
  let start = 0;
  while (start < most && asked[start] === word[start]) start++;
  let end = 0;
  while (end < most - start && asked.at(-1 - end) === word.at(-1 - end)) end++;
  const [a, b] = [asked.slice(start, asked.length - end), word.slice(start, word.length - end)];
  const isExchanged = a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
  return word.length >= 4 && (isExchanged || Math.max(a.length, b.length) === 1);
}

/** The found skills with their scores before popularity. */
function scored(terms, namespace) {
  const candidates = new Map();
  for (const card of terms.flatMap(({ lists }) => lists.flatMap(candidatesOf))) {
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
  const found = all.filter(({ values }) => terms.every(({ isRequired }, term) => !isRequired || values[term]));
  return (found.length ? found : all).map(({ card, values }) => {
    const sum = values.reduce((a, b) => a + b);
    return { card, score: found.length ? sum : sum * values.filter(Boolean).length };
  });
}

/** The weight of a key that `df` of the skills have. */
function idf(skills, df) {
  let sizeClass = 16;
  while (sizeClass < skills) sizeClass *= 2;
  return Math.max(1, 4 + log(sizeClass) - log(df));
}

/** Four times the binary logarithm, rounded down. Divisions by powers of two are exact. */
function log(x) {
  let exponent = 0;
  while (2 ** (exponent + 1) <= x) exponent++;
  const mantissa = (x / 2 ** exponent) * 65536;
  return 4 * exponent + [77936, 92682, 110218].filter((root) => mantissa >= root).length;
}
