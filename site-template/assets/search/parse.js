// What a query asks for: docs/search-index.md, "Queries".

import { COMMON_WORDS, PHRASES, STOP_WORDS, compoundOf, tokens, withoutParticles, words } from './words.js';

const MAX_WORDS = 32;

/** The words and compounds of a query; null if it has no words. */
export function parse(q) {
  const all = words(q);
  if (!all.length) return null;
  const stripped = tokens(withoutParticles(q));
  const found = stripped.length ? stripped : tokens(q);
  const says = ({ word }) => !STOP_WORDS.has(word) && !/^[\u3041-\u309f]+$/.test(word);
  const telling = found.some(says) ? found.filter(says) : found;
  const searched = [...new Set(telling.map(({ word }) => word))].slice(0, MAX_WORDS);
  const text = q.trim().toLowerCase().replace(/^@/, '');
  return { text, all, searched, open: searched.at(-1) === all.at(-1), compounds: compoundsOf(found, searched) };
}

function compoundsOf(found, searched) {
  const compounds = [];
  found.slice(1).forEach(({ word, hyphen }, i) => {
    const text = compoundOf(found[i].word, word);
    const parts = [found[i].word, word].map((part) => searched.indexOf(part)).filter((at) => at >= 0);
    const isOne = text && (parts.length === 2 || hyphen || PHRASES.has(text));
    const isKnown = searched.includes(text) || compounds.some((known) => known.text === text);
    if (isOne && !isKnown && compounds.length < MAX_WORDS) compounds.push({ text, parts });
  });
  return compounds;
}

/** The words, likely rare ones first. */
export function byRarity({ searched }) {
  const isCommon = (word) => COMMON_WORDS.has(word);
  return [...searched.filter((word) => !isCommon(word)), ...searched.filter(isCommon)];
}

/** How exactly a query is the slug or the name of a skill, 0 to 3. */
export function exactnessOf({ text, all }, namespace, slug, name) {
  if (text === slug || text === `${namespace}/${slug}`) return 3;
  const asked = all.join(' ');
  const has = (other) => words(other).join(' ') === asked;
  if (has(slug) || has(`${namespace} ${slug}`)) return 2;
  return name && has(name) ? 1 : 0;
}
