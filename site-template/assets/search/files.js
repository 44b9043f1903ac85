// Decodes the files of the index. They may be cut off, another page, or hostile: each item takes a byte or more, so no
// count makes a loop longer than its file.

const MAX_KEY_LENGTH = 321; // Bytes: root, separator, word.
const MAX_CONTENT = 4 * 1024 * 1024; // Bytes of an unpacked file.
const MAX_CANDIDATES = 160;

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A search without an answer: the reason for people, and the HTTP status. */
export class SearchError extends Error {
  constructor(message, status = 503) {
    super(message);
    this.status = status;
  }
}

/** The manifest is old: a file or skill of the index is gone. */
export class StaleIndex extends SearchError {}

function damaged(why) {
  throw new SearchError(`The search index is damaged, or the host answers with another page: ${why}.`);
}

/** The UTF-8 bytes of a word as code units, so that keys sort as in the index. */
export function keyOf(word) {
  return String.fromCharCode(...utf8.encode(word));
}

export function wordOf(key) {
  return decoder.decode(Uint8Array.from(key, (unit) => unit.charCodeAt()));
}

class Decoder {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  get left() {
    return this.bytes.length - this.at;
  }

  take(length) {
    if (length > this.left) damaged('it is cut off');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  varint() {
    // Multiplies, because shifts have 32 bits.
    for (let value = 0, place = 1; place < 2 ** 56; place *= 128) {
      const byte = this.byte();
      value += (byte & 127) * place;
      if (byte < 128 && value <= Number.MAX_SAFE_INTEGER) return value;
    }
    return damaged('a number is too large');
  }

  text() {
    return decoder.decode(this.take(this.varint()));
  }

  /** The next key. Its length is limited, because it may share all of the one before. */
  key(before) {
    const shared = this.varint();
    const rest = this.take(this.varint());
    const isValid = shared <= before.length && shared + rest.length <= MAX_KEY_LENGTH;
    const key = isValid ? before.slice(0, shared) + String.fromCharCode(...rest) : '';
    return key > before ? key : damaged('a key is invalid');
  }

  name() {
    return Array.from(this.take(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** Reads a count, and calls `read` as often. */
  each(read) {
    for (let left = this.varint(); left > 0; left--) read();
  }

  end() {
    if (this.left) damaged('it continues after its end');
  }
}

/** Unpacks gzip. A hostile file may have an endless content, so that this stops after the limit. */
export async function unpack(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const chunks = [];
  let length = 0;
  for (let read; length <= MAX_CONTENT && !(read = await reader.read()).done; ) {
    chunks.push(read.value);
    length += read.value.length;
  }
  await reader.cancel();
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The content of a packed file. Its size is checked here, because an `inflate` of the caller may have no limit. */
export async function contentOf(bytes, inflate) {
  let content;
  try {
    content = await inflate(bytes);
  } catch {
    damaged('it is not compressed with gzip');
  }
  return content.length > MAX_CONTENT ? damaged('it is larger than 4 MiB') : content;
}

export function readManifest(bytes) {
  const from = new Decoder(bytes);
  if (String(from.take(4)) !== '83,75,83,73') damaged('it is not a manifest');
  if (from.byte() !== 5) {
    throw new SearchError(
      'The search index has another format: reload the page, or use the search.js of the release of the registry.',
    );
  }
  const manifest = { skills: from.varint(), counters: new Map(), shards: [], firsts: [], names: [] };
  let id = 0;
  from.each(() => manifest.counters.set((id += from.varint()), { stars: from.varint(), downloads: from.varint() }));
  while (manifest.shards.length < 128) manifest.shards.push(from.name());
  let key = '';
  from.each(() => {
    manifest.firsts.push((key = from.key(key)));
    manifest.names.push(from.name());
  });
  from.end();
  return manifest;
}

/** The stars and downloads of a skill; undefined if unknown. If few skills are listed, others have none. */
export function countersOf({ counters }, id) {
  return counters.get(id) ?? (counters.size < 1000 ? { stars: 0, downloads: 0 } : undefined);
}

/** The position of the piece that has `key`, if any has. */
export function positionOf({ firsts }, key) {
  return Math.max(0, firsts.findLastIndex((first) => first <= key));
}

/** The words of a shard as keys, each with its frequency class. */
export function readShard(bytes) {
  const from = new Decoder(bytes);
  const entries = [];
  for (let key = ''; from.left; ) entries.push([(key = from.key(key)), from.byte()]);
  return entries;
}

/** Cards by id, and encoded lists by key. The first group proves that it is no other page. */
export function readPiece(bytes, first) {
  const from = new Decoder(bytes);
  const piece = { cards: new Map(), keys: new Map() };
  let id = 0;
  from.each(() => {
    id += from.varint();
    const slug = from.text();
    // Slugs become part of addresses.
    if (!/^[a-z0-9-]+$/.test(slug)) damaged('a slug is invalid');
    const card = { id, slug, storedName: from.text(), meaning: from.take(8) };
    card.name = card.storedName || titleOf(slug);
    const version = from.text();
    if (version) Object.assign(card, { version, description: from.text() });
    piece.cards.set(id, card);
  });
  let key = '';
  from.each(() => piece.keys.set((key = from.key(key)), from.take(from.varint())));
  if (groupOf(piece.keys.keys().next().value ?? '') !== first) damaged('it starts with another group');
  from.end();
  return piece;
}

/** The part of a key that the keys of its group have in common. */
function groupOf(key) {
  return key.split(/[\0-\x03]/, 1)[0];
}

/** The words of a piece whose keys begin with `start`, each as a key part and with its key. */
export function wordsOf(piece, start = '', separator = '\0') {
  const keys = [...(piece?.keys.keys() ?? [])].filter((key) => key.startsWith(start) && key.includes(separator));
  return keys.map((key) => ({ key, word: key.slice(key.indexOf(separator) + 1) }));
}

/** The namespace and the slug of a canonical slug. */
export function partsOf(canonical) {
  return canonical.includes('--') ? canonical.split('--') : ['global', canonical];
}

function titleOf(canonical) {
  const parts = partsOf(canonical)[1].split('-');
  return parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join(' ');
}

/** The list of a key; undefined if the piece lacks it. */
export function readList(piece, key) {
  const bytes = piece?.keys.get(key);
  if (!bytes) return undefined;
  const from = new Decoder(bytes);
  const list = { df: from.varint(), ids: [], impacts: [], cards: piece.cards };
  let id = 0;
  from.each(() => {
    const posting = from.varint();
    list.ids.push((id += Math.floor(posting / 64)));
    list.impacts.push(posting % 64);
  });
  from.end();
  return list;
}

/** The vector of a root as 64 numbers; undefined if the piece lacks it. */
export function readVector(piece, root) {
  const bytes = piece?.keys.get(`${root}\x03`);
  if (bytes && bytes.length !== 32) damaged('a vector has not 32 bytes');
  return bytes && Array.from(bytes, (byte) => [(byte & 15) - 8, (byte >> 4) - 8]).flat();
}

/** The ids of the candidates of a list. */
export function candidatesOf(list) {
  const order = list.ids.map((_, i) => i);
  if (order.length > MAX_CANDIDATES) order.sort((a, b) => list.impacts[b] - list.impacts[a] || a - b);
  return order.slice(0, MAX_CANDIDATES).map((i) => list.ids[i]);
}
