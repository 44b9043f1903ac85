// What a person does on the pages for work.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ran, visit } from './browser.mjs';

export const PASSWORD = 'correct horse battery';
const folders = [];

process.on('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Runs a visit of a person who has signed in, or of nobody. It has no problems but refused requests. */
export function asIn(world) {
  return (handle, work) =>
    visit(world.browser, world.address, async (page, problems, context) => {
      if (handle) await signIn(page, world.address, handle, PASSWORD);
      await work(page, problems, context);
      const others = problems.filter((problem) => !refusals(problem));
      assert.deepEqual(others, []);
      assert.equal(await ran(page), false);
    });
}

/** A folder of a skill with these files. */
export function folderOf(name, files) {
  const place = mkdtempSync(join(tmpdir(), 'skillmirror-work-'));
  folders.push(place);
  const folder = join(place, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The `SKILL.md` of a skill. */
export function skillMd(name, version, text = '# Text\n') {
  return `---\nname: ${name}\ndescription: A skill that a person uploads.\nversion: ${version}\n---\n${text}`;
}

/** Whether the browser reports a request that the server, or a host without one, refused on purpose. */
export function refusals(problem) {
  return /Failed to load resource.*status of (4\d\d|5\d\d)/.test(problem);
}

/** Signs in, and waits for the page that follows. */
export async function signIn(page, address, handle, password, to = 'me/') {
  await page.goto(`${address}login/?to=${encodeURIComponent(to)}`);
  await page.waitForSelector('form.fields');
  await fill(page, { handle, password });
  await Promise.all([page.waitForNavigation(), submit(page, 'Sign in')]);
}

/** Opens a page, and waits until its script has filled it. */
export async function open(page, address) {
  await page.goto(address);
  await page.waitForFunction(() => {
    const content = document.querySelector('[data-content]');
    return content.childElementCount && !content.hasAttribute('aria-busy');
  });
}

/** Puts texts into fields, instead of those in them. */
export async function fill(page, values, within = 'main') {
  for (const [name, value] of Object.entries(values)) {
    const field = await page.waitForSelector(`${within} [name="${name}"]`);
    await field.evaluate((element) => (element.value = ''));
    await field.type(value);
  }
}

/** Sends the form whose button says `label`. */
export function submit(page, label) {
  return pressFirst(page, 'main button[type=submit]', label);
}

/** Presses a button. */
export function press(page, label, within = 'main') {
  return pressFirst(page, `${within} button`, label);
}

async function pressFirst(page, selector, label) {
  const found = await page.waitForFunction(
    (places, text) => {
      const buttons = [...document.querySelectorAll(places)];
      return buttons.find(
        (button) => button.firstChild.textContent.trim() === text && !button.disabled && button.checkVisibility(),
      );
    },
    { timeout: 5000 },
    selector,
    label,
  );
  await found.asElement().click();
}

/** Answers the question of a dialog. */
export async function answerQuestion(page, values, label) {
  await page.waitForSelector('dialog[open]');
  for (const [name, value] of Object.entries(values)) {
    const field = await page.$(`dialog [name="${name}"]`);
    if (await field.evaluate(({ tagName }) => tagName === 'SELECT')) await field.select(value);
    else await field.type(value);
  }
  await pressFirst(page, 'dialog button', label);
  await page.waitForSelector('dialog', { hidden: true });
}

/** Waits until a place shows a text. */
export async function see(page, place, text) {
  try {
    await page.waitForFunction(
      (selector, wanted) =>
        [...document.querySelectorAll(selector)].some(({ innerText }) =>
          innerText.replace(/\s+/g, ' ').includes(wanted),
        ),
      { timeout: 5000 },
      place,
      text,
    );
  } catch {
    assert.fail(`no “${text}” in ${place}:\n${await page.$eval('main', ({ innerText }) => innerText)}`);
  }
}

/** Waits until a sentence is read out. */
export async function said(page, text) {
  await page.waitForFunction(
    (wanted) => document.querySelector('[data-announce]').textContent.includes(wanted),
    { timeout: 5000 },
    text,
  );
}

export async function heading(page, text) {
  await see(page, 'h1', text);
}

/** Chooses a folder of this machine in the dialog of the browser. */
export async function choose(page, folder) {
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('label[for=folder]')]);
  await chooser.accept([folder]);
}

/** Drops a file or folder of this machine. */
export async function drop(page, path) {
  const { x, y, width, height } = await (await page.waitForSelector('.drop')).boundingBox();
  const client = await page.createCDPSession();
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await client.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
}
