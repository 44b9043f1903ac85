// The caller's tokens: the list, and making and copying a new one.

import { copy } from '../../copying.js';
import { ask } from './api.js';
import { day, make, notice, own, section } from './dom.js';
import { form, row, rows, sender } from './forms.js';

const SCOPES = [
  ['read', 'read: see what only you and your teams see'],
  ['publish', 'publish: hand in and publish versions'],
  ['social', 'social: star and rate'],
  ['manage', 'manage: change skills, namespaces and your account'],
  ['tokens', 'tokens: create and revoke tokens'],
];
const HOUR = 3600;
const ENDS = [
  [24 * HOUR, 'In a day'],
  [HOUR, 'In an hour'],
  [7 * 24 * HOUR, 'In a week'],
  ['', 'With this session'],
];

/** A list of tokens. `reload` shows the page again, and says a sentence. */
export function tokenList({ items, total }, reload, empty) {
  const rowOf = ({ id, name, prefix, scopes, expiresAt, lastUsedAt }) =>
    row(
      [
        make('h3', {}, own(name)),
        make('p', { className: 'quiet' }, make('code', {}, `${prefix}…`), ` ${scopes.join(', ')}`),
        make(
          'p',
          { className: 'quiet' },
          expiresAt ? [new Date(expiresAt) < Date.now() ? 'expired ' : 'ends ', day(expiresAt)] : 'does not end',
          lastUsedAt ? [', last used ', day(lastUsedAt)] : ', never used',
        ),
      ],
      sender('Revoke', ['DELETE', `tokens/${id}`], () => reload(`The token ${name} is revoked`), {
        about: `the token ${name}`,
        question: { text: `Revoke the token ${name}? What uses it stops working.` },
      }),
    );
  return rows(items, rowOf, empty, total);
}

/** The section of the caller's tokens, with the notice `made` of a new one. */
export function tokens(list, reload, made) {
  const create = form({
    label: 'Create a token',
    fields: [
      { name: 'name', label: 'Name', required: true, maxLength: 64, hint: 'What uses it, such as “laptop”.' },
      { type: 'checks', name: 'scopes', label: 'It may', options: SCOPES, value: ['read'] },
      { name: 'ends', label: 'It ends', type: 'select', options: ENDS },
    ],
    submit: 'Create a token',
    isSecond: true,
    send: async ({ name, scopes, ends }, element) => {
      const at = ends ? { expiresAt: new Date(Date.now() + ends * 1000).toISOString().replace(/\.\d+/, '') } : {};
      const token = await ask('POST', 'tokens', { name: name.trim(), scopes, ...at });
      const shown = shownOnce(token);
      element.reset();
      const said = await reload(`The token ${token.name} is created`, shown);
      if (!shown.isConnected) element.before(shown);
      shown.querySelector('button').focus();
      return said;
    },
  });
  return section(
    'tokens',
    'Tokens',
    make(
      'p',
      { className: 'quiet' },
      'A token lets a program act as you. One that you create here ends when you sign out, ' +
        'and at the latest with this session. For a machine, ask an operator for a token.',
    ),
    tokenList(list, reload, 'You have no tokens.'),
    made,
    make('h3', {}, 'New token'),
    create,
  );
}

/** A new token, which nobody can see again. */
function shownOnce({ name, token }) {
  const text = make('code', {}, token);
  const button = make('button', { type: 'button', onclick: () => copy(button, token, text) }, 'Copy the token');
  return notice(
    'plain',
    make('h3', {}, 'Token ', own(name)),
    make('p', {}, 'Copy it now: it is not shown again.'),
    make('p', { className: 'secret' }, text),
    make('p', { className: 'choices' }, button),
  );
}
