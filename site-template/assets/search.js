// Search without a server: finds from a few small files of a registry what its write server finds, in the same order,
// with the same scores. Runs in browsers, node and edge workers: `docs/edge.md`. The files: `docs/mirror.md`.

import { SearchError, Stale, readManifest, readPiece, readShard } from './search/files.js';
import { find } from './search/query.js';

export { SearchError };
export { words } from './search/query.js';

const FOLDER = '/api/v1/search/_index/';
const MOST_AGE = 60_000; // Milliseconds, as for all documents of a registry.
const MOST_FILES = 64;

/** A registry to search in. It keeps what it read of the index, within bounds. */
export class Search {
  #manifest;
  #readAt;
  #files = new Map();
  #running = new Map();

  /**
   * @param {object} options
   * @param {string} options.base the registry's address or path, without `/api/v1`
   * @param {typeof globalThis.fetch} [options.fetch]
   * @param {() => number} [options.now] in milliseconds
   */
  constructor({ base, fetch = (...request) => globalThis.fetch(...request), now = Date.now }) {
    Object.assign(this, { base: base.replace(/\/+$/, ''), fetch, now });
  }

  /**
   * A page, best first, of the skills that a query finds. A query without words is `blank`, and finds none.
   * @param {string} q
   * @param {{ namespace?: string, page?: number, limit?: number }} [options] from 1; limit to 100
   * @returns {Promise<{ total: number, page: number, limit: number, blank: boolean,
   *   hits: { id: number, slug: string, name: string, score: number, exactness: number }[] }>}
   * @throws {SearchError} The index cannot be read. The message is for people.
   */
  async search(q, { namespace, page = 1, limit = 20 } = {}) {
    if (!(page >= 1 && limit >= 1 && limit <= 100) || page % 1 || limit % 1) {
      throw new RangeError('page and limit are whole numbers from 1, limit to 100');
    }
    const found = await this.reading((index) => find(index, q, namespace));
    const hits = found?.slice((page - 1) * limit, page * limit) ?? [];
    return { total: found?.length ?? 0, page, limit, hits, blank: !found };
  }

  /** Works with the index; where that leads to what is missing, once more with the newest. */
  async reading(work) {
    try {
      return await work(await this.#index());
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      return work(await this.#index('reload'));
    }
  }

  /** A file's bytes; undefined where there is none. What is being read already is not read twice. */
  async read(path, cache) {
    const key = path + cache;
    if (!this.#running.has(key)) {
      this.#running.set(key, this.#fetched(this.base + path, cache).finally(() => this.#running.delete(key)));
    }
    return this.#running.get(key);
  }

  async #fetched(url, cache) {
    try {
      const { fetch } = this;
      const response = await fetch(url, modeOf(cache));
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      // Stores that may not be listed say 403 for what is missing.
      if ([403, 404, 410].includes(response.status)) return undefined;
      throw new Error(`status ${response.status}`);
    } catch ({ message }) {
      throw new SearchError(`${url} cannot be read (${message}): try again later.`);
    }
  }

  async #index(cache) {
    const now = this.now();
    const age = now - this.#readAt;
    if (cache || !(age >= 0 && age < MOST_AGE)) {
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

  /** What is in a file that never changes, being named by the digest of its bytes; undefined where there is no name. */
  async #file(name, parse) {
    if (!/[^0]/.test(name ?? '')) return undefined;
    let file = this.#files.get(name);
    if (!file) {
      const bytes = await this.read(`${FOLDER}${name}.bin`);
      if (!bytes) throw new Stale(`${name}.bin of the search index is missing: try again later.`);
      file = parse(bytes);
    }
    // A map is in the order of insertion: its first is what was not used for the longest time.
    this.#files.delete(name);
    this.#files.set(name, file);
    if (this.#files.size > MOST_FILES) this.#files.delete(this.#files.keys().next().value);
    return file;
  }
}

/**
 * The write server's answer, byte for byte, to `/api/v1/search` or `/api/v1/skills?keyword=`, made from files; a problem
 * document where they do not have it.
 * @param {Request | URL | string} request
 * @param {Search | object} registry a `Search`, which keeps what it read, or what one is made of
 * @returns {Promise<Response>}
 */
export async function respond(request, registry) {
  // Pages that show what is found in their own way do without.
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
