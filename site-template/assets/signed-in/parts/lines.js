// The difference of two texts, line by line.

const MAX_CELLS = 4_000_000;
const CONTEXT = 3;

/**
 * The steps from one text to the other: `[sign, line, old number, new number]` with the signs ` `, `-` and `+`, or
 * undefined if the texts differ too much for a table of all pairs of lines.
 */
export function difference(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [endA, endB] = [before.length, after.length];
  while (endA > start && endB > start && before[endA - 1] === after[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [rows, columns] = [endA - start, endB - start];
  if (rows * columns > MAX_CELLS) return undefined;
  const width = columns + 1;
  // The length of the longest common subsequence of what follows.
  const longest = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      longest[i * width + j] =
        before[start + i] === after[start + j]
          ? longest[(i + 1) * width + j + 1] + 1
          : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const steps = [];
  const keep = (i, j) => steps.push([' ', before[i], i + 1, j + 1]);
  for (let i = 0; i < start; i++) keep(i, i);
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[start + i] === after[start + j]) keep(start + i++, start + j++);
    else if (j >= columns || (i < rows && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      steps.push(['-', before[start + i], start + ++i, undefined]);
    } else steps.push(['+', after[start + j], undefined, start + ++j]);
  }
  for (let k = 0; k < before.length - endA; k++) keep(endA + k, endB + k);
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
