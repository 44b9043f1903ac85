// Reads the files of a package.

import { entries } from '../../viewer/zip.js';

const MAX_FILE = 2 << 20;

/** The files by path: each has its size, and reads its bytes when asked (undefined above two MiB). */
export function readZip(buffer) {
  const bytesOf = async (file) => (file.size > MAX_FILE ? undefined : file.read(MAX_FILE));
  const files = entries(new Uint8Array(buffer));
  return new Map(files.map((file) => [file.path, { size: file.size, read: () => bytesOf(file) }]));
}

/** The lines of a text, or undefined if the bytes are no text. */
export function linesOf(bytes) {
  if (!bytes || bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.replace(/\n$/, '').split('\n');
  } catch {
    return undefined;
  }
}
