// What platform admins do in a browser: the state of the registry, people and their tokens, takedowns, the audit log.

import { ask, root, workPage } from './parts/api.js';
import { auditLog, bare } from './parts/audit.js';
import { badge, count, day, facts, link, make, notice, person } from './parts/dom.js';
import { section, setTitle, showAgain, start } from './parts/dom.js';
import { allOf, form, nameField, row, rows, sender } from './parts/forms.js';
import { tokenList } from './parts/tokens.js';

/** The state of server and tree. A server that is not ready says why. */
async function state() {
  let ready;
  try {
    const answer = await fetch(new URL('readyz', root), { cache: 'no-store' });
    ready = await answer.json();
  } catch {
    const unknown = make('p', {}, 'The state is unknown, because /readyz does not answer at this address.');
    return section('state', 'State', notice('warning', unknown));
  }
  const { status, revision, mirrorRevision, target, detail } = ready;
  if (status !== 'ready')
    return section('state', 'State', notice('danger', make('p', {}, detail ?? 'The server is not ready.')));
  const behind = mirrorRevision === revision ? 'up to date' : `at revision ${mirrorRevision}`;
  return section(
    'state',
    'State',
    facts([
      ['Server', badge('ready')],
      ['Revision', String(revision)],
      ['Tree', mirrorRevision === null ? 'this server writes none' : behind],
      target && [
        'Bucket',
        `${target.name}: ${target.failure ? target.failure.message : `${count(target.waiting, 'document')} to write`}`,
      ],
    ]),
  );
}

/** A section whose form asks for a name and leads to a page. */
function finder(id, heading, about, field, submit, pageOf) {
  const send = (values) => location.assign(pageOf(bare(values[field.name])));
  return section(id, heading, about, form({ label: heading, fields: [field], submit, isSecond: true, send }));
}

function takedown() {
  return finder(
    'takedown',
    'Take down a skill',
    make('p', {}, 'Yank a version, remove or restore a skill. What an admin removes, only admins restore.'),
    nameField('skill', 'Skill', { hint: '@namespace/name', maxLength: 130 }),
    'Show the skill',
    (name) => workPage('me', { skill: name.includes('/') ? name : `global/${name}` }),
  );
}

function namespaces() {
  return finder(
    'namespaces',
    'Freeze or archive a namespace',
    undefined,
    nameField('namespace', 'Namespace'),
    'Show the namespace',
    (namespace) => workPage('settings', { namespace }),
  );
}

/** The button that disables or enables an account. */
function ability({ handle, disabled }, again) {
  const path = `users/${encodeURIComponent(handle)}`;
  if (disabled) {
    return sender('Enable', ['POST', `${path}/enable`], () => again(`${handle} is enabled`), { about: handle });
  }
  return sender('Disable', ['POST', `${path}/disable`], () => again(`${handle} is disabled`), {
    about: handle,
    question: { text: `Disable ${handle}? Sessions and tokens of this account stop working.` },
  });
}

function standing({ role, disabled, createdAt }) {
  const state = disabled ? [badge('disabled', 'danger'), ' '] : '';
  return make('p', { className: 'quiet' }, state, role, ', since ', day(createdAt));
}

/** The accounts. They are added on the machine of the registry. */
async function people(me, again) {
  const { items, total } = await allOf('users');
  const rowOf = (user) =>
    row(
      [make('h3', {}, link(workPage('admin', { user: user.handle }), person(user))), standing(user)],
      user.handle === me.handle ? undefined : ability(user, again),
    );
  return [
    section('people', 'People', rows(items, rowOf, 'No accounts.', total)),
    finder('person', 'Tokens of a person', undefined, nameField('user', 'Handle'), 'Show the person', (user) =>
      workPage('admin', { user }),
    ),
  ];
}

/** One person: the account, its tokens, and what it did. */
async function one(me, handle) {
  setTitle(handle);
  const path = `users/${encodeURIComponent(handle)}`;
  const [user, tokens] = await Promise.all([ask('GET', path), allOf(`${path}/tokens`)]);
  const again = (said) => showAgain(() => one(me, handle), said);
  return [
    make('p', { className: 'crumbs-row' }, link(workPage('admin'), 'Administration')),
    make('p', { className: 'lead' }, person(user)),
    standing(user),
    handle === me.handle ? undefined : make('p', { className: 'choices' }, ability(user, again)),
    section('tokens', 'Tokens', tokenList(tokens, again, 'No tokens.')),
    await auditLog(handle),
  ];
}

/** What only the operator's machine can do. */
const COMMANDS = [
  ['skillmirror user add HANDLE --password-stdin', 'adds an account'],
  ['skillmirror user set-password HANDLE', 'sets a password'],
  ['skillmirror token issue HANDLE --name NAME', 'issues a token for a machine'],
  ['skillmirror journal verify', 'checks all data'],
];

async function overview(me) {
  const commands = COMMANDS.map(([command, does]) =>
    make('div', {}, make('dt', {}, make('code', {}, command)), make('dd', {}, does)),
  );
  const again = (said) => showAgain(() => overview(me), said);
  return [
    await state(),
    ...(await people(me, again)),
    section('reviews', 'Reviews', make('p', {}, link(workPage('reviews'), 'Reviews that wait'))),
    takedown(),
    namespaces(),
    await auditLog(),
    section('commands', 'On the machine of the registry', make('dl', { className: 'asked commands' }, ...commands)),
  ];
}

start((me) => {
  if (me.role !== 'admin') return [notice('danger', make('p', {}, 'This page is for platform admins.'))];
  const user = new URLSearchParams(location.search).get('user');
  return user ? one(me, user) : overview(me);
});
