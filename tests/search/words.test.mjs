import assert from 'node:assert/strict';
import { test } from 'node:test';

import { words } from '../../site-template/assets/search.js';

const TABLE = [
  ['', []],
  ['  … — !?', []],
  ['Data-Tools v2.0', ['data', 'tools', 'v2', '0']],
  ['snake_case camelCase', ['snake', 'case', 'camelcase']],
  ['Café CAFE\u0301 naïve', ['cafe', 'cafe', 'naive']],
  ['ΟΔΥΣΣΕΥΣ Σ ςς', ['οδυσσευσ', 'σ', 'σσ']],
  ['İstanbul ISTANBUL ıı', ['istanbul', 'istanbul', 'ıı']],
  ['ﬁne ① ² Ⅷ ½', ['fine', '1', '2', 'viii', '1', '2']],
  ['ＦＵＬＬ　ｗｉｄｔｈ', ['full', 'width']],
  ['Straße', ['straße']],
  ['数据分析', ['数据', '据分', '分析']],
  ['猫', ['猫']],
  ['用Rust写工具2個', ['用', 'rust', '写工', '工具', '2', '個']],
  ['ｶﾞ カタひら', ['ガ', 'カタ', 'タひ', 'ひら']],
  ['한국어 가', ['한국', '국어', '가']],
  ['ภาษา', ['ภา', 'าษ', 'ษา']],
  ['ລາວ ខ្មែរ မြ', ['ລາ', 'າວ', 'ខ្', '្ម', 'មែ', 'ែរ', 'မြ']],
  ['सर्च', ['सर्च']],
  ['עִבְרִית', ['עִבְרִית']],
  ['go🚀fast 👩‍💻', ['go', 'fast']],
  ['𝒳𝔂 𠮷野家', ['xy', '𠮷野', '野家']],
  ['don’t e-mail', ['don', 'e', 'mail']],
  ["the user's l'eau 's", ['the', 'user', 'l', 'eau', 's']],
  ['C++, c# F# .NET asp.net', ['cpp', 'csharp', 'fsharp', 'dotnet', 'asp', 'net']],
  ['lone \ud800 half', ['lone', 'half']],
  [`${'x'.repeat(45)} ${'𐐨'.repeat(41)}`, ['x'.repeat(40), '𐐨'.repeat(40)]],
];

for (const [text, expected] of TABLE) {
  test(`words of ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.deepEqual(words(text), expected);
  });
}

test('words of a long text take linear time', () => {
  assert.equal(words('ab, '.repeat(100_000)).length, 100_000);
  assert.equal(words('猫'.repeat(100_000)).length, 99_999);
});
