// The audit log, newest first.

import { ask, workPage } from './api.js';
import { count, link, make, own, section } from './dom.js';
import { button, form, nameField } from './forms.js';

/** The section of what the user `user` did, or of everything. */
export async function auditLog(user = '') {
  const body = make('tbody');
  const state = make('p', { className: 'quiet' });
  let filter = { user };
  let next;
  const load = async () => {
    const page = await ask('GET', `audit?${new URLSearchParams({ ...filter, size: 50, before: next ?? '' })}`);
    body.append(...page.items.map(rowOf));
    ({ next } = page);
    older.hidden = !next;
    state.textContent = next ? `Everything since row ${next} is shown.` : 'This is the whole log.';
    return page.items.length ? `${count(page.items.length, 'change')} shown` : 'No change found';
  };
  const older = button('Show older', load, { className: 'second' });
  const choose = form({
    label: 'Filter',
    fields: [
      nameField('user', 'Person', { value: user, required: false, hint: 'Who acted, or whose account changed.' }),
      nameField('namespace', 'Namespace', { required: false }),
    ],
    submit: 'Filter',
    isSecond: true,
    send: (values) => {
      filter = { user: bare(values.user), namespace: bare(values.namespace) };
      next = undefined;
      body.replaceChildren();
      return load();
    },
  });
  await load();
  const head = ['When', 'Who', 'What'].map((name) => make('th', { scope: 'col' }, name));
  const about = { className: 'audit', 'aria-labelledby': 'audit-title' };
  const table = make('table', about, make('thead', {}, make('tr', {}, ...head)), body);
  return section('audit', 'Audit log', choose, table, state, make('p', { className: 'choices' }, older));
}

/** A name without the sign before it. */
export function bare(name) {
  return name.trim().replace(/^@/, '');
}

function rowOf({ revision, at, actor, token, session, request, acts }) {
  const means = token ? `token ${token}` : session ? `session ${session}` : '';
  const numbers = [`row ${revision}`, means, request && `request ${request}`].filter(Boolean).join(', ');
  const who = actor ? link(workPage('admin', { user: actor }), actor) : 'the operator';
  return make(
    'tr',
    {},
    make('td', {}, make('time', { dateTime: at }, at.replace('T', ' ').replace('Z', ''))),
    make('td', {}, who),
    make('td', {}, ...acts.map(({ what }) => make('p', {}, own(what))), make('p', { className: 'quiet' }, numbers)),
  );
}
