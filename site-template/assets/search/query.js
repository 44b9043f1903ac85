// Finds the skills of a query and ranks them, in whole numbers: docs/search-index.md, "Queries".

import { candidatesOf, countersOf, keyOf, partsOf, positionOf, readList, readVector } from './files.js';
import { wordOf, wordsOf } from './files.js';
import { exponentOf, idfOf, log, sizeClassOf } from './logarithm.js';
import { MIN_RESULTS, MIN_SKILLS, meaningOf, neighbourhoodsOf, neighbours, withNearness } from './nearness.js';
import { bigramsOf, byRarity, exactnessOf, parse, saysLittle } from './parse.js';
import { isBigram, rootOf, stem } from './words.js';

// Factors: of the word; of names that start with it, if it is a word of the index or not; of its other forms; of its
// synonyms; of longer words and corrections.
const [EXACT, PREFIX_OF_WORD, UNFINISHED, FOLDED, SYNONYM, SUBSTITUTE] = [16, 6, 12, 11, 8, 8];
const [SHORT, MAX_OF_SHORT, MAX_FILES] = [3, 3, 7]; // Words and translations; files besides the manifest.
const MIN_WORDS_FOR_BODY = 4; // Words from which a query also looks for words of texts.
const MIN_PART = 3; // Code points of the parts of a word without lists.
const MAX_LONGER = 64;
const MIN_CORRECTED = 5; // Code points.

/**
 * All skills that a query finds, best first, unless `isCut`; null if it has no words. `unknown` are the words of the
 * query that no skill has, each with the closest word, which was searched for instead. `near` of the skills were
 * found by meaning alone. `also` are words that were
 * searched for besides those of the query.
 */
export async function find(index, q, namespace) {
  const query = parse(q, await index.tableFor(q));
  if (!query) return null;
  const { searched, open, translated, translations, compounds } = query;
  const isShort = searched.length + translations.length <= SHORT;
  const files = { index, pieces: new Map(), shards: 0, max: isShort ? MAX_OF_SHORT : MAX_FILES };
  await readPieces(files, byRarity(query));
  const terms = [];
  const isOpen = (word) => open && word === searched.at(-1);
  for (const word of searched) {
    const own = await termOf(files, word, { open: isOpen(word), typed: !translated.has(word) });
    const term = searched.length < MIN_WORDS_FOR_BODY ? own : withBody(files, word, own);
    terms.push(saysLittle(query, word) ? lessened(term) : term);
  }
  await readPieces(files, compounds.map(({ text }) => text));
  for (const { text, parts } of compounds) {
    const term = await termOf(files, text, {});
    terms.push({ ...(saysLittle(query, text) ? lessened(term) : term), parts });
  }
  const missing = terms.slice(0, searched.length).filter(({ lists }) => !lists.length);
  for (const { idf, parts } of terms) {
    for (const part of parts.map((at) => terms[at]).filter((term) => missing.includes(term))) {
      part.idf = Math.max(part.idf, Math.floor(idf / parts.length));
    }
  }
  files.max = MAX_FILES;
  for (const [at, word] of searched.entries()) {
    const divided = terms[at].idf === 0 && (await dividedTerms(files, word, isOpen(word)));
    if (divided) [terms[at]] = [divided[0], terms.push(divided[1])];
  }
  const hasNone = (word, { idf, instead }) => instead || (!idf && !isBigram(word) && hasRead(files, word));
  const unknown = searched.map((word, at) => hasNone(word, terms[at]) && { word, instead: terms[at].instead });
  const members = namespace && (await membersOf(index, namespace));
  const found = scored(query, terms, members).map(({ id, card, score }) => {
    return { id, card, score: score + Math.floor((score * classOf(countersOf(index.manifest, id))) / 128) };
  });
  const { skills } = index.manifest;
  const meaning = searched.length > 1 && skills >= MIN_SKILLS ? meaningOf(terms, skills) : undefined;
  const withWords = found.length;
  if (meaning && !namespace && withWords < MIN_RESULTS) {
    const keys = neighbourhoodsOf(meaning, skills);
    await readPositions(files, keys.map((key) => positionOf(index.manifest, key)));
    const pieces = keys.map((key) => files.pieces.get(positionOf(index.manifest, key)));
    found.push(...neighbours(meaning, keys, pieces, found));
  }
  for (const hit of found) hit.exactness = exactnessOf(query, ...partsOf(hit.card.slug), hit.card.storedName);
  const hits = withNearness(meaning, found).map(({ id, card, score, exactness, near }) => {
    const hit = { ...detailed(files, card), ...countersOf(index.manifest, id), score, exactness };
    return near === undefined ? hit : { ...hit, byMeaning: true };
  });
  hits.sort((a, b) => b.exactness - a.exactness || b.score - a.score || a.id - b.id);
  const isCut = (list) => !list.isBody && list.df > (members ? list.ids : candidatesOf(list)).length;
  return {
    hits,
    isCut: terms.flatMap(({ lists }) => lists).some(isCut),
    unknown: unknown.filter(Boolean),
    near: found.length - withWords,
    also: [...translations.map(({ text }) => text), ...terms.flatMap(({ instead }) => instead ?? [])],
  };
}

function readPieces(files, words) {
  return readPositions(files, words.map((word) => positionOf(files.index.manifest, keyOf(rootOf(word)))));
}

/** Reads the pieces at these positions at once, as far as the query may. */
async function readPositions(files, positions) {
  const chosen = new Set();
  for (const position of positions) {
    if (!files.pieces.has(position) && chosen.size < roomOf(files)) chosen.add(position);
  }
  await Promise.all([...chosen].map((position) => pieceAt(files, position)));
}

async function pieceAt(files, position) {
  if (!files.pieces.has(position)) files.pieces.set(position, await files.index.piece(position));
  return files.pieces.get(position);
}

const hasRead = ({ index, pieces }, word) => pieces.has(positionOf(index.manifest, keyOf(rootOf(word))));
const roomLeft = ({ pieces, shards }, max) => max - pieces.size - shards;
const roomOf = (files) => roomLeft(files, files.max);

/** The lists of a word or compound, if its piece was read, and the largest `idf` of them. */
async function termOf(files, word, { open, typed }) {
  const { manifest } = files.index;
  const { length } = [...word];
  const position = positionOf(manifest, keyOf(rootOf(word)));
  if (!files.pieces.has(position)) return weighed([]);
  const isOpen = open && length >= 2;
  let instead;
  let lists = groupOf(manifest, files.pieces.get(position), word, isOpen, EXACT);
  let vector = readVector(files.pieces.get(position), keyOf(rootOf(word)));
  if (isOpen && !lists.length) lists = await longerWords(files, word, position);
  if (typed && length >= MIN_CORRECTED && !isBigram(word) && !lists.length && roomLeft(files, MAX_FILES) >= 2) {
    instead = await correctionOf(files, word, position);
    if (instead) {
      const piece = await pieceAt(files, positionOf(manifest, keyOf(rootOf(instead))));
      lists = groupOf(manifest, piece, instead, false, SUBSTITUTE);
      vector = readVector(piece, keyOf(rootOf(instead)));
    }
  }
  return { ...weighed(lists), vector, instead };
}

/** A term with the lists of the skills whose text has its word, if the piece was read. They make no candidates. */
function withBody({ index: { manifest }, pieces }, word, term) {
  const piece = pieces.get(positionOf(manifest, keyOf(rootOf(word))));
  const body = groupOf(manifest, piece, word, false, EXACT, '\x02').map((list) => ({ ...list, isBody: true }));
  return { ...term, lists: [...term.lists, ...body], idf: term.idf || weighed(body).idf };
}

/** The terms of the two words of a word without lists: around a 2 or 4, or the longest first word with a second one. */
async function dividedTerms(files, word, open) {
  const points = [...word];
  const pairs = [word.match(/^([a-z]{2,}?)[24]([a-z]{2,})$/)?.slice(1)];
  for (let at = isBigram(word) ? 0 : points.length - MIN_PART; at >= MIN_PART; at--) {
    pairs.push([points.slice(0, at).join(''), points.slice(at).join('')]);
  }
  for (const [first, second] of pairs.filter(Boolean)) {
    await readPieces(files, [first]);
    const term = await termOf(files, first, {});
    if (!term.lists.length) continue;
    await readPieces(files, [second]);
    const other = await termOf(files, second, { open });
    if (other.lists.length) return [term, other];
  }
  return undefined;
}

/** The term of a word that says little. */
function lessened({ lists, idf, ...rest }) {
  const less = (value) => value - Math.floor(value / 4);
  return { ...rest, lists: lists.map((list) => ({ ...list, weight: less(list.weight) })), idf: less(idf) };
}

function weighed(lists) {
  return { lists, idf: lists.reduce((most, list) => Math.max(most, list.idf), 0), parts: [] };
}

/** The lists of a word, its other forms and its synonyms. */
function groupOf({ skills }, piece, word, isOpen, exact, separator = '\0') {
  const root = keyOf(rootOf(word));
  const ofWord = stem(word);
  const forms = wordsOf(piece, root + separator, separator).map(({ key, word: form }) => {
    const isFolded = stem(wordOf(form)) === ofWord;
    const factor = form === keyOf(word) ? exact : Math.floor(((isFolded ? FOLDED : SYNONYM) * exact) / EXACT);
    return { ...readList(piece, key), isFolded, factor };
  });
  const own = forms.filter(({ isFolded }) => isFolded);
  const df = (own.length ? own : forms).reduce((sum, list) => sum + list.df, 0);
  const lists = forms.map((list) => weighted(skills, list, Math.min(df, sizeClassOf(skills)), list.factor));
  const prefix = isOpen && readList(piece, `${root}\x01${keyOf(word)}`);
  if (prefix) lists.push(weighted(skills, prefix, prefix.df, lists.length ? PREFIX_OF_WORD : UNFINISHED));
  return lists;
}

function weighted(skills, list, df, factor) {
  const idf = idfOf(skills, df);
  return { ...list, idf, weight: idf * factor };
}

/** The lists of the words that begin with a word, in its piece, else in the next. */
async function longerWords(files, word, position) {
  const { manifest } = files.index;
  const key = keyOf(word);
  for (const at of [position, position + 1]) {
    if (!files.pieces.has(at) && roomOf(files) <= 0) return [];
    const piece = await pieceAt(files, at);
    const longer = wordsOf(piece).filter((each) => each.word.startsWith(key)).slice(0, MAX_LONGER);
    if (longer.length || !manifest.firsts[at + 1]?.startsWith(key)) {
      return longer.map((each) => {
        const list = readList(piece, each.key);
        return weighted(manifest.skills, list, list.df, SUBSTITUTE);
      });
    }
  }
  return [];
}

/** The word one typing error away with the most frequent forms. */
async function correctionOf(files, word, position) {
  const points = [...word];
  const shard = await files.index.shard((points[0].codePointAt() + 7 * points.at(-1).codePointAt()) % 128);
  if (shard) files.shards++;
  const piece = files.pieces.get(position);
  const { length } = keyOf(word);
  // Comparing lengths first saves decoding.
  const isNear = ([key]) => Math.abs(key.length - length) <= 4 && isOneErrorAway(points, [...wordOf(key)]);
  const own = wordsOf(piece).map(({ key, word: other }) => [other, key]).filter(isNear);
  const near = own.map(([other, key]) => {
    const forms = wordsOf(piece, key.slice(0, -other.length)).map((each) => readList(piece, each.key));
    return [other, Math.floor(log(forms.reduce((sum, list) => sum + list.df, 0)) / 4)];
  });
  near.push(...(shard ?? []).filter(isNear));
  const [best] = near.sort(([a, classA], [b, classB]) => classB - classA || (a < b ? -1 : 1));
  return best && wordOf(best[0]);
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

/** The ids of a namespace, and the cards in its piece. */
async function membersOf(index, namespace) {
  const key = `@${namespace}`;
  const piece = await index.piece(positionOf(index.manifest, key));
  return { ids: new Set(readList(piece, key)?.ids), cards: piece?.cards };
}

/** The candidates with their scores before popularity. */
function scored(query, terms, members) {
  const candidates = new Map();
  for (const list of terms.flatMap(({ lists }) => lists.filter(({ isBody }) => !isBody))) {
    const ids = members ? list.ids.filter((id) => members.ids.has(id)) : candidatesOf(list);
    for (const id of ids) {
      const card = list.cards.get(id) ?? members?.cards.get(id);
      if (card && !candidates.has(id)) candidates.set(id, { id, card, values: terms.map(() => 0) });
    }
  }
  terms.forEach(({ lists }, term) => {
    for (const { ids, impacts, weight } of lists) {
      ids.forEach((id, i) => {
        const values = candidates.get(id)?.values;
        if (values) values[term] = Math.max(values[term], Math.floor((weight * impacts[i]) / 16));
      });
    }
  });
  const all = terms.reduce((sum, { idf, parts }) => sum + (parts.length ? 0 : idf), 0);
  const bigrams = bigramsOf(query);
  return [...candidates.values()].flatMap(({ id, card, values }) => {
    divideCompounds(terms, values);
    for (const run of bigrams) {
      if (run.filter((at) => values[at]).length === 1) run.forEach((at) => (values[at] = 0));
    }
    if (bigrams.length && values.every((value) => !value)) return [];
    const sum = values.reduce((a, b) => a + b, 0);
    const matched = terms.reduce((total, { idf }, i) => total + (values[i] ? idf : 0), 0);
    return { id, card, score: Math.floor((sum * matched * (all + matched)) / Math.max(2 * all * all, 1)) };
  });
}

/** Divides the value of a compound among its parts, if it is larger than theirs. */
function divideCompounds(terms, values) {
  terms.forEach(({ parts }, i) => {
    if (!parts.length) return;
    const value = values[i];
    values[i] = 0;
    if (value <= parts.reduce((sum, part) => sum + values[part], 0)) return;
    for (const part of parts) values[part] = Math.max(values[part], Math.floor(value / parts.length));
  });
}

/** The card of a skill, with details if any piece that was read has them. */
function detailed({ pieces }, card) {
  const cards = [card, ...[...pieces.values()].map((piece) => piece?.cards.get(card.id))];
  const { id, slug, name, version, description } = cards.find((each) => each?.version) ?? card;
  return { id, slug, name, version, description };
}

function classOf({ stars = 0, downloads = 0 } = {}) {
  const most = Math.max(exponentOf(Math.floor(stars / 2)), Math.floor(exponentOf(Math.floor(downloads / 4)) / 2));
  return Math.min(most, 7);
}
