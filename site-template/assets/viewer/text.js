// Shows a text in numbered lines. Lines are elements, so that links and colors can name them. They are in blocks that
// the browser lays out when they come near the window.

import { CONTROL, UNSEEN } from '../unseen.js';

/** Invisible characters, also variation selectors that can carry a hidden text. */
const MARKED = new RegExp(`[${UNSEEN}\\u{e0100}-\\u{e01ef}]+`, 'gu');
const REPLACED = new RegExp(`[${CONTROL}]`, 'gu');
const LINES_OF_BLOCK = 200;

/** Longer lines are cut: browsers lay out a line as a whole. */
const MAX_LINE = 10_000;

/** A text with more lines is not shown: each line is an element. */
export const MAX_LINES = 50_000;

/** The text of a file's bytes, or undefined if it is not a text file. */
export function decoded(bytes) {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The element that shows lines. */
export function textView(lines) {
  const view = document.createElement('pre');
  view.className = 'code';
  view.tabIndex = 0;
  const code = view.appendChild(document.createElement('code'));
  for (let first = 0; first < lines.length; first += LINES_OF_BLOCK) {
    const block = code.appendChild(document.createElement('span'));
    const own = lines.slice(first, first + LINES_OF_BLOCK);
    block.style.counterReset = `line ${first}`;
    block.style.containIntrinsicSize = `auto 60rem auto ${own.length * 1.5}em`;
    for (const line of own) block.append(lineElement(line), '\n');
  }
  return view;
}

export function linesOf(text) {
  const lines = text.split(/\r\n?|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The element of a line. */
export function lineElement(text, name = 'i') {
  const line = document.createElement(name);
  const shown = text.slice(0, MAX_LINE).replace(REPLACED, '\ufffd');
  let written = 0;
  for (const { 0: odd, index } of shown.matchAll(MARKED)) {
    const mark = document.createElement('span');
    mark.className = 'odd';
    const names = Array.from(odd, (c) => c.codePointAt().toString(16).toUpperCase().padStart(4, '0'));
    mark.textContent = names.map((name) => `U+${name}`).join(' ');
    line.append(shown.slice(written, index), mark);
    written = index + odd.length;
  }
  line.append(shown.slice(written));
  if (text.length > MAX_LINE) {
    const rest = line.appendChild(document.createElement('span'));
    rest.className = 'quiet';
    rest.textContent = ` … ${(text.length - MAX_LINE).toLocaleString('en')} more characters`;
  }
  return line;
}

/** The lines of a view. */
export function linesIn(view) {
  return view.querySelectorAll('i');
}

/**
 * Colors the lines of a text. `runs` are its pieces: pairs of a length and a kind. Works while the browser is idle. A
 * line that does not show its text as it is stays as it is.
 */
export async function color(lines, runs) {
  let [at, left, kind] = [0, 0, ''];
  for (let i = 0; i < lines.length; i++) {
    if (i % LINES_OF_BLOCK === 0) await idle();
    const line = lines[i];
    const text = line.textContent;
    const pieces = [];
    // The line feed after it belongs to the runs, too.
    for (let place = 0; place <= text.length && (left || at < runs.length); ) {
      if (!left) [left, kind] = runs[at++];
      const length = Math.min(left, text.length + 1 - place);
      const piece = text.slice(place, place + length);
      pieces.push(kind ? colored(piece, kind) : piece);
      place += length;
      left -= length;
    }
    if (pieces.some((piece) => piece.className) && !line.firstElementChild) line.replaceChildren(...pieces);
  }
}

function colored(text, kind) {
  return Object.assign(document.createElement('span'), { className: `is-${kind}`, textContent: text });
}

function idle() {
  return new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
}
