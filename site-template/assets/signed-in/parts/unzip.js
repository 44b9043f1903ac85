// Reads the files of a package of the registry, which is a plain zip that the server made.

const MAX_FILE = 2 << 20;

/** The files by path: each has its size, and reads its bytes when asked (undefined above two MiB). */
export function readZip(buffer) {
  const view = new DataView(buffer);
  const files = new Map();
  let end = buffer.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('The package cannot be read.');
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const path = new TextDecoder().decode(new Uint8Array(buffer, at + 46, nameLength));
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const entry = { method: view.getUint16(at + 10, true), packed, size, offset: view.getUint32(at + 42, true) };
    if (!path.endsWith('/')) files.set(path, { size, read: () => bytesOf(buffer, view, entry) });
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

async function bytesOf(buffer, view, { method, packed, size, offset }) {
  if (size > MAX_FILE) return undefined;
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const data = new Uint8Array(buffer, start, packed);
  if (method === 0) return data;
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const bytes = new Uint8Array(size);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    // The directory says how many bytes there are. More are not read.
    if (length + value.length > size) throw new Error('The package cannot be read.');
    bytes.set(value, length);
    length += value.length;
  }
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
