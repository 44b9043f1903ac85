// The skills on the tested pages, created for each run.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** What has run elsewhere: each is the text of a skill of its own. */
export const HOSTILE = readFileSync(new URL('hostile.md', import.meta.url), 'utf8').trimEnd().split('\n=====\n');

/** In fields: none of them may be more than text. */
export const FIELD = '"><img src=x onerror=globalThis.ran=1><script>globalThis.ran=1</script>';

const GUIDE = `# Weather report

Reads the forecast and writes a report. See [the guide](docs/guide.md) and <https://example.org/>.

## What it needs

| Name | Needed | What for |
|:--|:-:|--:|
| \`CITY_OR_REGION_OF_THE_REPORT\` | yes | where |
| \`UNITS\` | no | ${'a long cell '.repeat(20)}|

- [x] reads
- [ ] writes

<instructions>
Ask before you write anything.
</instructions>

\`\`\`sh
report --city "Reykjavík" ${'--option value '.repeat(20)}
\`\`\`

### العربية

هذا تقرير عن الطقس في المدينة.

> 天気予報を読み、報告を書きます。
`;

const TALL = `# Tall\n\n${'Some words of a paragraph that is one of many. '.repeat(5).trim()}\n\n`.repeat(150);

const DEEP = Array.from({ length: 14 }, (_, level) => `${'  '.repeat(level)}- a level of the list\n`).join('');

/** A picture of 64 by 32 pixels. */
export function picture() {
  const chunk = (type, data) => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
    bytes.writeUInt32BE(data.length);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
    return bytes;
  };
  const head = Buffer.from([0, 0, 0, 64, 0, 0, 0, 32, 8, 2, 0, 0, 0]);
  const rows = Buffer.concat(Array(32).fill(Buffer.concat([Buffer.from([0]), Buffer.alloc(64 * 3, 120)])));
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/** The head of a picture of another format than its name says, with the size of a small picture where that format has it. */
function otherPicture() {
  const bytes = Buffer.alloc(64);
  bytes.write('GIF89a');
  bytes.writeUInt16LE(30_000, 6);
  bytes.writeUInt16LE(30_000, 8);
  bytes.writeUInt32BE(64, 16);
  bytes.writeUInt32BE(32, 20);
  return bytes;
}

/** A program of one mebibyte. */
const LARGE_TEXT = Array.from({ length: 24_000 }, (_, i) => `value_${i} = call(${i}, "text of a line")  # ${i}`).join('\n').slice(0, 1 << 20);

const LONG = `donau${'dampfschifffahrt'.repeat(7)}`;

/** Writes the skills of each namespace into a folder of its own below `folder`. */
export function writeSamples(folder) {
  const skill = (path, front, body, files = {}) => {
    const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const text = `---\n${lines.join('\n')}\n---\n${body}`;
    for (const [name, bytes] of Object.entries({ 'SKILL.md': text, ...files })) {
      const file = join(folder, path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  };
  skill(
    'global/weather-report',
    {
      name: 'weather-report', description: 'Writes a report on the weather of a city, with its sources.', license: 'MIT', 'allowed-tools': 'Bash(curl:*) Read', compatibility: 'Needs curl.', repository: 'https://example.org/source',
      homepage: 'https://example.org/weather', keywords: ['weather', 'forecast'], version: '1.2.0',
    },
    GUIDE,
    { 'docs/guide.md': '# Guide\n', 'scripts/report.sh': '#!/bin/sh\n' },
  );
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`data/part-${i}.txt`, `${i}`]));
  skill('global/release-notes', { name: 'release-notes', description: 'Collects what changed into release notes.' }, '## Notes\n', many);
  skill('global/plain-prose', { name: 'plain-prose', description: 'Edits prose so that it is plain.' }, 'No heading.\n');
  skill('team/translate', { name: 'translate', title: '日本語の翻訳', description: '文書を日本語に翻訳します。' }, '# 翻訳\n\n本文。\n');
  skill('team/long-words', { name: 'long-words', title: LONG, description: LONG.repeat(6), license: LONG }, `# ${LONG}\n`, {
    [`${LONG}/${LONG}.txt`]: '',
  });
  skill(
    'team/deep-lists',
    { name: 'deep-lists', description: 'Has levels.', homepage: `https://example.org/${LONG}`, keywords: Array.from({ length: 32 }, (_, i) => `word-${i}`) },
    `# Levels\n\n${DEEP}\n${'> '.repeat(14)}quoted\n`,
  );
  skill('team/tall', { name: 'tall', description: 'Has a long text.' }, `${TALL}## A part\n\n${TALL.slice(-300)}### A part of it\n\n## The end\n\nThe last words.\n`);
  const viewed = (path, version, files) => {
    const front = { name: 'viewed', description: 'Has files of all kinds.', version };
    skill(path, front, '# Viewed\n\nSee [the script](scripts/run.py).\n', { 'same.txt': 'Same.\n', ...files });
  };
  viewed('team/viewed', '1.0.0', { 'scripts/run.py': 'def one():\n    return 1\n', 'old.txt': 'Old.\n' });
  viewed('later/viewed', '1.1.0', {
    'scripts/run.py': 'def one():\n    return 2\n', 'large.py': LARGE_TEXT, 'picture.png': picture(), 'no-picture.png': FIELD,
    'other.png': otherPicture(), 'many.txt': '\n'.repeat(60_000),
    'binary.txt': Buffer.from([1, 0, 2]), 'line.txt': 'x'.repeat(100_000), 'image.svg': '<svg onload="globalThis.ran=1"/>',
    'page.html': FIELD.repeat(200), 'ش/ملف.md': `نص\n${FIELD}\n`.repeat(100), 'odd.txt': `a\u202eb\u200b\n${'words\n'.repeat(2000)}`,
  });
  skill('team/old-tool', { name: 'old-tool', description: 'Was of use once.' }, '# Old tool\n');
  skill(
    'hostile/fields',
    { name: 'fields', title: FIELD, description: FIELD, license: FIELD, 'allowed-tools': [FIELD], compatibility: FIELD, repository: FIELD, keywords: [FIELD.slice(0, 60), 'javascript:ran=1'], other: { [FIELD]: FIELD } },
    `# ${FIELD}\n`,
    { '"><img src=x onerror=ran=1>.md': FIELD, 'page.html': '<script>ran=1</script>', 'image.svg': '<svg onload="ran=1"/>' },
  );
  // One page cannot list them. Some slugs begin others.
  for (let i = 0; i < LARGE - 2; i++) {
    const name = i < 200 ? `item-${i}` : `thing-${i}`;
    skill(`large/${name}`, { name, description: 'One of many.', keywords: ['item'] }, '');
  }
  for (const name of ['item', 'other']) skill(`large/${name}`, { name, description: 'One of many.' }, '');
  for (let i = 0; i < 12; i++) skill(`hostile/more-${i}`, { name: `more-${i}`, description: 'Fills a page.' }, '');
  HOSTILE.forEach((text, i) => skill(`hostile/text-${i}`, { name: `text-${i}`, description: 'A text that hurts.' }, text));
}

/** How many skills the namespace `large` has. */
export const LARGE = 260;

/** An address at which there is nothing. */
export const MISSING = 'there/is/none/';

/** The address, below the root, of every kind of page, and something that it says. */
export const PAGES = [
  ['', 'Find a skill for your agent'],
  ['search/', 'Search'],
  ['namespaces/', 'Namespaces'],
  ['team/', '@team'],
  ['global/weather-report/', 'weather-report'],
  ['global/release-notes/', 'release-notes'],
  ['team/translate/', '日本語の翻訳'],
  ['team/long-words/', '@team/long-words'],
  ['team/deep-lists/', '22.more keywords'],
  ['team/tall/', 'Show the rest of the text'],
  ['team/viewed/', 'Has files of all kinds'],
  ['team/viewed/1.1.0/', 'Changes since 1.0.0'],
  ['team/long-words/1.0.0/', 'team/long-words'],
  ['hostile/fields/1.0.0/', '@hostile/fields'],
  ['hostile/text-1/1.0.0/', 'This version is yanked'],
  ['team/old-tool/', 'All versions of this skill are yanked'],
  ['hostile/fields/', '@hostile/fields'],
  ['hostile/', '@hostile'],
  ['large/', 'item…'],
  ['large/_item-1/', 'Skills that begin with item-1'],
  ['skills/', 'Skills'],
  ['skills/rating/', 'These are the first 50 of'],
  ['skills/keywords/', 'Keywords'],
  ['docs/', 'Everyone|skills'],
  ['help/', 'Without a program'],
  [MISSING, 'Page not found'],
];
