// The stem of an English word: M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with its author's
// two later changes (`bli`, `logi`).

// Endings and what replaces them; the first that fits counts.
const pairs = (text) => text.split(' ').map((pair) => pair.split('>'));
const STEP_2 = pairs(
  'ational>ate ization>ize iveness>ive fulness>ful ousness>ous tional>tion biliti>ble entli>ent ousli>ous ation>ate ' +
    'alism>al aliti>al iviti>ive enci>ence anci>ance izer>ize alli>al ator>ate logi>log bli>ble eli>e',
);
const STEP_3 = pairs('icate>ic ative> alize>al iciti>ic ical>ic ness> ful>');
const STEP_4 = 'ement ance ence able ible ment ant ent ion ism ate iti ous ive ize al er ic ou'.split(' ');

/** One letter for each: `v` for a vowel (a, e, i, o, u, and y after a consonant), `c` for a consonant. */
function kinds(text) {
  let last = 'v';
  const kind = (letter) => (/[aeiou]/.test(letter) || (letter === 'y' && last === 'c') ? 'v' : 'c');
  return text.replace(/./g, (letter) => (last = kind(letter)));
}

const hasVowel = (text) => kinds(text).includes('v');
const measure = (text) => kinds(text).split('vc').length - 1;
const endsShort = (text) => kinds(text).endsWith('cvc') && !/[wxy]$/.test(text);
const endsDouble = (text) => /(.)\1$/.test(text) && kinds(text).endsWith('c');

/** The text without an ending, if it has it. */
const before = (text, end) => (text.endsWith(end) ? text.slice(0, text.length - end.length) : undefined);

function past(text) {
  const agreed = before(text, 'eed');
  if (agreed !== undefined) return measure(agreed) > 0 ? `${agreed}ee` : text;
  const start = before(text, 'ed') ?? before(text, 'ing');
  if (start === undefined || !hasVowel(start)) return text;
  if (/(at|bl|iz)$/.test(start)) return `${start}e`;
  if (endsDouble(start) && !/[lsz]$/.test(start)) return start.slice(0, -1);
  return measure(start) === 1 && endsShort(start) ? `${start}e` : start;
}

/** The stem of a word in lower case. */
export function stem(word) {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  let text = past(word.replace(/(ss|i)es$|(?<!s)s$/, '$1'));
  text = text.replace(/y$/, (y, at) => (hasVowel(text.slice(0, at)) ? 'i' : y));
  for (const step of [STEP_2, STEP_3]) {
    const [end, other] = step.find(([end]) => text.endsWith(end)) ?? [];
    if (end && measure(before(text, end)) > 0) text = before(text, end) + other;
  }
  const end = STEP_4.find((end) => text.endsWith(end));
  const start = end && before(text, end);
  if (end && measure(start) > 1 && (end !== 'ion' || /[st]$/.test(start))) text = start;
  const bare = before(text, 'e');
  if (bare !== undefined && (measure(bare) > 1 || (measure(bare) === 1 && !endsShort(bare)))) text = bare;
  return /ll$/.test(text) && measure(text.slice(0, -1)) > 1 ? text.slice(0, -1) : text;
}
