// Which parts of a text are marked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksFor } from '../../site-template/assets/marks.js';

const marked = (q, text) =>
  marksFor(q)(text).map(([part, isMarked]) => (isMarked ? `[${part}]` : part)).join('');

for (const [what, q, text, expected] of [
  ['words and their other forms', 'convert table', 'Converts tables to CSV.', '[Converts] [tables] to CSV.'],
  ['the beginning of a longer word', 'weath', 'A weather report', 'A [weather] report'],
  ['pairs of characters', '翻訳', '文書を翻訳する', '文書を[翻訳]する'],
  ['accents and case', 'cafe', 'Café-Guide', '[Café]-Guide'],
  ['nothing without words', '!?', 'weather', 'weather'],
  ['no part of a word', 'port', 'report', 'report'],
  ['markup as text', 'img', '<img src=x>', '<[img] src=x>'],
]) {
  test(`${what}`, () => assert.equal(marked(q, text), expected));
}
