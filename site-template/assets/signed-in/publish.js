// Publishes a package: files are chosen or dropped, checked by the server, and sent.

import { Away, Refusal, answerOf, api, isPrivate, pageFor, workPage } from './parts/api.js';
import { announce, count, failure, fill, link, make, nameOf, notice, own, size, start } from './parts/dom.js';
import { findingsWithLines } from './parts/findings.js';
import { busy, form, valuesOf } from './parts/forms.js';
import { bytesOf, filesOfDrop, filesOfInput, pack } from './parts/packing.js';

const parameters = new URLSearchParams(location.search);
const chosen = { zip: undefined, name: '', allowed: new Set() };
const [about, checked, result] = ['chosen', 'checked', 'result'].map((name) => make('div', { className: name }));
const input = (properties) => make('input', { type: 'file', className: 'unseen', ...properties });
const zipInput = input({
  id: 'zip',
  accept: '.zip,.skill,application/zip',
  onchange: () => take(() => filesOfInput(zipInput.files)),
});
const folderInput = input({
  id: 'folder',
  webkitdirectory: true,
  onchange: () => take(() => filesOfInput(folderInput.files)),
});
let details;
let lastCheck = 0;
let lastTake = 0;

function dropZone() {
  const zone = make(
    'div',
    { className: 'drop', role: 'group', 'aria-label': 'Files' },
    make('p', {}, 'Drop the folder of the skill here, or a zip of it.'),
    make(
      'p',
      { className: 'choices' },
      folderInput,
      make('label', { htmlFor: 'folder', className: 'button' }, 'Choose a folder'),
      zipInput,
      make('label', { htmlFor: 'zip', className: 'button second' }, 'Choose a zip'),
    ),
  );
  const over = (isOver) => (event) => {
    event.preventDefault();
    zone.classList.toggle('drop-over', isOver);
  };
  zone.addEventListener('dragover', over(true));
  zone.addEventListener('dragleave', over(false));
  zone.addEventListener('drop', (event) => {
    over(false)(event);
    take(() => filesOfDrop(event.dataTransfer));
  });
  return zone;
}

/** Takes chosen files instead of those before, packs them, and has them checked. */
async function take(files) {
  const number = ++lastTake;
  lastCheck++;
  details.hidden = true;
  for (const place of [result, checked]) place.replaceChildren();
  about.replaceChildren(make('p', { role: 'status' }, 'Packing …'));
  try {
    const finding = files();
    // The same files can be chosen again after a change.
    for (const each of [zipInput, folderInput]) each.value = '';
    const { found, left } = await finding;
    if (!found.length) throw new Refusal(0, { detail: 'There is no file in it.' });
    const [{ path, file }] = found;
    const isZip = found.length === 1 && /\.(zip|skill)$/i.test(path);
    // The file on disk may change until it is sent.
    const zip = isZip ? new Blob([await bytesOf(found[0])]) : await pack(found);
    if (number !== lastTake) return;
    chosen.zip = zip;
    chosen.name = isZip ? path : `${path.includes('/') ? path.split('/')[0] : 'skill'}.zip`;
    chosen.allowed.clear();
    about.replaceChildren(
      make(
        'p',
        {},
        make('strong', {}, own(chosen.name)),
        ' ',
        make(
          'span',
          { className: 'quiet' },
          isZip ? size(file.size) : `${count(found.length, 'file')}, ${size(chosen.zip.size)} packed`,
        ),
      ),
      ...without(found, left),
    );
    details.hidden = false;
    await check();
  } catch (error) {
    if (number === lastTake) about.replaceChildren(failure(error));
  }
}

/** What the package lacks, and what the command would leave out besides. */
function without(found, left) {
  const quiet = (text) => make('p', { className: 'quiet' }, text);
  const ignoring = found.find(({ path }) => /(^|\/)\.(git|skillmirror)ignore$/.test(path));
  return [
    left.size ? quiet(`Left out: ${[...left].join(', ')}.`) : '',
    ignoring ? quiet(`What ${ignoring.path} names is packed here. The command skillmirror publish leaves it out.`) : '',
  ];
}

/** Sends the package. `onProgress` gets the part that is sent, from 0 to 1; `version` is instead of the chosen one. */
function send(isDry, onProgress, version) {
  const values = { ...valuesOf(details), ...(version ? { version } : {}) };
  const body = new FormData();
  if (isDry) body.append('dryRun', 'true');
  for (const name of ['namespace', 'slug', 'version', 'tags', 'changelog']) {
    const value = (values[name] ?? '').trim();
    if (value) body.append(name, value);
  }
  for (const path of chosen.allowed) body.append('allowFile', path);
  body.append('file', chosen.zip, chosen.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', api('publish'));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total ? loaded / total : 0));
    request.addEventListener('error', () => reject(new Away()));
    request.addEventListener('load', () => {
      try {
        resolve(answerOf(request.status, request.getResponseHeader('Content-Type'), request.responseText));
      } catch (error) {
        reject(error);
      }
    });
    request.send(body);
  });
}

/** Shows what publishing would say. */
async function check() {
  const number = ++lastCheck;
  checked.replaceChildren(make('p', { role: 'status' }, 'Checking …'));
  const show = (...children) => {
    if (number === lastCheck) fill(checked, children);
    return number === lastCheck;
  };
  try {
    const answer = await send(true);
    const { warnings, version, fileCount, unpackedSize, status } = answer;
    const publish = make(
      'button',
      { type: 'button', onclick: () => publishNow(publish, version) },
      status === 'published' ? 'Publish' : 'Hand in',
    );
    const isShown = show(
      notice(
        'plain',
        make('h2', {}, `${coordinateOf(answer)} ${version}`),
        make(
          'p',
          {},
          `${count(fileCount, 'file')}, ${size(unpackedSize)}. `,
          status === 'published' ? 'It will be public at once.' : 'It will wait for a review.',
        ),
      ),
      warnings.length
        ? notice('warning', make('h2', {}, count(warnings.length, 'warning')), findingsWithLines(warnings, chosen.zip))
        : undefined,
      make('p', { className: 'choices' }, publish),
    );
    if (isShown) announce(`Checked: ${count(warnings.length, 'warning')}. It can be published.`);
  } catch (error) {
    show(...refused(error));
  }
}

function coordinateOf({ namespace, canonicalSlug }) {
  return nameOf({ namespace, slug: canonicalSlug.split('--').at(-1) });
}

/** What refuses the package, by file and line. */
function refused(error) {
  const findings = error instanceof Refusal ? error.findings : [];
  if (!findings.length) return [failure(error)];
  const secrets = findings.filter(({ code, path }) => code === 'secret_file' && path);
  const boxes = secrets.map(({ path }) => {
    const box = make('input', {
      type: 'checkbox',
      onchange: () => chosen.allowed[box.checked ? 'add' : 'delete'](path),
    });
    return make(
      'label',
      { className: 'check' },
      box,
      ' Publish ',
      make('code', {}, make('bdi', {}, path)),
      ' although its name says that it holds secrets',
    );
  });
  const again = make('button', { type: 'button', className: 'second', onclick: () => check() }, 'Check again');
  return [
    notice(
      'danger',
      make('h2', {}, `${count(findings.length, 'problem')}: it cannot be published`),
      findingsWithLines(findings, chosen.zip),
      ...boxes,
    ),
    make(
      'p',
      { className: 'choices' },
      again,
      make('span', { className: 'quiet' }, 'Correct the files, then choose them again.'),
    ),
  ];
}

/** Publishes what was checked, with the version that the check has chosen. */
async function publishNow(publish, version) {
  const bar = make('progress', { max: 1, value: 0, 'aria-label': 'Sent' });
  result.replaceChildren(bar);
  await busy(publish, async () => {
    try {
      const answer = await send(false, (part) => (bar.value = part), version);
      const slug = answer.canonicalSlug.split('--').at(-1);
      const isPublic = answer.status === 'published';
      const said = `${coordinateOf(answer)} ${answer.version} ${isPublic ? 'is published' : 'waits for a review'}`;
      const page = isPublic
        ? link(pageFor(answer.namespace, slug), 'Page of the skill')
        : link(workPage('reviews', { namespace: answer.namespace, id: answer.reviewId }), `Review ${answer.reviewId}`);
      const done = notice(
        'plain',
        make('h2', {}, said),
        make('p', {}, page, ' · ', link(workPage('me'), 'Your account')),
      );
      done.tabIndex = -1;
      checked.replaceChildren();
      about.replaceChildren();
      details.hidden = true;
      result.replaceChildren(done);
      done.focus();
      announce(said);
    } catch (error) {
      result.replaceChildren(...refused(error));
    }
  });
}

// A browser would open files that are dropped beside the place for them, and leave the page.
for (const type of ['dragover', 'drop']) {
  addEventListener(type, (event) => event.dataTransfer.types.includes('Files') && event.preventDefault());
}

start((me) => {
  const others = isPrivate ? [] : ['global'];
  const named = [parameters.get('namespace'), ...me.namespaces.map(({ slug }) => slug), ...others];
  const spaces = [...new Set(named.filter(Boolean))];
  const usual = isPrivate ? 'As SKILL.md says, else the private one' : 'As SKILL.md says, else global';
  details = form({
    label: 'Details',
    fields: [
      {
        name: 'namespace',
        label: 'Namespace',
        type: 'select',
        value: parameters.get('namespace') ?? '',
        options: [['', usual], ...spaces.map((slug) => [slug, `@${slug}`])],
      },
      {
        name: 'slug',
        label: 'Name',
        value: parameters.get('slug') ?? '',
        hint: 'Empty: as SKILL.md says.',
        autocapitalize: 'off',
        spellcheck: false,
      },
      {
        name: 'version',
        label: 'Version',
        hint: 'Empty: as SKILL.md says, else the next one.',
        autocapitalize: 'off',
        spellcheck: false,
      },
      { name: 'tags', label: 'Tags', hint: 'Separated by commas.', autocapitalize: 'off', spellcheck: false },
      { name: 'changelog', label: 'What changed', type: 'textarea', rows: 4 },
    ],
    submit: 'Check again',
    isSecond: true,
    send: () => check(),
  });
  details.hidden = true;
  details.addEventListener('input', () => {
    lastCheck++;
    checked.replaceChildren(
      make('p', { className: 'quiet' }, 'The details have changed. Check again before you publish.'),
    );
  });
  return [
    make(
      'p',
      { className: 'lead' },
      'A skill is a folder with a file ',
      make('code', {}, 'SKILL.md'),
      '. ',
      'Nothing is published before you have seen what the registry says about it.',
    ),
    dropZone(),
    about,
    make('div', { className: 'publish-columns' }, make('div', {}, checked, result), details),
  ];
});
