// Compares two texts line by line (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).

/** With more differences than this, the middle counts as replaced. */
const MAX_DIFFERENCES = 1000;

/** What leads from `before` to `after`, lists of lines: pairs of a sign (`=`, `-` or `+`) and a number of lines. */
export function lineDiff(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const steps = [];
  const add = (sign, count) => {
    if (!count) return;
    if (steps.at(-1)?.[0] === sign) steps.at(-1)[1] += count;
    else steps.push([sign, count]);
  };
  add('=', start);
  for (const [sign, count] of middle(a, b)) add(sign, count);
  add('=', end);
  return steps;
}

function middle(a, b) {
  const [n, m] = [a.length, b.length];
  const max = Math.min(n + m, MAX_DIFFERENCES);
  const reached = new Map([[1, 0]]);
  const trace = [];
  for (let d = 0; d <= max; d++) {
    trace.push(new Map(reached));
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(reached, k, d) ? reached.get(k + 1) : reached.get(k - 1) + 1;
      while (x < n && x - k < m && a[x] === b[x - k]) x++;
      reached.set(k, x);
      if (x >= n && x - k >= m) return path(trace, n, m);
    }
  }
  return [['-', n], ['+', m]];
}

function isDown(reached, k, d) {
  return k === -d || (k !== d && reached.get(k - 1) < reached.get(k + 1));
}

/** The steps, found from the end. */
function path(trace, n, m) {
  const steps = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d--) {
    const k = x - y;
    const from = isDown(trace[d], k, d) ? k + 1 : k - 1;
    const [fromX, isFirst] = [trace[d].get(from), d === 0];
    const same = isFirst ? x : Math.min(x - fromX - (from < k ? 1 : 0), y - (fromX - from) - (from > k ? 1 : 0));
    steps.push(['=', same]);
    [x, y] = [x - same, y - same];
    if (isFirst) break;
    steps.push(from > k ? ['+', 1] : ['-', 1]);
    [x, y] = [fromX, fromX - from];
  }
  return steps.reverse();
}
