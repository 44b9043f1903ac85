// The files of a version: opens what the page does not show from its package, colors code, shows pictures and
// differences, copies and saves files, and links to lines.

import { announce, copy } from './copying.js';
import { differenceView } from './viewer/difference.js';
import { languageOf } from './viewer/languages.js';
import { pictureType, pictureView } from './viewer/picture.js';
import { MAX_LINES, color, decoded, linesIn, linesOf, textView } from './viewer/text.js';
import { workerAt } from './viewer/work.js';
import { packageAt } from './viewer/zip.js';

/** Bytes of the largest file that is shown, and of the largest that is saved. */
const [MAX_SHOWN, MAX_SAVED] = [8 << 20, 256 << 20];

/** Characters of the longest text that is colored. */
const MAX_COLORED = 256 << 10;

const tree = document.querySelector('.tree');
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

const own = packageAt(document.querySelector('.download a').href);
const before = packageAt(tree.dataset.before);
const work = workerAt(new URL('viewer/worker.js', import.meta.url));

async function entryOf({ number }) {
  const entries = await own();
  if (entries.length !== files.size) throw new Error('it has other files than this page says');
  return entries[number - 1];
}

async function textOf(file) {
  file.text ??= decoded(await (await entryOf(file)).read(MAX_SHOWN));
  return file.text;
}

/** Makes a file ready to read, at most once; again if that failed. */
function prepare(file) {
  if (!file.ready && !file.view) say(file, 'Reading the package …');
  file.ready ??= (file.view ? improve(file) : load(file)).catch((error) => {
    file.ready = undefined;
    say(file, unreadable(error));
  });
  return file.ready;
}

function unreadable({ message }) {
  return `The package cannot be read: ${message}.`;
}

/** Adds what only a script can do to a text of the page. */
async function improve(file) {
  addTools(file, true);
  paint(file);
}

/** Shows a file from the package. */
async function load(file) {
  const entry = await entryOf(file);
  if (entry.size > MAX_SHOWN) {
    addTools(file, false);
    say(file, 'This file is too large to show here. You can save it.');
    return;
  }
  const bytes = await entry.read(MAX_SHOWN);
  if (pictureType(file.name)) {
    addTools(file, false);
    await pictureView(bytes, file.name).then(
      (picture) => show(file, picture),
      ({ message }) => say(file, `The picture cannot be shown: ${message}. You can save the file.`),
    );
    return;
  }
  file.text = decoded(bytes);
  addTools(file, file.text !== undefined);
  if (file.text === undefined) {
    say(file, 'This is not a text file. You can save it.');
    return;
  }
  const lines = linesOf(file.text);
  if (lines.length > MAX_LINES) {
    say(file, 'This file has too many lines to show here. You can save it.');
    return;
  }
  file.view = textView(lines);
  show(file, file.view);
  paint(file);
}

/** Shows something below the tools. Elements that stay are not moved, so that they keep the focus. */
function show(file, ...content) {
  const kept = [file.tools, ...content];
  for (const child of [...file.body.childNodes]) if (!kept.includes(child)) child.remove();
  file.body.append(...content.filter(({ parentNode }) => parentNode !== file.body));
}

/** Says something about a file, below its text if that is shown. */
function say(file, text) {
  show(file, ...(file.view ? [file.view] : []), note(text));
}

function note(text) {
  const element = Object.assign(document.createElement('p'), { className: 'left-out', textContent: text });
  element.setAttribute('role', 'status');
  return element;
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
  if (isText) file.tools.append(button('Copy', (self) => copyText(self, file), file.name));
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

async function copyText(self, file) {
  try {
    await copy(self, await textOf(file));
  } catch (error) {
    announce(unreadable(error));
  }
}

/** Hands the file to the browser as a download, in a type that no browser runs. */
async function save(file) {
  try {
    const bytes = await (await entryOf(file)).read(MAX_SAVED);
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    Object.assign(document.createElement('a'), { href: address, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch (error) {
    announce(unreadable(error));
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
    show(file, note(`The difference cannot be shown: ${error.message}.`));
  }
}

async function difference(file) {
  const [now, { path }] = [await textOf(file), await entryOf(file)];
  const old = (await before()).find((entry) => entry.path === path);
  const text = decoded(await old.read(MAX_SHOWN));
  if (text === undefined || now === undefined) throw new Error('one of them is not a text file');
  const [a, b] = [linesOf(text), linesOf(now)];
  return differenceView(a, b, await work({ before: a, after: b }));
}

/** Colors a text whose name or first line names its language. */
async function paint({ view, name }) {
  const lines = linesIn(view);
  const [, program] = /^#!.*\b(bash|sh|python|node)/.exec(lines[0]?.textContent) ?? [];
  const extension = name.includes('.') ? name.split('.').pop().toLowerCase() : '';
  const language = languageOf(extension) ?? languageOf(program);
  const text = language ? view.textContent : '';
  if (!text || text.length > MAX_COLORED) return;
  await work({ text, language }).then((runs) => color(lines, runs), () => {});
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
