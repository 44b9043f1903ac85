// Logarithms in whole numbers, and what ranking makes of them.

/** The position of the highest bit; 0 for 0. */
export function exponentOf(x) {
  let exponent = 0;
  while (2 ** (exponent + 1) <= x) exponent++;
  return exponent;
}

/** Four times the binary logarithm, rounded down. Divisions by powers of two are exact. */
export function log(x) {
  const exponent = exponentOf(x);
  const mantissa = (x / 2 ** exponent) * 65536;
  return 4 * exponent + [77936, 92682, 110218].filter((root) => mantissa >= root).length;
}

/** The smallest power of two that is at least 16 and the number of skills. */
export function sizeClassOf(skills) {
  return 2 ** exponentOf(2 * Math.max(skills, 16) - 1);
}

/** The weight of a word that `df` skills have. */
export function idfOf(skills, df) {
  return Math.max(1, 4 + log(sizeClassOf(skills)) - log(df));
}
