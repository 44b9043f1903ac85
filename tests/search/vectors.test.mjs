// The comparison with a table finds differences.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { write } from './writer.mjs';

const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
after(() => rmSync(folder, { recursive: true }));

const index = join(folder, 'api/v1/search/_index');
mkdirSync(index, { recursive: true });
const skills = [
  { id: 1, slug: 'one', words: { pdf: 20 } },
  { id: 2, slug: 'team--two', words: { pdf: 10 } },
];
for (const [name, bytes] of write(skills)) writeFileSync(join(index, name), bytes);

/** Adds the digest of the hits. */
const sealed = (vector) => {
  const all = vector.hits.map(([slug, score]) => `${slug} ${score}\n`).join('');
  return { ...vector, sha256: createHash('sha256').update(all).digest('hex') };
};

const RIGHT = [
  {
    q: 'pdf zz',
    namespace: null,
    total: 2,
    hits: [
      ['one', 320],
      ['team--two', 160],
    ],
    unknown: [['zz', null]],
  },
  { q: 'pdf zz', namespace: 'team', total: 1, hits: [['team--two', 160]], unknown: [['zz', null]] },
  { q: '', namespace: null, total: 0, hits: [] },
].map(sealed);

function compare(vectors, of = folder) {
  const table = join(folder, 'table.jsonl');
  writeFileSync(table, vectors.map((vector) => `${JSON.stringify(vector)}\n`).join(''));
  const program = fileURLToPath(new URL('vectors.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, of, table], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

test('table that agrees exits with 0', () => {
  assert.deepEqual(compare(RIGHT), { status: 0, said: '3 of 3 queries agree\n' });
});

test('every difference is printed', () => {
  const wrong = [
    { ...RIGHT[0], total: 3 },
    {
      ...RIGHT[0],
      hits: [
        ['one', 321],
        ['team--two', 160],
      ],
    },
    {
      ...RIGHT[0],
      hits: [
        ['team--two', 160],
        ['one', 320],
      ],
    },
    { ...RIGHT[1], sha256: RIGHT[0].sha256 },
    { ...RIGHT[0], unknown: [['zz', 'pdf']] },
  ];
  const { status, said } = compare([...wrong, RIGHT[0]]);
  assert.equal(status, 1);
  assert.deepEqual(said.split('\n'), [
    '"pdf zz": total 2, not 3',
    '"pdf zz": at 1 one (320), not one (321)',
    '"pdf zz": at 1 one (320), not team--two (160)',
    '"pdf zz" in team: a difference after the first hits',
    '"pdf zz": unknown [["zz",null]], not [["zz","pdf"]]',
    '1 of 6 queries agree',
    '',
  ]);
});

test('empty table or folder is an error', () => {
  assert.equal(compare([]).status, 2);
  const { status, said } = compare(RIGHT.slice(0, 1), join(folder, 'nowhere'));
  assert.equal(status, 1);
  assert.match(said, /has no search index/);
});
