// Search without a server. How to use it: `docs/hosting.md`. The format of the files: `docs/search-index.md`.

import { SearchError, StaleIndex, contentOf, readManifest, readPiece, readShard, unpack } from './search/files.js';
import { tableOf } from './search/parse.js';
import { find } from './search/query.js';
import translations from './search/translations.js';

export { SearchError };
export { words } from './search/words.js';

const FOLDER = '/api/v1/search/_index/';
const MANIFEST_TTL = 60_000; // Milliseconds.
const MAX_FILES = 64;

/** A registry to search in. It caches the files of the index that it read last. */
export class Search {
  #manifest;
  #readAt;
  #tables = [];
  #files = new Map();
  #running = new Map();

  /**
   * `base` is the registry's address or path, without `/api/v1`; `now` returns the time in milliseconds; `inflate`
   * unpacks gzip, for engines without `DecompressionStream`.
   */
  constructor({ base, fetch = globalThis.fetch, now = Date.now, inflate = unpack }) {
    // Browsers refuse `fetch` as a method of another object.
    Object.assign(this, { base: base.replace(/\/+$/, ''), fetch: (...request) => fetch(...request), now, inflate });
  }

  /**
   * A page of the skills that a query finds, best first. A query without words is `blank`. `isCut`: more match.
   * `unknown`: the words that no skill has, each with what was searched for `instead`, if anything. `near`: how
   * many were found by meaning alone. `also`: other words that were searched for.
   */
  async search(q, { namespace, page = 1, limit = 20 } = {}) {
    const found = await this.withIndex((index) => find(index, q, namespace));
    const { hits = [], isCut = false, unknown = [], near = 0, also = [] } = found ?? {};
    const shown = hits.slice((page - 1) * limit, page * limit);
    return { total: hits.length, isCut, unknown, near, also, page, limit, hits: shown, blank: !found };
  }

  /** Calls `work` with the index. If that turns out to be stale, calls it once more with the newest. */
  async withIndex(work) {
    try {
      return await work(await this.#index());
    } catch (error) {
      if (!(error instanceof StaleIndex)) throw error;
      return work(await this.#index('reload'));
    }
  }

  /** The bytes of a file; undefined if there is none. Calls at the same time share a request. */
  async read(path, cache) {
    const key = path + cache;
    if (!this.#running.has(key)) {
      this.#running.set(key, this.#fetch(this.base + path, cache).finally(() => this.#running.delete(key)));
    }
    return this.#running.get(key);
  }

  async #fetch(url, cache) {
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
    // If the clock was set back, the age is unknown.
    if (cache || !(now >= this.#readAt && now < this.#readAt + MANIFEST_TTL)) {
      const bytes = await this.read(`${FOLDER}manifest.bin`, cache ?? 'no-cache');
      if (!bytes) throw new SearchError(`${this.base} has no search index.`, 404);
      this.#manifest = readManifest(bytes);
      this.#readAt = now;
    }
    const manifest = this.#manifest;
    return {
      manifest,
      tableFor: (q) => this.#tableFor(q),
      piece: (position) =>
        this.#file(manifest.names[position], (bytes) => readPiece(bytes, manifest.firsts[position])),
      shard: (number) => this.#file(manifest.shards[number], readShard),
    };
  }

  /** The translations that a query may need. */
  async #tableFor(q) {
    if (!/[^\0-\x7f]/.test(q)) return (this.#tables[0] ??= tableOf([translations]));
    try {
      const characters = await import('./search/characters.js');
      return (this.#tables[1] ??= tableOf([translations, characters.default]));
    } catch ({ message }) {
      throw new SearchError(`The words of other languages cannot be read (${message}): reload the page.`);
    }
  }

  /** A piece or shard, parsed; undefined if the name is missing or all zeros. */
  async #file(name, parse) {
    if (!/[^0]/.test(name ?? '')) return undefined;
    let file = this.#files.get(name);
    if (!file) {
      const bytes = await this.read(`${FOLDER}${name}.bin`);
      if (!bytes) throw new StaleIndex(`${name}.bin of the search index is missing: try again later.`);
      file = parse(await contentOf(bytes, this.inflate));
    }
    // Maps keep the order of insertion, so the first file is the one used longest ago.
    this.#files.delete(name);
    this.#files.set(name, file);
    if (this.#files.size > MAX_FILES) this.#files.delete(this.#files.keys().next().value);
    return file;
  }
}

/**
 * Answers a request for `/api/v1/search` or `/api/v1/skills?keyword=` as the server does, or with a problem
 * document. `registry` is a `Search` or its options.
 */
export async function respond(request, registry) {
  // Loaded here, because many pages never call this.
  const { answer } = await import('./search/answer.js');
  return answer(request, registry instanceof Search ? registry : new Search(registry));
}

/** Edge workers throw on cache modes that they do not know. */
function modeOf(cache) {
  try {
    new Request('http://localhost', { cache });
    return { cache };
  } catch {
    return {};
  }
}
