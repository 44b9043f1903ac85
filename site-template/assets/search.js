// Search without a server. How to use it: `docs/hosting.md`. The format of the files: `docs/search-index.md`.

import { SearchError, Stale, readManifest, readPiece, readShard } from './search/files.js';
import { find } from './search/query.js';

export { SearchError };
export { words } from './search/query.js';

const FOLDER = '/api/v1/search/_index/';
const MOST_AGE = 60_000; // Milliseconds.
const MOST_FILES = 64;

/** A registry to search in. It keeps what it read of the index, within bounds. */
export class Search {
  #manifest;
  #readAt;
  #files = new Map();
  #running = new Map();

  /** `base` is the registry's address or path, without `/api/v1`; `now` the time in milliseconds. */
  constructor({ base, fetch = globalThis.fetch, now = Date.now }) {
    // Called by itself, as browsers want it.
    Object.assign(this, { base: base.replace(/\/+$/, ''), fetch: (...request) => fetch(...request), now });
  }

  /** A page of what a query finds, best first. A query without words is `blank`, and finds nothing. */
  async search(q, { namespace, page = 1, limit = 20 } = {}) {
    const found = await this.reading((index) => find(index, q, namespace));
    const hits = found ?? [];
    return { total: hits.length, page, limit, hits: hits.slice((page - 1) * limit, page * limit), blank: !found };
  }

  /** Works with the index, or where that is stale once more with the newest. */
  async reading(work) {
    try {
      return await work(await this.#index());
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      return work(await this.#index('reload'));
    }
  }

  /** A file's bytes; undefined where there is none. Nothing is read twice at a time. */
  async read(path, cache) {
    const key = path + cache;
    if (!this.#running.has(key)) {
      this.#running.set(key, this.#fetched(this.base + path, cache).finally(() => this.#running.delete(key)));
    }
    return this.#running.get(key);
  }

  async #fetched(url, cache) {
    try {
      const response = await this.fetch(url, modeOf(cache));
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new Error(`status ${response.status}`);
    } catch ({ message }) {
      throw new SearchError(`${url} cannot be read (${message}): try again later.`);
    }
  }

  async #index(cache) {
    const now = this.now();
    // A clock that was put back tells no age.
    if (cache || !(now >= this.#readAt && now < this.#readAt + MOST_AGE)) {
      const bytes = await this.read(`${FOLDER}manifest.bin`, cache ?? 'no-cache');
      if (!bytes) throw new SearchError(`${this.base} has no search index.`, 404);
      this.#manifest = readManifest(bytes);
      this.#readAt = now;
    }
    const manifest = this.#manifest;
    return {
      manifest,
      piece: (number) => this.#file(manifest.names[number], (bytes) => readPiece(bytes, manifest.firsts[number])),
      shard: (number) => this.#file(manifest.shards[number], readShard),
    };
  }

  /** A file that never changes, parsed; undefined where there is no name. */
  async #file(name, parse) {
    if (!/[^0]/.test(name ?? '')) return undefined;
    let file = this.#files.get(name);
    if (!file) {
      const bytes = await this.read(`${FOLDER}${name}.bin`);
      if (!bytes) throw new Stale(`${name}.bin of the search index is missing: try again later.`);
      file = parse(bytes);
    }
    // Maps keep the order of insertion: the first is the one to forget.
    this.#files.delete(name);
    this.#files.set(name, file);
    if (this.#files.size > MOST_FILES) this.#files.delete(this.#files.keys().next().value);
    return file;
  }
}

/**
 * The write server's answer to `/api/v1/search` or `/api/v1/skills?keyword=`, or a problem document. `registry` is a
 * `Search`, which keeps what it read, or its options.
 */
export async function respond(request, registry) {
  // Not all pages need it.
  const { answer } = await import('./search/answer.js');
  return answer(request, registry instanceof Search ? registry : new Search(registry));
}

/** Edge workers throw on modes that they do not know. */
function modeOf(cache) {
  try {
    new Request('http://localhost', { cache });
    return { cache };
  } catch {
    return {};
  }
}
