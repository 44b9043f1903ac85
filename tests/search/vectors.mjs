// `node tests/search/vectors.mjs FOLDER TABLE` runs every query of TABLE on the tree in FOLDER, and prints those that find
// something else. It exits with 1 if there are differences, and with 2 if there is nothing to compare.
//
// A line of TABLE is `{"q":…,"namespace":null|…,"total":n,"hits":[[canonical slug,score],…],"unknown":[[word,closest word|null],…],"near":n,"sha256":…}`,
// with the first few hits. Most lines have no `unknown`. The digest is that of all hits, each as `canonical slug, space, score, line feed`.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Search } from '../../site-template/assets/search.js';

const BASE = 'http://tree.test';
const PIECE = /\/([0-9a-f]{16})\.bin$/;

/** Answers with the files of a folder. A piece whose name is not the digest of its bytes is an error. */
function fetchFrom(folder) {
  return async (url) => {
    let bytes;
    try {
      bytes = await readFile(join(folder, url.slice(BASE.length)));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return new Response(null, { status: 404 });
    }
    const name = PIECE.exec(url)?.[1];
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    if (name !== undefined && name !== digest) throw new Error(`its digest is ${digest}`);
    return new Response(bytes);
  };
}

async function differences(search, { q, namespace, total, hits, unknown = [], near = 0, sha256 }) {
  const found = await search.search(q, { namespace: namespace ?? undefined, limit: Infinity });
  const differing = [];
  if (found.total !== total) differing.push(`total ${found.total}, not ${total}`);
  for (let i = 0; i < hits.length; i++) {
    const [slug, score] = hits[i] ?? ['nothing', 0];
    const other = found.hits[i] ?? { slug: 'nothing', score: 0 };
    if (other.slug === slug && other.score === score) continue;
    differing.push(`at ${i + 1} ${other.slug} (${other.score}), not ${slug} (${score})`);
    break;
  }
  const words = JSON.stringify(found.unknown.map(({ word, instead }) => [word, instead ?? null]));
  if (found.near !== near) differing.push(`${found.near} near, not ${near}`);
  if (words !== JSON.stringify(unknown)) differing.push(`unknown ${words}, not ${JSON.stringify(unknown)}`);
  const all = found.hits.map(({ slug, score }) => `${slug} ${score}\n`).join('');
  const digest = createHash('sha256').update(all).digest('hex');
  if (differing.length === 0 && digest !== sha256) differing.push('a difference after the first hits');
  return differing;
}

async function main([folder, table]) {
  if (table === undefined) throw new Error('usage: vectors.mjs FOLDER TABLE');
  const lines = (await readFile(table, 'utf8')).split('\n').filter(Boolean);
  if (lines.length === 0) throw new Error(`${table} is empty`);
  const search = new Search({ base: BASE, fetch: fetchFrom(folder) });
  let wrong = 0;
  for (const line of lines) {
    const vector = JSON.parse(line);
    const differing = await differences(search, vector).catch((error) => [error.message]);
    if (differing.length === 0) continue;
    wrong++;
    const where = vector.namespace ? ` in ${vector.namespace}` : '';
    console.log(`${JSON.stringify(vector.q)}${where}: ${differing.join('; ')}`);
  }
  console.log(`${lines.length - wrong} of ${lines.length} queries agree`);
  return wrong === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
