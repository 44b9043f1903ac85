// What platform admins do in a browser: the state of the registry, takedowns, and where the rest is done.

import { root, workPage } from './parts/api.js';
import { badge, count, day, link, make, notice, person, section, start } from './parts/dom.js';
import { allOf, form, row, rows } from './parts/forms.js';

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
  const facts = [
    ['Server', badge('ready')],
    ['Revision', String(revision)],
    [
      'Tree',
      mirrorRevision === null
        ? 'this server writes none'
        : mirrorRevision === revision
          ? 'up to date'
          : `at revision ${mirrorRevision}`,
    ],
    target && [
      'Bucket',
      `${target.name}: ${target.failure ? target.failure.message : `${count(target.waiting, 'document')} to write`}`,
    ],
  ];
  return section(
    'state',
    'State',
    make(
      'dl',
      { className: 'asked' },
      ...facts.filter(Boolean).map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value))),
    ),
  );
}

function takedown() {
  return section(
    'takedown',
    'Take down a skill',
    make('p', {}, 'Yank a version, remove or restore a skill. What an admin removes, only admins restore.'),
    form({
      label: 'Take down a skill',
      fields: [
        {
          name: 'skill',
          label: 'Skill',
          hint: '@namespace/name',
          required: true,
          autocapitalize: 'off',
          spellcheck: false,
        },
      ],
      submit: 'Show the skill',
      isSecond: true,
      send: ({ skill }) => {
        const name = skill.trim().replace(/^@/, '');
        location.assign(workPage('me', { skill: name.includes('/') ? name : `global/${name}` }));
      },
    }),
  );
}

function namespaces() {
  return section(
    'namespaces',
    'Freeze or archive a namespace',
    form({
      label: 'A namespace',
      fields: [{ name: 'namespace', label: 'Namespace', required: true, autocapitalize: 'off', spellcheck: false }],
      submit: 'Show the namespace',
      isSecond: true,
      send: ({ namespace }) => location.assign(workPage('settings', { namespace: namespace.trim().replace(/^@/, '') })),
    }),
  );
}

/** The accounts. They are added and disabled on the machine of the registry. */
async function people() {
  const { items, total } = await allOf('users');
  const rowOf = (user) =>
    row([
      make('h3', {}, person(user)),
      make(
        'p',
        { className: 'quiet' },
        user.disabled ? [badge('disabled', 'danger'), ' '] : '',
        user.role,
        ', since ',
        day(user.createdAt),
      ),
    ]);
  const rest =
    items.length < total ? make('p', { className: 'quiet' }, `The first ${items.length} are shown.`) : undefined;
  return section('people', 'People', rows(items, rowOf, 'No accounts.'), rest);
}

/** What only the operator's machine can do. */
const COMMANDS = [
  ['skillmirror user add HANDLE --password-stdin', 'adds an account'],
  ['skillmirror user disable HANDLE', 'disables an account and all its tokens'],
  ['skillmirror token list --data data', 'lists the tokens of all accounts'],
  ['skillmirror audit --since 7d', 'lists who did what'],
  ['skillmirror journal verify', 'checks all data'],
];

start(async (me) => {
  if (me.role !== 'admin') return [notice('danger', make('p', {}, 'This page is for platform admins.'))];
  const commands = COMMANDS.map(([command, does]) =>
    make('div', {}, make('dt', {}, make('code', {}, command)), make('dd', {}, does)),
  );
  return [
    await state(),
    await people(),
    section('reviews', 'Reviews', make('p', {}, link(workPage('reviews'), 'Reviews that wait'))),
    takedown(),
    namespaces(),
    section(
      'commands',
      'Accounts, tokens and the audit log',
      make('p', {}, 'On the machine of the registry:'),
      make('dl', { className: 'asked commands' }, ...commands),
    ),
  ];
});
