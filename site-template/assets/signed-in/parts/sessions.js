// Where the caller is signed in, and with what.

import { ask } from './api.js';
import { day, make, own, section } from './dom.js';
import { button, row, rows, sender } from './forms.js';

/** The section of the caller's sessions. */
export function sessions(all, reload) {
  const rowOf = (session) => {
    const { id, browser, address, provider, createdAt, lastUsedAt, expiresAt, isOfClient, isCurrent, tokens } = session;
    const name = browser || (isOfClient ? 'A client' : 'A browser');
    const facts = [
      isCurrent ? 'this browser, ' : '',
      isOfClient ? 'a client, ' : '',
      `signed in with ${provider || 'a password'}`,
      address ? ` from ${address} ` : ' ',
      day(createdAt),
      lastUsedAt ? [', last used ', day(lastUsedAt)] : '',
      ', ends ',
      day(expiresAt),
    ];
    return row(
      [
        make('h3', {}, own(name)),
        make('p', { className: 'quiet' }, ...facts.flat()),
        tokens.length ? make('p', { className: 'quiet' }, 'Its tokens: ', own(tokens.join(', '))) : undefined,
      ],
      isCurrent
        ? ''
        : sender('End', ['DELETE', `sessions/${id}`], () => reload('The session is ended'), {
            about: `the session of ${name}`,
            question: { text: `End the session of ${name}? Its tokens stop working.` },
          }),
    );
  };
  return section('sessions', 'Where you are signed in', rows(all, rowOf, 'You have no session: you use a token.'));
}

/** The ways in which the caller may sign in. Empty without providers. */
export function links(all, ways, reload) {
  if (!ways.providers.length && !all.length) return [];
  const rowOf = ({ id, title, issuer, createdAt }) =>
    row(
      [
        make('h3', {}, own(title ?? issuer)),
        make('p', { className: 'quiet' }, own(issuer), ', linked ', day(createdAt)),
      ],
      sender('Unlink', ['DELETE', `auth/links/${id}`], () => reload('The account is unlinked'), {
        about: title ?? issuer,
        question: { text: `Unlink ${title ?? issuer}? You can no longer sign in with it.` },
      }),
    );
  const begin = ({ name, title }) =>
    button(
      `Link to ${title}`,
      async () => location.assign((await ask('POST', 'auth/links', { provider: name })).location),
      { className: 'second' },
    );
  return [
    make('h3', {}, 'Sign in with'),
    rows(all, rowOf, 'Your account is not linked to a provider.'),
    make('p', { className: 'choices' }, ...ways.providers.map(begin)),
  ];
}
