// The files of the index, which may be cut off, another page, or made to hurt. Whatever is read takes a byte, so that
// no count is a loop longer than its file.

const MOST_KEY = 255; // Bytes. A word, a separator and a namespace have 225 at most.
export const BEST = 160;

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** Why a search has no answer, for people, and the HTTP status for it. */
export class SearchError extends Error {
  constructor(message, status = 503) {
    super(message);
    this.status = status;
  }
}

/** What the index leads to is gone: the manifest is old. */
export class Stale extends SearchError {}

function damaged(why) {
  throw new SearchError(`The search index is damaged, or the host answers with another page: ${why}.`);
}

/** A word's UTF-8 bytes as code units, since the index is ordered by these. */
export function keyOf(word) {
  return String.fromCharCode(...utf8.encode(word));
}

/** The inverse of `keyOf`. */
export function wordOf(key) {
  return decoder.decode(Uint8Array.from(key, (unit) => unit.charCodeAt()));
}

class Bytes {
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
    // Multiplied: shifts are of 32 bits.
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

  /** The key after another. Bounded, as each may share all of that. */
  key(before) {
    const shared = this.varint();
    const rest = this.take(this.varint());
    const isBounded = shared <= before.length && shared + rest.length <= MOST_KEY;
    const key = isBounded ? before.slice(0, shared) + String.fromCharCode(...rest) : '';
    return key > before ? key : damaged('a key is wrong');
  }

  name() {
    return Array.from(this.take(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** Reads a number, and then as often something. */
  each(read) {
    for (let left = this.varint(); left > 0; left--) read();
  }

  end() {
    if (this.left) damaged('it has no end');
  }
}

export function readManifest(bytes) {
  const from = new Bytes(bytes);
  if (String(from.take(5)) !== '83,75,83,73,1') damaged('it is of another kind');
  const manifest = { live: from.varint(), classes: new Map(), shards: [], firsts: [], names: [] };
  let id = 0;
  from.each(() => manifest.classes.set((id += from.varint()), from.byte()));
  while (manifest.shards.length < 128) manifest.shards.push(from.name());
  let key = '';
  from.each(() => {
    manifest.firsts.push((key = from.key(key)));
    manifest.names.push(from.name());
  });
  from.end();
  return manifest;
}

/** Which piece a key can be in. */
export function pieceOf({ firsts }, key) {
  return Math.max(0, firsts.findLastIndex((first) => first <= key));
}

/** Keys of words, each with the class of its frequency. */
export function readShard(bytes) {
  const from = new Bytes(bytes);
  const entries = [];
  for (let key = ''; from.left; ) entries.push([(key = from.key(key)), from.byte()]);
  return entries;
}

/** Cards by id, and bytes by key, in order. No other page has its first key. */
export function readPiece(bytes, first) {
  const from = new Bytes(bytes);
  const piece = { cards: new Map(), keys: new Map() };
  let id = 0;
  from.each(() => {
    id += from.varint();
    const slug = from.text();
    // It becomes part of addresses.
    if (!/^[a-z0-9-]+$/.test(slug)) damaged('a slug is none');
    piece.cards.set(id, { id, slug, name: from.text() || titleOf(slug) });
  });
  let key = '';
  from.each(() => piece.keys.set((key = from.key(key)), from.take(from.varint())));
  if (piece.keys.keys().next().value !== first) damaged('it begins with another key');
  from.end();
  return piece;
}

/** The keys of a piece that are words. */
export function wordsOf(piece) {
  return [...(piece?.keys.keys() ?? [])].filter((key) => !/[\0-\x02]/.test(key));
}

/** The namespace and the slug in a canonical slug. */
export function partsOf(canonical) {
  return canonical.includes('--') ? canonical.split('--') : ['global', canonical];
}

function titleOf(canonical) {
  const parts = partsOf(canonical)[1].split('-');
  return parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join(' ');
}

/** A key's postings, if it has some. */
export function readList(piece, key) {
  const bytes = piece?.keys.get(key);
  if (!bytes) return undefined;
  const from = new Bytes(bytes);
  const list = { key, df: from.varint(), ids: [], impacts: [], cards: piece.cards };
  let id = 0;
  from.each(() => {
    const posting = from.varint();
    list.ids.push((id += Math.floor(posting / 64)));
    list.impacts.push(posting % 64);
  });
  from.end();
  return list;
}

/** The cards of a list's best. */
export function bestOf(list) {
  const places = list.ids.map((_, i) => i);
  if (places.length > BEST) places.sort((a, b) => list.impacts[b] - list.impacts[a] || a - b);
  return places.slice(0, BEST).map((i) => cardOf(list, i));
}

function cardOf({ cards, ids }, i) {
  return cards.get(ids[i]) ?? damaged('a skill has no card');
}
