// Reviews that wait for the caller, and one of them with its files, what changes, and the decision.

import { differenceView } from '../viewer/difference.js';
import { MAX_LINES, decoded, linesOf, textView } from '../viewer/text.js';
import { workerAt } from '../viewer/work.js';
import { packageAt } from '../viewer/zip.js';
import { Away, Refusal, api, ask, pageFor, skillPath, workPage } from './parts/api.js';
import { badge, count, day, facts, failure, link, make, nameOf, notice } from './parts/dom.js';
import { own, person, section, setTitle, showAgain, size, start, stateOf } from './parts/dom.js';
import { findingsList } from './parts/findings.js';
import { allOf, button, row, rows } from './parts/forms.js';

/** Bytes of the largest file that is shown. */
const MAX_SHOWN = 2 << 20;

const parameters = new URLSearchParams(location.search);
const work = workerAt(new URL('../viewer/worker.js', import.meta.url));

function rowOf(review) {
  const { id, kind, namespace, version, submittedAt, submittedBy } = review;
  return row([
    make('h3', {}, link(workPage('reviews', { namespace, id }), `${nameOf(review)} ${version}`)),
    make(
      'p',
      { className: 'quiet' },
      stateOf(review),
      kind === 'promotion' ? ' copy for everyone,' : '',
      ' handed in ',
      day(submittedAt),
      ' by ',
      person(submittedBy),
    ),
  ]);
}

/** All reviews that the caller can decide. */
async function waiting() {
  const { items, total } = await allOf('reviews');
  const own = link(`${workPage('me')}#submissions`, 'Your own submissions');
  return [
    section('waiting', 'Waiting for you', rows(items, rowOf, 'No review waits for you.', total)),
    make('p', { className: 'quiet' }, own, ' are in your account.'),
  ];
}

/** The reviews of a namespace. */
async function ofNamespace(slug) {
  setTitle(`Reviews of @${slug}`);
  const isAll = parameters.get('status') === 'all';
  const status = isAll ? 'all' : 'pending';
  const { items, total } = await allOf(`namespaces/${encodeURIComponent(slug)}/reviews?status=${status}`);
  const [text, other] = isAll ? ['Only those that wait', 'pending'] : ['Also decided ones', 'all'];
  const list = rows(items, rowOf, isAll ? 'No reviews yet.' : 'No review waits.', total);
  return [
    make(
      'p',
      { className: 'crumbs-row' },
      link(workPage('reviews'), 'Reviews that wait for you'),
      ' · ',
      link(workPage('reviews', { namespace: slug, status: other }), text),
    ),
    section('waiting', isAll ? 'All reviews' : 'Waiting', list),
  ];
}

const refusal = (message) => new Refusal(0, { detail: `The package cannot be read: ${message}.` });

/** The bytes of a file of a package, or undefined if it is too large to show. */
async function bytesOf(files, path) {
  const found = await files().catch((error) => {
    if (error.status === 410) error.message = 'it has been removed since the decision';
    throw error instanceof TypeError ? new Away() : error.status === 401 ? error : refusal(error.message);
  });
  const file = found.find((each) => each.path === path);
  if (file?.size > MAX_SHOWN) return undefined;
  return file ? file.read(MAX_SHOWN).catch(({ message }) => Promise.reject(refusal(message))) : new Uint8Array();
}

/** The list of files: what became of each since the version `before`, and its text when it is opened. */
function fileList(files, before, packages) {
  const old = new Map((before ?? []).map((file) => [file.path, file]));
  const isSame = (a, b) => a.sha256 === b.sha256 && a.executable === b.executable;
  const items = files.map((file) => {
    const was = old.get(file.path);
    old.delete(file.path);
    return { now: file, was, state: !before ? '' : !was ? 'added' : isSame(file, was) ? 'unchanged' : 'changed' };
  });
  const removed = Array.from(old.values(), (was) => ({ was, state: 'removed' }));
  return make('ul', { className: 'files-list' }, ...[...items, ...removed].map((item) => fileItem(item, packages)));
}

function fileItem({ now, was, state }, packages) {
  const { path, size: bytes, executable } = now ?? was;
  const isOther = now && was && now.executable !== was.executable;
  const mode = isOther ? (executable ? 'now executable' : 'no longer executable') : executable && 'executable';
  const text = make('div', { className: 'file-text' });
  const summary = [
    make('code', {}, make('bdi', {}, path)),
    make('span', { className: 'quiet' }, size(bytes)),
    mode && badge(mode, isOther && 'warning'),
    state && badge(state, { removed: 'danger', changed: 'warning' }[state]),
  ];
  const spaced = summary.filter(Boolean).flatMap((each) => [each, ' ']);
  const fold = make('details', {}, make('summary', {}, ...spaced), text);
  let isShown = false;
  fold.addEventListener('toggle', async () => {
    if (!fold.open || isShown) return;
    isShown = true;
    text.replaceChildren(make('p', { className: 'quiet' }, 'Reading …'));
    try {
      text.replaceChildren(await content(now, was, packages));
    } catch (error) {
      isShown = false;
      text.replaceChildren(failure(error));
    }
  });
  return make('li', {}, fold);
}

/** The text of a file, or its difference to the text in the version before. */
async function content(now, was, packages) {
  const read = async (files, { path }) => {
    const bytes = await bytesOf(files, path);
    const text = bytes && decoded(bytes);
    const lines = text === undefined ? undefined : linesOf(text);
    return lines?.length > MAX_LINES ? undefined : lines;
  };
  const isChanged = now && was && now.sha256 !== was.sha256;
  const after = now && (await read(packages.now, now));
  const before = (isChanged || !now) && (await read(packages.before, was));
  if ((now && !after) || before === undefined) {
    return make('p', { className: 'quiet' }, 'Not a text file, or too large to show. The package has it.');
  }
  if (!isChanged) return textView(after ?? before);
  const steps = await work({ before, after }).catch(({ message }) => {
    throw new Refusal(0, { detail: `The difference cannot be shown: ${message}.` });
  });
  if (steps.some(([sign]) => sign !== '=')) return differenceView(before, after, steps);
  return make('div', {}, make('p', { className: 'quiet' }, 'Only the ends of lines differ.'), textView(after));
}

/** What scanners said, and which did not answer. Findings of the own rules are among the warnings. */
function verdictsOf({ verdicts, findings, unanswered }) {
  const said = verdicts.map(({ scanner, scannerVersion, level, errors, warnings, notes }) =>
    make(
      'li',
      {},
      own(`${scanner} ${scannerVersion}: `),
      level ? [count(errors, 'error'), count(warnings, 'warning'), count(notes, 'note')].join(', ') : 'found nothing',
      findingsList(findings.filter((found) => found.scanner === scanner && scanner !== 'skillmirror')),
    ),
  );
  const silent = unanswered.map(({ scanner, why }) =>
    make('li', {}, own(`${scanner}: `), why ? 'did not answer: it ' : 'has not answered yet', own(why ?? '')),
  );
  return section('verdicts', 'Verdicts', make('ul', {}, ...said, ...silent));
}

/** The repository or address that a submission is from, and its commit or digest. */
function placeOf({ source, repository, commit }) {
  return source ? `${source.address}@${source.commit ?? `sha256:${source.digest}`}` : `${repository}@${commit}`;
}

async function one(me, namespace, id) {
  const path = `namespaces/${encodeURIComponent(namespace)}/reviews/${encodeURIComponent(id)}`;
  const review = await ask('GET', path);
  setTitle(`${nameOf(review)} ${review.version}`);
  const { status, kind, source, submittedBy, submittedAt, comment, changelog, tags, provenance } = review;
  const { files, warnings, looksLike, disabledAccounts } = review;
  const at = skillPath(review.namespace, review.slug);
  const current = await ask('GET', at).catch((error) => {
    if (error.status === 404 || error.status === 410) return undefined;
    throw error;
  });
  const version = current?.latest?.version;
  const versionPath = `${at}/versions/${encodeURIComponent(version)}`;
  const before = version && (await ask('GET', `${versionPath}/files`)).items;
  const packages = { now: packageAt(api(`${path}/package`)), before: packageAt(api(`${versionPath}/download`)) };
  const list = facts([
    ['State', stateOf(review)],
    ['From', make('span', {}, person(submittedBy), ', ', day(submittedAt))],
    review.decidedBy && ['Decided by', make('span', {}, person(review.decidedBy), ', ', day(review.decidedAt))],
    kind === 'promotion' && [
      'Copy of',
      link(pageFor(source.namespace, source.slug), `${nameOf(source)} ${source.version}`),
    ],
    provenance && [provenance.source ? 'Taken from' : 'Built from', own(placeOf(provenance))],
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
  ]);
  const saved = { href: api(`${path}/package`).href, download: `${review.slug}-${review.version}.zip` };
  const save = make('a', { className: 'button second small', ...saved }, 'Download the package');
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
    verdictsOf(review),
    section(
      'files',
      before ? `Files, compared with ${version}` : 'Files',
      fileList(files, before, packages),
      make('p', { className: 'choices' }, save),
    ),
    status === 'pending' ? decision(me, review, path) : undefined,
  ];
}

/** The decision. Of the others who may read a review, only the submitter may not decide. */
function decision(me, { id, namespace, submittedBy, disabledAccounts: disabled, verdicts }, path) {
  if (submittedBy.handle === me.handle && me.role !== 'admin') return undefined;
  const comment = make('textarea', { id: 'comment', name: 'comment', rows: 3, maxLength: 2048 });
  const decide = async (verb, body) => {
    if (comment.value.trim()) body.comment = comment.value;
    await ask('POST', `${path}/${verb}`, body);
    return showAgain(() => one(me, namespace, id), verb === 'approve' ? 'Approved: it is published' : 'Rejected');
  };
  const errors = verdicts.filter(({ level }) => level === 'error').map(({ scanner }) => scanner);
  const overrides = [
    disabled.length && `these accounts are disabled: ${disabled.join(', ')}`,
    errors.length && `it has errors of ${errors.join(', ')}`,
  ].filter(Boolean);
  const danger = overrides.length ? { text: `Approve although ${overrides.join(', and ')}?` } : undefined;
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

start((me) => {
  const [namespace, id] = [parameters.get('namespace'), parameters.get('id')];
  if (!namespace) return waiting();
  return id ? one(me, namespace, id) : ofNamespace(namespace);
});
