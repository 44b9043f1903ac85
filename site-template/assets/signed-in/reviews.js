// Reviews that wait for the caller, and one of them with its files, what changes, and the decision.

import { Refusal, api, ask, pageFor, skillPath, workPage } from './parts/api.js';
import { badge, count, day, failure, link, make, notice } from './parts/dom.js';
import { own, person, section, size, start, title } from './parts/dom.js';
import { findingsList } from './parts/findings.js';
import { allOf, button, row, rows } from './parts/forms.js';
import { difference, hunks } from './parts/lines.js';
import { linesOf, readZip } from './parts/unzip.js';

const MAX_LINES = 2000;
const asked = new URLSearchParams(location.search);
const STATES = { pending: 'warning', approved: '', rejected: 'danger', withdrawn: '' };

function nameOf({ namespace, slug, version }) {
  return `@${namespace}/${slug} ${version}`;
}

function rowOf(review) {
  const { id, kind, status, namespace, submittedAt, submittedBy } = review;
  return row([
    make('h3', {}, link(workPage('reviews', { namespace, id }), nameOf(review))),
    make(
      'p',
      { className: 'quiet' },
      stateOf(status),
      kind === 'promotion' ? ' copy for everyone,' : '',
      ' handed in ',
      day(submittedAt),
      ' by ',
      person(submittedBy),
    ),
  ]);
}

function stateOf(status) {
  return badge(status === 'pending' ? 'waits' : status, STATES[status]);
}

/** All reviews that the caller can decide. */
async function waiting() {
  const { items } = await allOf('reviews');
  const own = link(`${workPage('me')}#submissions`, 'Your own submissions');
  return [
    section('waiting', 'Waiting for you', rows(items, rowOf, 'No review waits for you.')),
    make('p', { className: 'quiet' }, own, ' are in your account.'),
  ];
}

/** The reviews of a namespace. */
async function ofNamespace(slug) {
  title(`Reviews of @${slug}`);
  const status = asked.get('status') === 'all' ? 'all' : 'pending';
  const { items } = await allOf(`namespaces/${encodeURIComponent(slug)}/reviews?status=${status}`);
  const [text, other] = status === 'all' ? ['Only those that wait', 'pending'] : ['Also decided ones', 'all'];
  return [
    make(
      'p',
      { className: 'crumbs-row' },
      link(workPage('reviews'), 'Reviews that wait for you'),
      ' · ',
      link(workPage('reviews', { namespace: slug, status: other }), text),
    ),
    section('waiting', status === 'all' ? 'All reviews' : 'Waiting', rows(items, rowOf, 'No review waits.')),
  ];
}

/** The packages of the review and of the version that readers have now, read when they are needed. */
function packages({ namespace, slug, id }, path) {
  let found;
  const read = async (address) => {
    const answer = await fetch(address, { cache: 'no-store' });
    if (answer.ok) return readZip(await answer.arrayBuffer());
    if (answer.status === 410)
      throw Object.assign(new Error('The package has been removed since the decision.'), { status: 410 });
    if (answer.status !== 404) throw new Refusal(answer.status, await answer.json().catch(() => ({})));
    return undefined;
  };
  return () =>
    (found ??= Promise.all([read(api(`${path}/package`)), read(api(`${skillPath(namespace, slug)}/download`))]));
}

/** The list of files: what became of each, and its text or difference when it is opened. */
function fileList(files, current, readBoth) {
  const before = new Map((current ?? []).map((file) => [file.path, file]));
  const states = files.map((file) => {
    const old = before.get(file.path);
    const state = !current ? '' : !old ? 'added' : old.sha256 === file.sha256 ? 'unchanged' : 'changed';
    return { path: file.path, size: file.size, state };
  });
  const paths = new Set(files.map(({ path }) => path));
  const removed = [...before.values()]
    .filter(({ path }) => !paths.has(path))
    .map((file) => ({ ...file, state: 'removed' }));
  const items = [...states, ...removed].map(({ path, size: bytes, state }) => {
    const text = make('div', { className: 'file-text' });
    const fold = make(
      'details',
      {},
      make(
        'summary',
        {},
        make('code', {}, make('bdi', {}, path)),
        ' ',
        make('span', { className: 'quiet' }, size(bytes)),
        ' ',
        state ? badge(state, { removed: 'danger', changed: 'warning' }[state]) : undefined,
      ),
      text,
    );
    fold.addEventListener('toggle', async () => {
      if (!fold.open || text.childElementCount) return;
      text.replaceChildren(make('p', { className: 'quiet' }, 'Reading …'));
      try {
        const [now, then] = await readBoth();
        text.replaceChildren(await content(now?.get(path), state === 'unchanged' ? undefined : then?.get(path), state));
      } catch (error) {
        text.replaceChildren(failure(error));
      }
    });
    return make('li', {}, fold);
  });
  return make('ul', { className: 'files-list' }, ...items);
}

/** The text of a file, or its difference to the current one. */
async function content(now, then, state) {
  const [after, before] = await Promise.all([now, then].map(async (file) => file && linesOf(await file.read())));
  if ((now && !after) || (then && !before))
    return make('p', { className: 'quiet' }, 'Not a text, or too large to show. The package has it.');
  const plainLines = (lines, sign) =>
    lines.map((line, i) => [sign, line, sign === '-' ? i + 1 : undefined, sign === '-' ? undefined : i + 1]);
  const ofOne = () => plainLines(after ?? before, state === 'added' ? '+' : after ? ' ' : '-');
  const steps = before && after ? hunks(difference(before, after)) : ofOne();
  const shown = steps.slice(0, MAX_LINES).map(lineOf);
  const rest = steps.length - shown.length;
  return make(
    'div',
    {},
    make('pre', { className: 'lines', tabIndex: 0 }, ...shown),
    rest > 0 ? make('p', { className: 'quiet' }, `${count(rest, 'more line')}.`) : undefined,
  );
}

function lineOf(step) {
  if (!step) return make('span', { className: 'line line-gap' }, '⋯\n');
  const [sign, text, old, current] = step;
  const kind = { '+': ' line-added', '-': ' line-removed' }[sign] ?? '';
  return make(
    'span',
    { className: `line${kind}` },
    make('span', { className: 'line-number', 'data-line': current ?? old }),
    `${sign} `,
    make('bdi', {}, text),
    '\n',
  );
}

async function one(namespace, id) {
  const path = `namespaces/${encodeURIComponent(namespace)}/reviews/${encodeURIComponent(id)}`;
  const review = await ask('GET', path);
  title(nameOf(review));
  const {
    status,
    kind,
    source,
    submittedBy,
    submittedAt,
    comment,
    changelog,
    tags,
    files,
    warnings,
    looksLike,
    disabledAccounts,
  } = review;
  const at = skillPath(review.namespace, review.slug);
  const current = await ask('GET', at).catch((error) => {
    if (error.status === 404 || error.status === 410) return undefined;
    throw error;
  });
  const version = current?.latest?.version;
  const before = version && (await ask('GET', `${at}/versions/${encodeURIComponent(version)}/files`)).items;
  const facts = [
    ['State', stateOf(status)],
    ['From', make('span', {}, person(submittedBy), ', ', day(submittedAt))],
    review.decidedBy && ['Decided by', make('span', {}, person(review.decidedBy), ', ', day(review.decidedAt))],
    kind === 'promotion' && ['Copy of', make('span', {}, link(pageFor(source.namespace, source.slug), nameOf(source)))],
    [
      'Current',
      current ? make('span', {}, link(pageFor(review.namespace, review.slug), version ?? 'none')) : 'a new skill',
    ],
    tags.length && [
      'Tags',
      tags.map(({ name, currentVersion }) => (currentVersion ? `${name} (now ${currentVersion})` : name)).join(', '),
    ],
    comment && ['Comment', own(comment)],
    review.metadata.description && ['Description', own(review.metadata.description)],
    [
      'What changed',
      changelog
        ? make('span', { className: 'changelog' }, own(changelog))
        : make('span', { className: 'quiet' }, 'not said'),
    ],
  ];
  const list = make(
    'dl',
    { className: 'asked' },
    ...facts.filter(Boolean).map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value))),
  );
  const save = make(
    'a',
    {
      className: 'button second small',
      href: api(`${path}/package`).href,
      download: `${review.slug}-${review.version}.zip`,
    },
    'Download the package',
  );
  return [
    make('p', { className: 'crumbs-row' }, link(workPage('reviews', { namespace }), `Reviews of @${namespace}`)),
    disabledAccounts.length
      ? notice('danger', make('p', {}, `Disabled accounts: ${disabledAccounts.join(', ')}.`))
      : undefined,
    looksLike.length
      ? notice('warning', make('p', {}, `Readers could take it for ${looksLike.join(', ')}.`))
      : undefined,
    list,
    warnings.length
      ? notice('warning', make('h2', {}, count(warnings.length, 'warning')), findingsList(warnings))
      : undefined,
    section(
      'files',
      before ? `Files, compared with ${version}` : 'Files',
      fileList(files, before, packages(review, path)),
      make('p', { className: 'choices' }, save),
    ),
    status === 'pending' ? decision(namespace, id, path, disabledAccounts) : undefined,
  ];
}

function decision(namespace, id, path, disabled) {
  const comment = make('textarea', { id: 'comment', name: 'comment', rows: 3, maxLength: 2048 });
  const decide = async (verb, body) => {
    if (comment.value.trim()) body.comment = comment.value;
    await ask('POST', `${path}/${verb}`, body);
    document.querySelector('[data-content]').replaceChildren(...(await one(namespace, id)).filter(Boolean));
    document.getElementById('content').focus();
    return verb === 'approve' ? 'Approved: it is published' : 'Rejected';
  };
  const danger = disabled.length
    ? { text: `Approve although these accounts are disabled: ${disabled.join(', ')}?` }
    : undefined;
  return section(
    'decision',
    'Decision',
    make(
      'div',
      { className: 'fields' },
      make('label', { htmlFor: 'comment' }, 'Comment (for the submitter)'),
      comment,
      make(
        'p',
        { className: 'choices acts' },
        button('Approve', () => decide('approve', disabled.length ? { acceptDisabled: true } : {}), {
          className: '',
          question: danger,
        }),
        button('Reject', () => decide('reject', {}), {
          className: 'danger',
          question: { text: 'Reject this submission?' },
        }),
      ),
    ),
  );
}

start(() => {
  const [namespace, id] = [asked.get('namespace'), asked.get('id')];
  if (!namespace) return waiting();
  return id ? one(namespace, id) : ofNamespace(namespace);
});
