// Packs chosen files into a zip, in the browser.

import { Refusal } from './api.js';
import { count, size } from './dom.js';

// Left out, because they may be huge. The server leaves out more, and says so.
const LEFT_OUT = /(^|\/)(\.git|node_modules|__pycache__|\.venv|__MACOSX|\.DS_Store)(\/|$)/;

/** Files and bytes of a chosen folder. The server may allow fewer, and says so. */
const [MAX_FILES, MAX_BYTES] = [5000, 256 << 20];

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The files of a chosen folder: `{path, file}`, and the names that were left out. */
export function filesOfInput(files) {
  const [found, left] = [[], new Set()];
  for (const file of files) {
    const path = file.webkitRelativePath || file.name;
    if (!isLeftOut(path, left)) found.push({ path, file });
  }
  return { found: limited(found), left };
}

/** The files of what was dropped, also in folders. Call it before anything is awaited. */
export async function filesOfDrop({ items }) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const [found, left] = [[], new Set()];
  for (const entry of entries) await walk(entry, '', found, left);
  return { found: limited(found), left };
}

function isLeftOut(path, left) {
  const match = LEFT_OUT.exec(path);
  if (match) left.add(match[2]);
  return !!match;
}

async function walk(entry, folder, found, left) {
  const path = folder + entry.name;
  if (isLeftOut(path, left) || found.length > MAX_FILES) return;
  if (entry.isFile) {
    found.push({ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A reader hands out a part of the folder at a time.
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return;
    for (const each of part) await walk(each, `${path}/`, found, left);
  }
}

/** Refuses more than a skill can have. */
function limited(found) {
  const bytes = found.reduce((sum, { file }) => sum + file.size, 0);
  if (found.length > MAX_FILES || bytes > MAX_BYTES) {
    const limits = `${count(MAX_FILES, 'file')} or ${size(MAX_BYTES)}`;
    throw new Refusal(0, { detail: `There are more than ${limits} in it: choose the folder of a skill.` });
  }
  return found;
}

/** The bytes of a chosen file. */
export async function bytesOf({ path, file }) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Refusal(0, { detail: `${path} cannot be read. Choose the files again if they have changed.` });
  }
}

/** A zip of the files. Files that do not become smaller are stored, and scripts that begin with `#!` are executable. */
export async function pack(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { path, file } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const bytes = await bytesOf({ path, file });
    const packed = await deflated(bytes);
    const isPacked = packed.length < bytes.length;
    const data = isPacked ? packed : bytes;
    const name = new TextEncoder().encode(path);
    const header = headerOf(name, isPacked, crc32(bytes), data.length, bytes.length);
    const isScript = bytes[0] === 0x23 && bytes[1] === 0x21;
    directory.push(entryOf(header, name, offset, isScript ? 0o100755 : 0o100644));
    const local = new Uint8Array(4 + header.length);
    new DataView(local.buffer).setUint32(0, 0x04034b50, true);
    local.set(header, 4);
    parts.push(local, name, data);
    offset += local.length + name.length + data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, directory.length, true);
  end.setUint16(10, directory.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...directory, end.buffer], { type: 'application/zip' });
}

/** What the local header and the directory say of a file alike, in UTF-8, on 1 January 1980. */
function headerOf(name, isPacked, crc, packedSize, realSize) {
  const view = new DataView(new ArrayBuffer(26));
  view.setUint16(0, 20, true);
  view.setUint16(2, 0x0800, true);
  view.setUint16(4, isPacked ? 8 : 0, true);
  view.setUint16(8, 0x21, true);
  view.setUint32(10, crc, true);
  view.setUint32(14, packedSize, true);
  view.setUint32(18, realSize, true);
  view.setUint16(22, name.length, true);
  return new Uint8Array(view.buffer);
}

/** What the directory says of a file, with its mode on Unix. */
function entryOf(header, name, offset, mode) {
  const entry = new Uint8Array(46 + name.length);
  const view = new DataView(entry.buffer);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, 0x0314, true);
  entry.set(header, 6);
  view.setUint16(40, mode, true);
  view.setUint32(42, offset, true);
  entry.set(name, 46);
  return entry;
}

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
