// What a query asks for: docs/search-index.md, "Queries".

import { COMMON_WORDS, PHRASES, STOP_WORDS } from './words.js';
import { compoundOf, isBigram, tokens, withoutParticles, words } from './words.js';

const MAX_WORDS = 32;
const LINKS = ['', 's', 'n', 'en']; // Between the two words of a German compound.

/** Translations by their first words, and simplified forms of characters, from the lists of some files. */
export function tableOf(files) {
  const listed = (name) => files.flatMap((file) => file[name] ?? []);
  const letters = (name) => [...listed(name).join('')];
  const forms = letters('simplified');
  const simplified = new Map(letters('traditional').map((letter, i) => [letter, forms[i]]));
  const table = { simplified, entries: new Map() };
  for (const entry of listed('translations').flatMap((line) => line.split('; '))) {
    const [english, others] = entry.split(': ');
    for (const [first, ...rest] of others.split(', ').map((other) => words(other, table))) {
      if (!table.entries.has(first)) table.entries.set(first, []);
      table.entries.get(first).push({ english, rest });
    }
  }
  return table;
}

/** The words and compounds of a query; null if it has no words. Without `table` nothing is translated. */
export function parse(q, table) {
  const all = words(q, table);
  if (!all.length) return null;
  const stripped = tokens(withoutParticles(q), table);
  const found = stripped.length ? stripped : tokens(q, table);
  const says = ({ word }) => !STOP_WORDS.has(word) && !/^[\u3041-\u309f]+$/.test(word);
  const telling = found.some(says) ? found.filter(says) : found;
  const searched = [...new Set(telling.map(({ word }) => word))].slice(0, MAX_WORDS);
  const text = q.trim().toLowerCase().replace(/^@/, '');
  const translations = table ? translationsOf(found, searched, table.entries) : [];
  const translated = new Set(translations.flatMap(({ parts }) => parts.map((part) => searched[part])));
  const compounds = compoundsOf(found, searched, translations);
  return { text, all, searched, open: searched.at(-1) === all.at(-1), translated, translations, compounds, table };
}

/** The translations of the longest entries, as compounds. Each word stands for one part, the last for all others. */
function translationsOf(found, searched, entries) {
  const translations = [];
  for (let at = 0, length; at < found.length; at += length) {
    const { word } = found[at];
    const fits = ({ rest }) => rest.every((other, i) => found[at + 1 + i]?.word === other);
    const fitting = (entries.get(word) ?? []).filter(fits);
    length = 1 + Math.max(0, ...fitting.map(({ rest }) => rest.length));
    const longest = fitting.filter(({ rest }) => rest.length + 1 === length).map(({ english }) => english);
    const parts = found.slice(at, at + length).map((each) => searched.indexOf(each.word)).filter((part) => part >= 0);
    const isCompound = !longest.length && /^[a-z0-9]+$/.test(word);
    for (const english of isCompound ? translationsOfCompound(word, entries) : longest) {
      const texts = english.split(' ');
      texts.forEach((text, i) => {
        const first = Math.min(i, parts.length - 1);
        const isKnown = searched.includes(text) || translations.some((known) => known.text === text);
        if (!parts.length || isKnown || translations.length >= MAX_WORDS) return;
        translations.push({ text, parts: parts.slice(first, i + 1 === texts.length ? undefined : first + 1) });
      });
    }
  }
  return translations;
}

/** The translations of the two words that a German compound is made of. */
function translationsOfCompound(word, entries) {
  const single = (part) => (entries.get(part) ?? []).filter(({ rest }) => !rest.length).map(({ english }) => english);
  for (let at = 4; at < word.length - 3; at++) {
    const start = word.slice(0, at);
    const heads = LINKS.filter((link) => start.endsWith(link)).map((link) => single(start.slice(0, at - link.length)));
    const [head, tail] = [heads.find((each) => each.length), single(word.slice(at))];
    if (head && tail.length) return [...head, ...tail];
  }
  return [];
}

function compoundsOf(found, searched, translations) {
  const compounds = [...translations];
  found.slice(1).forEach(({ word, hyphen }, i) => {
    const text = compoundOf(found[i].word, word);
    const parts = [found[i].word, word].map((part) => searched.indexOf(part)).filter((at) => at >= 0);
    const isOne = text && (parts.length === 2 || hyphen || PHRASES.has(text));
    const isKnown = searched.includes(text) || compounds.some((known) => known.text === text);
    if (isOne && !isKnown && compounds.length < MAX_WORDS) compounds.push({ text, parts });
  });
  return compounds;
}

/** The words and translations, first those that are likely to be rare, and to be in the index. */
export function byRarity({ searched, translated, translations }) {
  const placeOf = (word) => (translated.has(word) ? 4 : COMMON_WORDS.has(word) ? 3 : isBigram(word) ? 2 : 0);
  const all = searched.map((word) => [placeOf(word), word]);
  all.push(...translations.map(({ text }) => [1, text]));
  return all.sort(([a], [b]) => a - b).map(([, word]) => word);
}

/** Whether a word says little, because many names have it and another word of the query says more. */
export function saysLittle({ searched }, word) {
  return COMMON_WORDS.has(word) && !searched.every((each) => COMMON_WORDS.has(each));
}

/** The positions of bigrams from one text without spaces, three or more that are not translated. */
export function bigramsOf({ searched, translated }) {
  const runs = [];
  const isSingle = (word) => word !== undefined && isBigram(word) && !translated.has(word);
  searched.forEach((word, at) => {
    const before = searched[at - 1];
    const isNext = isSingle(word) && isSingle(before) && [...before][1] === [...word][0];
    if (isNext) runs.at(-1).push(at);
    else runs.push([at]);
  });
  return runs.filter((run) => run.length > 2);
}

/** How exactly a query is the slug or the name of a skill, 0 to 3. */
export function exactnessOf({ text, all, table }, namespace, slug, name) {
  if (text === slug || text === `${namespace}/${slug}`) return 3;
  const asked = all.join('');
  const has = (other) => words(other, table).join('') === asked;
  if (has(slug) || has(`${namespace} ${slug}`)) return 2;
  return name && has(name) ? 1 : 0;
}
