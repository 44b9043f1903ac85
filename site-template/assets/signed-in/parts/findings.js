// What the server finds in a package.

import { decoded, linesOf } from '../../viewer/text.js';
import { entries } from '../../viewer/zip.js';
import { make, own } from './dom.js';

/** Bytes of the largest file whose lines are shown. */
const MAX_SHOWN = 2 << 20;

/** Findings about a package, by file and line. */
export function findingsList(items) {
  return make(
    'ul',
    { className: 'findings' },
    ...items.map(({ path, line, message, code }) =>
      make(
        'li',
        {},
        path ? make('code', {}, make('bdi', {}, path), line ? `:${line}` : '') : undefined,
        path ? ' ' : undefined,
        make('bdi', {}, message),
        code ? make('span', { className: 'quiet' }, ` ${code}`) : undefined,
      ),
    ),
  );
}

/** The same with the text of each line, which follows when the package `zip` is read. */
export function findingsWithLines(items, zip) {
  const list = findingsList(items);
  // Without the texts, the list says the same.
  addLines(list, items, zip).catch(() => {});
  return list;
}

async function addLines(list, items, zip) {
  const [files, texts] = [new Map(), new Map()];
  for (const { path, read } of entries(new Uint8Array(await zip.arrayBuffer()))) {
    // The server leaves out a folder around everything.
    for (const name of [path, path.replace(/^[^/]*\//, '')]) if (!files.has(name)) files.set(name, read);
  }
  for (const [at, { path, line }] of items.entries()) {
    if (!line || !files.has(path)) continue;
    if (!texts.has(path)) texts.set(path, linesOf(decoded(await files.get(path)(MAX_SHOWN)) ?? ''));
    const text = texts.get(path)?.[line - 1];
    if (text) list.children[at].append(make('pre', { className: 'found' }, own(text.slice(0, 200))));
  }
}
