// The caller's namespaces, and the settings, members and invitations of one.

import { ask, isPrivate, pageFor, root, workPage } from './parts/api.js';
import { badge, day, link, make, notice, own, person } from './parts/dom.js';
import { section, setTitle, showAgain, start } from './parts/dom.js';
import { allOf, button, form, nameField, row, rows, sender } from './parts/forms.js';
import { publisherList } from './parts/publishers.js';

const ROLES = ['member', 'admin', 'owner'];
const STATUSES = [
  ['active', 'active'],
  ['frozen', 'frozen: nothing of its skills and members changes'],
  ['archived', 'archived: frozen, and left out of lists and search'],
];

function texts({ displayName = '', description = '' } = {}) {
  return [
    { name: 'displayName', label: 'Name to show', value: displayName, maxLength: 128 },
    { name: 'description', label: 'Description', type: 'textarea', rows: 3, value: description, maxLength: 2048 },
  ];
}

const REVIEW = { name: 'reviewRequired', label: 'Versions of plain members wait for a review', type: 'checkbox' };

const PRIVATE = { name: 'private', label: 'Only its members may know that it exists', type: 'checkbox' };

/** The first page of a private namespace of this registry. */
function privatePage(slug) {
  return new URL(`-/${encodeURIComponent(slug)}/`, root);
}

function overview(me) {
  const rowOf = ({ slug, role }) =>
    row(
      [make('h3', {}, link(pageFor(slug), `@${slug}`)), make('p', { className: 'quiet' }, role)],
      make(
        'a',
        { className: 'button second small', href: workPage('settings', { namespace: slug }) },
        'Settings and members',
        make('span', { className: 'unseen' }, ` of @${slug}`),
      ),
    );
  const create = form({
    label: 'New namespace',
    fields: [
      nameField('slug', 'Namespace', { hint: 'Letters a to z, digits and hyphens.' }),
      ...texts(),
      REVIEW,
      ...(me.role === 'admin' ? [PRIVATE] : []),
    ],
    submit: 'Create',
    send: async ({ slug, displayName, description, reviewRequired, private: isHidden = false }) => {
      const body = { slug: slug.trim(), description, reviewRequired, private: isHidden };
      const made = await ask('POST', 'namespaces', displayName.trim() ? { ...body, displayName } : body);
      location.assign(isHidden ? privatePage(made.slug) : workPage('settings', { namespace: made.slug }));
    },
  });
  const hidden = me.privateNamespaces ?? [];
  const rowOfPrivate = (slug) => row([make('h3', {}, link(privatePage(slug), `@${slug}`))]);
  if (isPrivate) return section('yours', 'Your namespaces', rows(me.namespaces, rowOf));
  return [
    section('yours', 'Your namespaces', rows(me.namespaces, rowOf, 'You are in no team yet.')),
    hidden.length ? section('private', 'Your private namespaces', rows(hidden, rowOfPrivate)) : undefined,
    section('new', 'New namespace', create),
  ];
}

const OF_STAFF = 'Platform admins manage this namespace.';

async function one(me, slug) {
  setTitle(`@${slug}`);
  const path = `namespaces/${encodeURIComponent(slug)}`;
  const namespace = await ask('GET', path);
  const isStaff = me.role === 'admin';
  const role = me.namespaces.find((each) => each.slug === slug)?.role ?? (isStaff ? 'platform admin' : undefined);
  const again = (said) => showAgain(async () => one(await ask('GET', 'auth/me'), slug), said);
  const isOwner = role === 'owner' || isStaff;
  const context = { me, slug, path, again, isOwner, isAdmin: isOwner || role === 'admin' };
  const canSee = role || me.role === 'moderator';
  const members = canSee && slug !== 'global' ? await allOf(`${path}/members`) : undefined;
  const isManager = (context.isAdmin || slug === 'global') && !isPrivate;
  const publishers = isManager ? await ask('GET', `${path}/publishers`) : undefined;
  const invitations = (await allOf('me/invitations')).items.filter((each) => each.namespace === slug);
  return [
    make('p', { className: 'crumbs-row' }, link(workPage('settings'), 'Namespaces')),
    make(
      'p',
      { className: 'lead' },
      own(namespace.displayName),
      namespace.status === 'active' ? '' : [' ', badge(namespace.status, 'warning')],
      role ? make('span', { className: 'quiet' }, `, you: ${role}`) : undefined,
    ),
    make(
      'p',
      {},
      link(pageFor(slug), 'Page of the namespace'),
      ' · ',
      link(workPage('reviews', { namespace: slug }), 'Reviews'),
      ' · ',
      link(workPage('publish', { namespace: slug }), 'Publish a skill'),
    ),
    context.isAdmin ? settings(namespace, context) : undefined,
    members
      ? memberList(members, context)
      : notice('plain', make('p', {}, slug === 'global' ? OF_STAFF : 'Only members see who is in this namespace.')),
    members && context.isAdmin ? add(context) : undefined,
    publishers && publisherList(publishers, context),
    slug === 'global' ? undefined : invited(invitations, context),
  ];
}

function settings({ displayName, description, reviewRequired, status }, { path, again, isOwner }) {
  return section(
    'settings',
    'Settings',
    form({
      label: 'Settings',
      fields: [
        ...texts({ displayName, description }),
        { ...REVIEW, value: reviewRequired },
        ...(isOwner ? [{ name: 'status', label: 'Status', type: 'select', options: STATUSES, value: status }] : []),
      ],
      submit: 'Save',
      send: async (values) => {
        await ask('PUT', path, values);
        return again('The settings are saved');
      },
    }),
  );
}

function memberList({ items, total }, { me, path, again, isOwner, isAdmin }) {
  const rowOf = (member) => {
    const { userId, role, createdAt } = member;
    const isMe = userId === me.handle;
    const remove =
      isMe || isOwner || (isAdmin && role === 'member')
        ? [
            sender(
              isMe ? 'Leave' : 'Remove',
              ['DELETE', `${path}/members/${userId}`],
              () => again(isMe ? 'You have left the namespace' : `${userId} is removed`),
              {
                about: isMe ? '' : userId,
                question: { text: isMe ? 'Leave this namespace?' : `Remove ${userId} from this namespace?` },
              },
            ),
          ]
        : [];
    return row(
      [make('h3', {}, person(member)), make('p', { className: 'quiet' }, role, ', since ', day(createdAt))],
      ...(isOwner ? [roleSelect(member, path, again, me)] : []),
      ...remove,
    );
  };
  return section('members', 'Members', rows(items, rowOf, 'No members.', total));
}

/** Chooses a role. It changes when the button is pressed, so that arrow keys choose without a change. */
function roleSelect({ userId, role }, path, again, me) {
  const options = ROLES.filter((each) => each !== 'owner' || role === 'owner' || me.role === 'admin');
  const select = make(
    'select',
    { 'aria-label': `Role of ${userId}` },
    ...options.map((each) => make('option', { selected: each === role }, each)),
  );
  const save = button(
    'Change',
    async () => {
      await ask('PUT', `${path}/members/${userId}/role`, { role: select.value });
      return again(`${userId} is ${select.value}`);
    },
    { about: `the role of ${userId}` },
  );
  save.hidden = true;
  select.addEventListener('change', () => (save.hidden = select.value === role));
  return make('span', { className: 'role' }, select, save);
}

function add({ path, again, isOwner }) {
  const all = { member: 'member', admin: 'admin', owner: 'owner (is invited, and accepts)' };
  const roles = Object.entries(all).filter(([role]) => isOwner || role === 'member');
  return section(
    'add',
    'Add somebody',
    form({
      label: 'Add somebody',
      fields: [
        nameField('userId', 'Handle'),
        { name: 'role', label: 'Role', type: 'select', options: roles },
      ],
      submit: 'Add',
      isSecond: true,
      send: async ({ userId, role }) => {
        const handle = userId.trim();
        if (role === 'owner') await ask('POST', `${path}/invitations`, { userId: handle });
        else await ask('POST', `${path}/members`, { userId: handle, role });
        return again(role === 'owner' ? `${handle} is invited` : `${handle} is added`);
      },
    }),
  );
}

function invited(items, { me, path, again }) {
  const rowOf = ({ from, to, expiresAt }) => {
    const act = (label, method, end, said, className) =>
      sender(label, [method, `${path}/invitations/${to.handle}${end}`], () => again(said), {
        about: `the invitation of ${to.handle}`,
        className,
      });
    const isMine = to.handle === me.handle;
    return row(
      [
        make('h3', {}, person(to)),
        make('p', { className: 'quiet' }, 'invited by ', person(from), ', until ', day(expiresAt)),
      ],
      isMine ? act('Accept', 'POST', '/accept', 'You are an owner now', 'small') : '',
      act(isMine ? 'Decline' : 'Withdraw', 'DELETE', '', 'The invitation is withdrawn'),
    );
  };
  return items.length ? section('invitations', 'Invitations', rows(items, rowOf, '')) : undefined;
}

start((me) => {
  const slug = new URLSearchParams(location.search).get('namespace');
  return slug ? one(me, slug) : overview(me);
});
