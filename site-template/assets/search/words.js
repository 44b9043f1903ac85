// The words of a text: docs/search-index.md, "Language".

import language from './language.js';
import { stem } from './stem.js';

const MAX_WORD = 40; // Code points.
const MAX_COMPOUND = 24;

const SAME = { ς: 'σ', '’': "'" };
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const AFTER_APOSTROPHE = /^(d|ll|m|re|s|t|ve)$/;

// Scripts without spaces between words, and the mark of long vowels, which has no script.
const SCRIPTS = 'Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar';
const UNSPACED = SCRIPTS.replace(/(\w+) ?/g, '\\p{sc=$1}') + 'ー';
const PART = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const BIGRAM = new RegExp(`^[${UNSPACED}]`, 'u');

const listed = (lines) => lines.flatMap((line) => line.split(' '));
export const STOP_WORDS = new Set(listed(language.stopWords));
export const COMMON_WORDS = new Set(listed(language.commonWords));
const KEPT = new Set(listed(language.wordsWithParticles));
const PARTICLES = [...listed(language.particles), ...KEPT].sort((a, b) => b.length - a.length);
const PARTICLE = new RegExp(PARTICLES.join('|'), 'g'); // The longest fits first.
const ROOTS = new Map();
export const PHRASES = new Set();
for (const members of language.synonyms.map((group) => group.split(', '))) {
  const root = stem(members[0].replace(' ', ''));
  for (const member of members) {
    const joined = member.replace(' ', '');
    ROOTS.set(stem(joined), root);
    if (joined !== member) PHRASES.add(joined);
  }
}

export { stem };

/** What a word has in common with its other forms and its synonyms. */
export function rootOf(word) {
  return ROOTS.get(stem(word)) ?? stem(word);
}

/** Whether a word is a pair of characters from a text without spaces, or a single one. */
export function isBigram(word) {
  return BIGRAM.test(word);
}

/** A text with a blank in place of each particle, except in words that are not made with it. */
export function withoutParticles(text) {
  return text.replace(PARTICLE, (found) => (KEPT.has(found) ? found : ' '));
}

/**
 * The words of a text in order, with repetitions, each with whether a hyphen or the like stands before it. `table` has
 * the simplified forms of Chinese characters.
 */
export function tokens(text, table) {
  const bare = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFKC').toLowerCase();
  // Lower-casing a whole text turns Σ at the end of a word into ς.
  const unify = (letter) => SAME[letter] ?? table?.simplified.get(letter) ?? letter;
  const folded = bare.replace(/[ς’\u4e00-\u9fff]/g, unify);
  const found = [];
  let end = 0;
  for (const { 0: run, index } of folded.matchAll(RUN)) {
    const between = folded.slice(end, index);
    const isFirst = end === 0;
    end = index + run.length;
    if (!isFirst && between === "'" && AFTER_APOSTROPHE.test(run)) continue;
    const name = withSign(between, run, folded.slice(end, end + 2), isFirst);
    if (name) found.push({ word: name, hyphen: false });
    else found.push(...split(run, !isFirst && /^[-._/]$/.test(between)));
  }
  return found;
}

/** The word for a language whose name has a sign. */
function withSign(between, run, after, isFirst) {
  if (run === 'c' && after === '++') return 'cpp';
  if ((run === 'c' || run === 'f') && after[0] === '#') return `${run}sharp`;
  return run === 'net' && between.endsWith('.') && (isFirst || between.length > 1) && 'dotnet';
}

/** Splits a run of letters and digits where the kind of script changes. */
function split(run, hyphen) {
  if (/^[a-z0-9]*$/.test(run)) return [{ word: run.slice(0, MAX_WORD), hyphen }];
  const words = run.match(PART).flatMap((part) => {
    const points = [...part];
    if (!isBigram(part)) return points.slice(0, MAX_WORD).join('');
    return points.length === 1 ? points : points.slice(1).map((point, i) => points[i] + point);
  });
  return words.map((word) => ({ word, hyphen: false }));
}

/** The words of a text in order, with repetitions. */
export function words(text, table) {
  return tokens(text, table).map(({ word }) => word);
}

/** Two neighbouring words written as one; undefined if they are not written so. */
export function compoundOf(first, second) {
  const isOne = !isBigram(first) && !isBigram(second) && [...first, ...second].length <= MAX_COMPOUND;
  return isOne ? first + second : undefined;
}
