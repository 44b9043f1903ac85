// The read keys of a closed registry (docs/private.md).

import { OPEN } from './rules.js';

/**
 * Whether a request may read a path: everyone may, or it has a valid key. `recordOf(id)` is a promise of the
 * record of a key, or of nothing.
 */
export async function admits({ headers }, path, recordOf) {
  // The host of the files would resolve these to another path.
  if (/(?:^|\/)\.{1,2}(?:\/|$)|\\/.test(path)) return false;
  if (OPEN.some((paths) => paths.test(path))) return true;
  for (const key of sentBy(headers)) {
    const [, ends, id] = /^smr_([0-9]{1,11})_([\w-]{22})_[a-z2-7]{52}$/.exec(key) ?? [];
    if (!id || Number(ends) * 1000 <= Date.now()) continue;
    const record = await recordOf(id);
    if (record && JSON.parse(record).sha256 === (await sha256(key))) return true;
  }
  return false;
}

/** The secrets that a request sends: a bearer token, or the name and the password of Basic. */
function sentBy(headers) {
  const [, scheme, value] = /^(Bearer|Basic) +(\S+)$/i.exec(headers.get('Authorization') ?? '') ?? [];
  if (scheme?.toLowerCase() !== 'basic') return value ? [value] : [];
  try {
    return atob(value).split(':');
  } catch {
    return [];
  }
}

async function sha256(text) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
