// What a query means, and which skills are near to it: docs/search-index.md, "Nearness".

import { readList } from './files.js';
import { exponentOf, idfOf, sizeClassOf } from './logarithm.js';

// A query that finds fewer skills than this also finds some by meaning alone.
export const MIN_RESULTS = 20;
// An index with fewer skills has too few words for nearness.
export const MIN_SKILLS = 100;
const MAX_NEARNESS = 256;
// The smallest nearness of a skill that is found by meaning alone.
const MIN_NEARNESS = 102;
// The number of neighbourhoods that are read, their largest average size in skills, and their largest number of bits.
const [NEIGHBOURHOODS, MAX_SKILLS, MAX_BITS] = [2, 512, 10];
// Used as the largest score if all scores are smaller.
const MIN_LARGEST = 64;

/** The sum of the vectors of a query's words; undefined if they have none. A word without lists is a rare one. */
export function meaningOf(terms, skills) {
  const sum = Array(64).fill(0);
  for (const { idf, vector } of terms) vector?.forEach((n, at) => (sum[at] += (idf || idfOf(skills, 1)) * n));
  return sum.some((number) => number) ? sum : undefined;
}

/** How near a skill is, 0 to 256. */
function nearness(sum, { meaning }) {
  if (!meaning.some((byte) => byte)) return 0;
  const signed = sum.reduce((all, n, at) => all + ((meaning[at >> 3] >> (at & 7)) & 1 ? n : -n), 0);
  return Math.floor((Math.max(0, signed) * MAX_NEARNESS) / sum.reduce((all, n) => all + Math.abs(n), 0));
}

/** The keys of the neighbourhoods that are looked through: those with the signs of the sum, or almost. */
export function neighbourhoodsOf(sum, skills) {
  const length = 2 * Math.min(Math.ceil(exponentOf(sizeClassOf(skills) / MAX_SKILLS) / 2), MAX_BITS / 2);
  const all = Array.from({ length: 2 ** length }, (_, number) => {
    const bits = length ? number.toString(2).padStart(length, '0') : '';
    const others = [...bits].map((bit, at) => (sum[at] >= 0 === (bit === '1') ? 0 : Math.abs(sum[at])));
    return { bits, distance: others.reduce((a, b) => a + b, 0) };
  });
  return all.sort((a, b) => a.distance - b.distance).slice(0, NEIGHBOURHOODS).map(({ bits }) => `#${bits}`);
}

/** Skills near to a query, besides those found, so that it finds a few more. A key's piece may be unread. */
export function neighbours(sum, keys, pieces, found) {
  const cards = keys.flatMap((key, at) => (readList(pieces[at], key)?.ids ?? []).map((id) => pieces[at].cards.get(id)));
  const all = cards.filter(Boolean).map((card) => ({ id: card.id, card, score: 0, near: nearness(sum, card) }));
  const near = new Map();
  for (const hit of all.filter((each) => each.near >= MIN_NEARNESS)) if (!near.has(hit.id)) near.set(hit.id, hit);
  for (const { id } of found) near.delete(id);
  const sorted = [...near.values()].sort((a, b) => b.near - a.near || a.id - b.id);
  return sorted.slice(0, MIN_RESULTS - found.length);
}

/** Found skills with their final scores: a near one has more, unless the query is its name. */
export function withNearness(sum, found) {
  const largest = found.reduce((most, { score }) => Math.max(most, score), MIN_LARGEST);
  return found.map((hit) => {
    const near = sum && !hit.exactness ? nearness(sum, hit.card) : 0;
    return { ...hit, score: hit.score + Math.floor((largest * near * 3) / 2048) };
  });
}
