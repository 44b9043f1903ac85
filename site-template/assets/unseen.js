// Characters that pages do not show as they are.

/**
 * Invisible characters, and those that change how other text looks, as in `is_unseen` of the package `registry`. It is
 * part of a class in a regular expression.
 */
export const UNSEEN =
  '\\u115f\\u1160\\u17b4\\u17b5\\u200b\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb' +
  '\\u{e0000}-\\u{e00ff}';

/** Control characters, except tab, line feed and carriage return. */
export const CONTROL = '\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f';

const REPLACED = new RegExp(`[${CONTROL}${UNSEEN}]`, 'gu');

/** A text of others as pages of the server show it: without those characters. */
export function plain(text) {
  return String(text ?? '').replace(REPLACED, '\ufffd');
}
