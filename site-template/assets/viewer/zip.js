// Reads a package. Nothing in it is trusted: each size and place is checked, and nothing is unpacked beyond a limit.

const MAX_PACKAGE = 256 << 20;
const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];

/**
 * Returns a function for the files of the package at `url`, by the bytes of their paths, as pages number them. It reads
 * the package once, and again if that failed.
 */
export function packageAt(url) {
  let reading;
  return () => {
    reading ??= openPackage(url).catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

async function openPackage(url) {
  const response = await fetch(url);
  const { ok, status } = response;
  if (!ok) throw Object.assign(new Error(`the host answered ${status}`), { status });
  return entries(await collected(response.body, MAX_PACKAGE));
}

/** The bytes of a stream. Longer ones are an error. */
async function collected(stream, max) {
  const parts = [];
  let size = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > max) {
      reader.cancel().catch(() => {});
      throw new Error('it is longer than it says');
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The files that the directory at the end of a zip names. */
export function entries(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const earliest = Math.max(0, bytes.length - 22 - 0xffff);
  let end = bytes.length - 22;
  while (end >= earliest && view.getUint32(end, true) !== END) end--;
  if (end < earliest) throw new Error('it is not a zip');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const found = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY) throw new Error('its directory is damaged');
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const length = view.getUint16(at + 28, true);
    if (at + 46 + length > end) throw new Error('its directory is damaged');
    const name = bytes.subarray(at + 46, at + 46 + length);
    const place = view.getUint32(at + 42, true);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (name.at(-1) === 47) continue;
    const path = new TextDecoder().decode(name);
    found.push({ name, path, size, read: (max) => content(bytes, view, { flags, method, packed, size, place }, max) });
  }
  return found.sort((a, b) => order(a.name, b.name));
}

function order(a, b) {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return (a[i] ?? -1) - (b[i] ?? -1);
}

/** The content of a file. */
async function content(bytes, view, { flags, method, packed, size, place }, max) {
  if (size > max) throw new Error('the file is too large');
  if (place + 30 > bytes.length || view.getUint32(place, true) !== LOCAL || flags & 1) throw new Error('it is damaged');
  const start = place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true);
  if (start + packed > bytes.length) throw new Error('it is damaged');
  const data = bytes.subarray(start, start + packed);
  if (![0, 8].includes(method)) throw new Error('it is packed in an unknown way');
  const unpacked = method ? await inflated(data, size) : data;
  if (unpacked.length !== size) throw new Error('it is damaged');
  return unpacked;
}

function inflated(data, size) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return collected(stream, size);
}
