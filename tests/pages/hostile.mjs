// Attempts in every field and file of a package, in what people type, and in every place that shows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture } from './samples.mjs';
import { answerQuestion, asIn, choose, folderOf, open, press, see } from './work-steps.mjs';

/** Markup that runs a script and asks another host, if a place takes it for more than text. It names its row. */
const attack = (row) => `"><img src=//a.test/${row} onerror=globalThis.ran='${row}'><script>globalThis.ran='${row}'</script>`;
const short = (row) => `"><img src=x onerror=globalThis.ran='${row}'>`;

/** Fields of the front matter. */
const FIELDS = {
  title: attack('title'),
  description: attack('description'),
  license: attack('license'),
  compatibility: attack('compatibility'),
  'allowed-tools': [attack('tool')],
  keywords: [short('keyword'), 'javascript:globalThis.ran=1'],
  homepage: "https://a.test/'onmouseover='globalThis.ran=1",
  repository: "javascript:globalThis.ran='repository'//",
  metadata: { [short('key')]: attack('value'), ['__proto__']: attack('prototype'), constructor: attack('constructor') },
};

const README = `${attack('readme')}

[a](javascript:globalThis.ran='link') [b](<java	script:globalThis.ran='link'>) [c](data:text/html,${short('data')})
![d](https://a.test/image.png) ![e](page.html) [f](page.html) [g]: <#"onclick=globalThis.ran='anchor'>
<base href="//a.test/"> <meta http-equiv=refresh content="0;url=//a.test/"> <form action=//a.test/><button>Go</button></form>
`;

/** Files by path. Numbers at the end make each version another one. */
const FILES = {
  [`${short('file')}.md`]: attack('markdown'),
  [`${short('folder')}/a.txt`]: attack('text'),
  ['__proto__']: attack('name-prototype'),
  'constructor/toString.js': attack('name-constructor'),
  [`${'d/'.repeat(100)}deep.txt`]: attack('deep'),
  'page.html': attack('html'),
  'script.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.ran='svg'"><image href="//a.test/svg"/></svg>`,
  'style.css': `@import "//a.test/css"; ${attack('css')}`,
  'data.json': JSON.stringify({ ['__proto__']: attack('json') }),
  'garbage.png': attack('garbage'),
  'polyglot.png': Buffer.concat([picture(), Buffer.from(attack('polyglot'))]),
  'polyglot.gif': `GIF89a/*${attack('gif')}*/=globalThis.ran=1;`,
  'huge.png': Buffer.concat([picture().subarray(0, 16), Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]), picture().subarray(24)]),
  'line.txt': attack('line').repeat(2000),
  'bidi.txt': `\u202e${attack('bidi')}\u2066\u200b`,
  'marks.txt': `${attack('marks')}${'\u0301'.repeat(20_000)}`,
  'zero.txt': `${attack('nul')}\0`,
};

/** Rows whose bytes are a picture or no text, so that no place shows them. */
const UNSEEN = ['garbage', 'polyglot', 'gif', 'nul'];
const rowsOf = (texts) => [...`${texts}`.matchAll(/ran='([\w-]+)'/g)].map(([, row]) => row);
const IN_FIELDS = [...new Set(rowsOf(JSON.stringify(FIELDS)))];
const IN_FILES = [...new Set(rowsOf([...Object.keys(FILES), ...Object.values(FILES)]))].filter((row) => !UNSEEN.includes(row));

/** The folder of a version. Paths are those of `FILES`, and of `more`. */
function hostileFolder(version, more = {}) {
  const front = { name: 'table', version, ...FIELDS };
  const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const files = { 'SKILL.md': `---\n${lines.join('\n')}\n---\n${README}\n${version}\n` };
  for (const [path, content] of Object.entries(FILES)) {
    const bytes = Buffer.from(content);
    // Bytes after a picture are no part of it.
    files[path === '__proto__' ? './__proto__' : path] = Buffer.concat([bytes, Buffer.from(`\n${version}\n`)]);
  }
  return folderOf('table', { ...files, ...more });
}

/** Opens everything on a page, and asserts that it shows these rows and that none of them had success. */
async function withstands(page, problems, rows) {
  const address = page.url();
  await page.$$eval('main details', (all) => all.forEach((details) => (details.open = true)));
  const isRead = () => !/Reading( the package)? …/.test(document.querySelector('main').textContent);
  await page.waitForFunction(isRead);
  await page.$$eval('.tools [aria-pressed=false]', (all) => all.forEach((button) => button.click()));
  await page.waitForFunction(isRead);
  const found = await page.evaluate(() => {
    const main = document.querySelector('main');
    const foreign = [...main.querySelectorAll('script, img, svg, iframe, object, embed, base, meta, link, style')];
    const links = [...document.links].filter(({ protocol }) => !/^(https?|mailto|blob):$/.test(protocol));
    const isWide = document.documentElement.scrollWidth > innerWidth;
    return { text: main.textContent, ran: globalThis.ran, isWide, elements: [...foreign, ...links].map((each) => each.outerHTML) };
  });
  assert.deepEqual([found.ran, found.elements, found.isWide], [undefined, [], false], address);
  assert.equal(page.url(), address);
  assert.deepEqual(problems.filter((problem) => !/status of 4/.test(problem)), [], address);
  assert.deepEqual(rows.filter((row) => !found.text.includes(`ran='${row}'`)), [], `${address} does not show rows`);
}

/** Goes on where `teamwork` ends: viktor is a member of `crew`, wanda decides reviews there. */
export function withstanding(world) {
  const as = asIn(world);

  const handIn = async (page, problems, version) => {
    await open(page, `${world.address}publish/?namespace=crew&slug=table`);
    await choose(page, hostileFolder(version));
    await see(page, '.checked', `@crew/table ${version}`);
    await page.type('[name=changelog]', attack('changelog'));
    await press(page, 'Check again');
    await see(page, '.checked', `@crew/table ${version}`);
    await withstands(page, problems, []);
    await press(page, 'Hand in');
    await see(page, '.result', 'waits for a review');
  };
  const decide = async (page, problems, verb) => {
    await open(page, `${world.address}reviews/`);
    await Promise.all([page.waitForNavigation(), page.click('#waiting a')]);
    await see(page, '.asked', 'changelog');
    await withstands(page, problems, ['description', 'changelog', ...IN_FILES]);
    await page.type('#comment', attack('comment'));
    await press(page, verb);
    // The verdict has an error, so an approval asks, too.
    await answerQuestion(page, {}, verb);
    await see(page, '.asked', verb === 'Reject' ? 'rejected' : 'approved');
    await withstands(page, problems, ['comment']);
  };

  test('hostile names of files are refused and shown as text', async () => {
    await as('viktor', async (page, problems) => {
      await open(page, `${world.address}publish/?namespace=crew`);
      await choose(page, hostileFolder('1.0.0', { [`\u202e${short('direction')}`]: '', [`\u0001${short('control')}`]: '' }));
      await see(page, '.checked [role=alert]', 'cannot be published');
      await withstands(page, problems, ['direction', 'control']);
    });
  });

  test('no attempt has success in reviews, on pages and in the viewer', async () => {
    const steps = [['1.0.0', 'Approve'], ['2.0.0', 'Reject'], ['3.0.0', 'Approve']];
    for (const [version, verb] of steps) {
      await as('viktor', (page, problems) => handIn(page, problems, version));
      await as('wanda', (page, problems) => decide(page, problems, verb));
    }
    const views = {
      'crew/table/': [...IN_FIELDS, 'readme', 'file', 'folder', 'changelog'],
      'crew/table/1.0.0/': ['title', 'changelog', ...IN_FILES],
      'crew/table/3.0.0/': ['title', 'changelog', ...IN_FILES],
      'crew/': ['title', 'description'],
      'search/?q=table&namespace=crew': ['title', 'description'],
      'skills/': ['title', 'description'],
    };
    const workViews = { 'me/': ['comment'], 'me/?skill=crew/table': [], 'reviews/?namespace=crew&status=all': [], 'settings/?namespace=crew': [] };
    for (const handle of [undefined, 'viktor']) {
      await as(handle, async (page, problems) => {
        for (const [path, rows] of Object.entries(views)) {
          await page.goto(world.address + path);
          if (path.includes('?q=')) await page.waitForSelector('[data-results] a');
          await withstands(page, problems, rows);
        }
        for (const [path, rows] of Object.entries(handle ? workViews : {})) {
          await open(page, world.address + path);
          await withstands(page, problems, rows);
        }
      });
    }
  });
}
