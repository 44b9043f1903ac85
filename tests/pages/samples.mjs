// The skills on the tested pages, created for each run.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
  skill('team/tall', { name: 'tall', description: 'Has a long text.' }, `${TALL}## The end\n\nThe last words.\n`);
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
