// Which parts of a text a query asks for.

import { parse } from './search/parse.js';
import { isBigram, rootOf, words } from './search/words.js';

const RUN = /([\p{L}\p{M}\p{N}]+)/u;

/**
 * Returns a function that cuts a text into parts, each with whether it is to be marked: words of the query, their
 * other forms and synonyms, and words that begin as the last word does, if it may be unfinished.
 */
export function marksFor(q) {
  const { searched = [], open = false } = parse(q) ?? {};
  const roots = new Set(searched.map(rootOf));
  const start = open ? searched.at(-1) : undefined;
  const isAsked = (word) => roots.has(rootOf(word)) || (start?.length > 1 && word.startsWith(start));
  const pairs = searched.filter(isBigram);
  const unspaced = pairs.length ? new RegExp(`(${pairs.join('|')})`, 'u') : undefined;
  // `split` puts what a group has matched at the odd places.
  const mark = (run) => {
    if (!isBigram(run)) return [[run, words(run).some(isAsked)]];
    return unspaced ? run.split(unspaced).map((part, i) => [part, i % 2 === 1]) : [[run, false]];
  };
  return (text) => text.split(RUN).flatMap((part, i) => (i % 2 ? mark(part) : [[part, false]]));
}
