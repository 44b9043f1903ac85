// A host of files in memory, which records the requests.

import { Search } from '../../site-template/assets/search.js';
import { write } from './writer.mjs';

export const BASE = 'https://skills.test/mirror';
const INDEX = '/api/v1/search/_index/';

/** Files by path, and the requests for them. */
export class Host {
  files = new Map();
  /** The requests in order: path, and cache mode if there was one. */
  requests = [];

  constructor(skills = [], options) {
    this.index(skills, options);
  }

  /** Adds the files of an index. */
  index(skills, options) {
    for (const [name, bytes] of write(skills, options)) this.files.set(INDEX + name, bytes);
  }

  put(path, value) {
    this.files.set(path, Buffer.from(typeof value === 'string' ? value : `${JSON.stringify(value)}\n`));
  }

  /** The paths of the pieces and shards. */
  pieces() {
    return [...this.files.keys()].filter((path) => path.startsWith(INDEX) && !path.endsWith('manifest.bin'));
  }

  get manifest() {
    return this.files.get(`${INDEX}manifest.bin`);
  }

  set manifest(bytes) {
    this.files.set(`${INDEX}manifest.bin`, bytes);
  }

  fetch = async (url, init) => {
    if (!url.startsWith(`${BASE}/`)) throw new TypeError(`no such host: ${url}`);
    const path = url.slice(BASE.length);
    this.requests.push(init?.cache ? `${path} ${init.cache}` : path);
    const bytes = this.files.get(path);
    return bytes ? new Response(bytes) : new Response('<!doctype html><title>Not found</title>', { status: 404 });
  };

  /** A new reader of the host. */
  open(options) {
    return new Search({ base: BASE, fetch: this.fetch, ...options });
  }

  /** The requests since the last time, without the manifest's. */
  take() {
    return this.requests.splice(0).filter((request) => !request.includes('manifest.bin'));
  }
}

/** The found skills as `slug:score`. */
export async function found(search, q, options) {
  const { hits } = await search.search(q, { limit: 100, ...options });
  return hits.map(({ slug, score }) => `${slug}:${score}`);
}
