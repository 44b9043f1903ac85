// The files of a version: opens what the page does not show from its package, colors code, shows pictures and
// differences, copies and saves files, and links to lines.

import { openPackage } from './viewer/zip.js';
import { color, linesIn, linesOf, textView } from './viewer/text.js';
import { pictureType, pictureView } from './viewer/picture.js';
import { differenceView } from './viewer/difference.js';

/** The largest file that is shown, and the largest that is saved or, if it is a text, colored. */
const [MAX_SHOWN, MAX_SAVED, MAX_COLORED] = [8 << 20, 256 << 20, 256 << 10];

/** Milliseconds after which a text stays without colors, or two texts without their difference. */
const MAX_WORK = 3000;

const LANGUAGES = {
  __proto__: null,
  bash: 'bash', sh: 'bash', zsh: 'bash', css: 'css', scss: 'css', less: 'css', go: 'go', html: 'html', htm: 'html',
  svg: 'html', xml: 'html', ini: 'ini', cfg: 'ini', conf: 'ini', json: 'json', jsonl: 'json', md: 'md', mdx: 'md',
  py: 'py', rs: 'rs', sql: 'sql', toml: 'toml', js: 'ts', cjs: 'ts', mjs: 'ts', jsx: 'ts', ts: 'ts', tsx: 'ts',
  mts: 'ts', cts: 'ts', yaml: 'yaml', yml: 'yaml',
};

const tree = document.querySelector('.tree');
const announcement = document.querySelector('[data-announce]');
const files = new Map();

for (const details of tree.querySelectorAll('details')) {
  const body = bodyOf(details);
  const number = Number(body.id.slice('file-'.length));
  const name = details.querySelector('bdi').textContent;
  const isChanged = !!details.querySelector('.badge-changed');
  files.set(number, { details, body, number, name, isChanged, view: body.querySelector('.code') });
}

/** The element with the content of a file. */
function bodyOf(details) {
  const found = details.querySelector('[id^=file-]');
  if (found.tagName !== 'P') return found;
  const body = document.createElement('div');
  found.replaceWith(body);
  [body.id, found.id, found.className] = [found.id, '', 'left-out'];
  body.append(found);
  return body;
}

/** The promise of a package's files, read once. */
function once(url) {
  let found;
  return () => {
    found ??= openPackage(url).catch((error) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

const own = once(document.querySelector('.download a').href);
const before = once(tree.dataset.before);

async function entryOf({ number }) {
  const entries = await own();
  if (entries.length !== files.size) throw new Error('it has other files than this page says');
  return entries[number - 1];
}

/** The text of a file's bytes. `undefined` for what is no text. */
function decoded(bytes) {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function textOf(file) {
  file.text ??= decoded(await (await entryOf(file)).read(MAX_SHOWN));
  return file.text;
}

/** Makes a file ready to read, at most once; again if that failed. */
function prepare(file) {
  file.ready ??= (file.view ? improve(file) : load(file)).catch((error) => {
    file.ready = undefined;
    say(file, `The package cannot be read: ${error.message}.`);
  });
  return file.ready;
}

/** Adds what only a script can do to a text of the page. */
async function improve(file) {
  addTools(file, true);
  paint(file);
}

/** Shows a file from the package. */
async function load(file) {
  say(file, 'Reading the package …');
  const entry = await entryOf(file);
  if (entry.size > MAX_SHOWN) {
    addTools(file, false);
    say(file, 'This file is too large to show here. You can save it.');
    return;
  }
  const bytes = await entry.read(MAX_SHOWN);
  if (pictureType(file.name)) {
    addTools(file, false);
    show(file, await pictureView(bytes, file.name));
    return;
  }
  file.text = decoded(bytes);
  addTools(file, file.text !== undefined);
  if (file.text === undefined) {
    say(file, 'This file is no text. You can save it.');
    return;
  }
  file.view = textView(file.text);
  show(file, file.view);
  paint(file);
}

function show(file, ...content) {
  file.body.replaceChildren(...(file.tools ? [file.tools] : []), ...content);
}

function say(file, text) {
  const note = Object.assign(document.createElement('p'), { className: 'left-out', textContent: text });
  note.setAttribute('role', 'status');
  show(file, note);
}

function addTools(file, isText) {
  if (file.tools) return;
  file.tools = Object.assign(document.createElement('div'), { className: 'tools' });
  if (isText && file.isChanged && tree.dataset.before) {
    const changes = button('Changes', () => toggleDifference(file), `since ${tree.dataset.version} in ${file.name}`);
    changes.setAttribute('aria-pressed', 'false');
    file.changes = changes;
    file.tools.append(changes);
  }
  if (isText) file.tools.append(button('Copy', (self) => copy(self, textOf(file)), file.name));
  file.tools.append(button('Link', (self) => copy(self, addressOf(file)), `to ${file.name}`));
  file.tools.append(button('Save', () => save(file), file.name));
  file.body.prepend(file.tools);
}

function button(label, act, rest = '') {
  const made = Object.assign(document.createElement('button'), { type: 'button' });
  const unseen = Object.assign(document.createElement('span'), { className: 'unseen', textContent: ` ${rest}` });
  made.append(label, unseen);
  made.addEventListener('click', () => act(made));
  return made;
}

/** Copies a text, or the promise of one. */
async function copy(self, text) {
  const [label] = self.childNodes;
  const before = (label.before ??= label.data);
  let [short, sentence] = ['Copied', 'Copied'];
  try {
    await navigator.clipboard.writeText(await text);
  } catch {
    [short, sentence] = ['Not copied', 'The browser does not let this page copy.'];
  }
  label.data = short;
  announce(sentence);
  self.addEventListener('blur', () => (label.data = before), { once: true });
}

function announce(sentence) {
  announcement.textContent = '';
  requestAnimationFrame(() => (announcement.textContent = sentence));
}

/** Hands the file to the browser as a download, in a type that no browser runs. */
async function save(file) {
  try {
    const bytes = await (await entryOf(file)).read(MAX_SAVED);
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    Object.assign(document.createElement('a'), { href: address, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch (error) {
    announce(`The package cannot be read: ${error.message}.`);
  }
}

/** Shows the difference to the version before, or the text again. */
async function toggleDifference(file, isWanted = file.changes?.getAttribute('aria-pressed') === 'false') {
  if (!file.changes) return;
  file.changes.setAttribute('aria-pressed', `${isWanted}`);
  if (!isWanted) {
    show(file, file.view);
    return;
  }
  try {
    file.difference ??= await difference(file);
    if (file.changes.getAttribute('aria-pressed') === 'true') show(file, file.difference);
  } catch (error) {
    say(file, `The difference cannot be shown: ${error.message}.`);
  }
}

async function difference(file) {
  const [now, { path }] = [await textOf(file), await entryOf(file)];
  const old = (await before()).find((entry) => entry.path === path);
  const text = decoded(await old.read(MAX_SHOWN));
  if (text === undefined || now === undefined) throw new Error('one of them is no text');
  const [a, b] = [linesOf(text), linesOf(now)];
  return differenceView(a, b, await ask({ before: a, after: b }));
}

/** Colors a text. */
async function paint({ view, name }) {
  const lines = linesIn(view);
  const text = Array.from(lines, (line) => line.textContent).join('\n');
  const program = /^#!.*\b(bash|sh|python|node)/.exec(text)?.[1] ?? '';
  const extension = name.includes('.') ? name.split('.').pop().toLowerCase() : '';
  const language = LANGUAGES[extension] ?? { bash: 'bash', sh: 'bash', python: 'py', node: 'ts' }[program];
  if (!language || text.length > MAX_COLORED) return;
  await ask({ text, language }).then((runs) => color(lines, runs), () => {});
}

let worker;
let asked = 0;

/** The answer of the worker. A hostile text must not keep it busy. */
function ask(question) {
  worker ??= new Worker(new URL('viewer/worker.js', import.meta.url), { type: 'module' });
  const [own, id] = [worker, asked++];
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      own.removeEventListener('message', listen);
    };
    const fail = () => {
      end();
      own.terminate();
      if (worker === own) worker = undefined;
      reject(new Error('it takes too long'));
    };
    const listen = ({ data }) => {
      if (data.id !== id) return;
      end();
      resolve(data.result);
    };
    const timer = setTimeout(fail, MAX_WORK);
    own.addEventListener('message', listen);
    own.addEventListener('error', fail, { once: true });
    own.postMessage({ id, ...question });
  });
}

/** The address of a file, or of its lines that are selected or marked. */
function addressOf({ number, view }) {
  const lines = view ? Array.from(linesIn(view)) : [];
  const selection = getSelection();
  const numbers = (isWanted) => lines.flatMap((line, i) => (isWanted(line) ? [i + 1] : []));
  const chosen = selection.isCollapsed ? [] : numbers((line) => selection.containsNode(line, true));
  const marked = numbers((line) => line.classList.contains('marked'));
  const [first, last] = chosen.length ? [chosen[0], chosen.at(-1)] : [marked[0], marked.at(-1)];
  return new URL(anchor(number, first, last), location.href).href;
}

function anchor(number, first, last = first) {
  return `#file-${number}${first ? `-L${first}` : ''}${last !== first ? `-L${last}` : ''}`;
}

/** Opens the file, and marks the lines, that the address names. */
async function follow() {
  const [, number, first, last] = /^#file-(\d+)(?:-L(\d+))?(?:-L(\d+))?$/.exec(location.hash) ?? [];
  const file = files.get(Number(number));
  if (!file) return;
  file.details.open = true;
  await prepare(file);
  if (!first) {
    file.details.scrollIntoView();
    return;
  }
  if (file.changes?.getAttribute('aria-pressed') === 'true') await toggleDifference(file, false);
  for (const line of tree.querySelectorAll('.marked')) line.classList.remove('marked');
  if (!file.view) return;
  const chosen = Array.from(linesIn(file.view)).slice(first - 1, Math.max(first, last ?? first));
  for (const line of chosen) line.classList.add('marked');
  chosen[0]?.scrollIntoView({ block: 'center' });
}

// A click on the number of a line links to it; with Shift, to the lines from the last one on.
tree.addEventListener('click', (event) => {
  const line = event.target.closest('.code:not(.difference) i');
  const file = [...files.values()].find(({ view }) => view && view.contains(line));
  if (!line || !file) return;
  const gutter = parseFloat(getComputedStyle(line, '::before').width);
  if (event.clientX - file.view.getBoundingClientRect().left > gutter) return;
  const at = 1 + Array.from(linesIn(file.view)).indexOf(line);
  const [, other] = new RegExp(`^#file-${file.number}-L(\\d+)`).exec(location.hash) ?? [];
  const from = event.shiftKey && other ? Number(other) : at;
  location.hash = anchor(file.number, Math.min(from, at), Math.max(from, at));
});

for (const file of files.values()) {
  file.details.addEventListener('toggle', () => file.details.open && prepare(file));
  if (file.details.open) prepare(file);
}

// A changed file in the list of changes opens with its changes.
for (const link of document.querySelectorAll('.changes a')) {
  const file = files.get(Number(link.hash.slice('#file-'.length)));
  link.addEventListener('click', async () => {
    file.details.open = true;
    await prepare(file);
    await toggleDifference(file, true);
  });
}

addEventListener('hashchange', follow);
follow();
