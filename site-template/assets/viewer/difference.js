// Shows what changed in a file: removed and added lines, with some around them.

import { lineElement } from './text.js';

/** Lines that are shown around a change. */
const AROUND = 3;

/** The most lines that are shown. */
const MAX_LINES = 20_000;

/** The element that shows the steps from `before` to `after`, lists of lines. */
export function differenceView(before, after, steps) {
  const view = document.createElement('pre');
  view.className = 'code difference';
  view.tabIndex = 0;
  const code = view.appendChild(document.createElement('code'));
  let [old, now, shown] = [0, 0, 0];
  const add = (name, text, number) => {
    if (shown++ >= MAX_LINES) return;
    const line = lineElement(text, name);
    line.dataset.n = number;
    code.append(line, '\n');
  };
  steps.forEach(([sign, count], position) => {
    // Unchanged lines are shown after the change before them, and before the change after them.
    const shownFirst = position ? AROUND : 0;
    const shownLast = position < steps.length - 1 ? AROUND : 0;
    for (let i = 0; i < count; i++) {
      if (sign === '-') add('del', before[old + i], old + i + 1);
      else if (sign === '+') add('ins', after[now + i], now + i + 1);
      else if (i < shownFirst || i >= count - shownLast) add('i', after[now + i], now + i + 1);
      else if (i === shownFirst) gap(code, count - shownFirst - shownLast);
    }
    if (sign !== '+') old += count;
    if (sign !== '-') now += count;
  });
  if (shown > MAX_LINES) gap(code, shown - MAX_LINES);
  return view;
}

function gap(code, count) {
  const text = document.createElement('span');
  text.className = 'gap';
  text.textContent = `${count.toLocaleString('en')} more lines`;
  code.append(text);
}
