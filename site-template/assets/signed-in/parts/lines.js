// The difference of two texts, line by line.

import { lineDiff } from '../../viewer/line-diff.js';

const CONTEXT = 3;

/** The steps between lists of lines: `[sign, line, old number, new number]`, with the signs ` `, `-` and `+`. */
export function difference(before, after) {
  const steps = [];
  let [old, now] = [0, 0];
  for (const [sign, count] of lineDiff(before, after)) {
    for (let i = 0; i < count; i++) {
      if (sign === '-') steps.push(['-', before[old], ++old, undefined]);
      else if (sign === '+') steps.push(['+', after[now], undefined, ++now]);
      else steps.push([' ', before[old], ++old, ++now]);
    }
  }
  return steps;
}

/** The steps with changes and the lines around them; `undefined` stands for left out lines. */
export function hunks(steps) {
  const near = new Uint8Array(steps.length);
  steps.forEach(([sign], at) => {
    if (sign !== ' ') near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  return steps.flatMap((step, at) => (near[at] ? [step] : near[at - 1] || at === 0 ? [undefined] : []));
}
