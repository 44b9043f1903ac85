// Signs in, and goes on to the page of this site that asked for it.

import { api, ask, isPrivate, pageOf, root, signOut } from './parts/api.js';
import { make, notice, start } from './parts/dom.js';
import { button, form, nameField } from './parts/forms.js';
import { remember } from './parts/handle.js';

const to = pageOf(new URLSearchParams(location.search).get('to'));

function signInForm() {
  return form({
    label: 'Sign in',
    fields: [
      nameField('handle', 'Handle', { autocomplete: 'username', 'data-first': true }),
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true },
    ],
    submit: 'Sign in',
    send: async ({ handle, password }, element) => {
      try {
        const me = await ask('POST', 'auth/login', { handle: handle.trim(), password });
        remember(me.handle);
        location.assign(to);
      } catch (error) {
        element.elements.password.value = '';
        throw error.status === 401 ? Object.assign(new Error(error.message), { status: 400 }) : error;
      }
    },
  });
}

/** The page to go on to, below the address of the main registry, which has the accounts. */
function afterwards() {
  const main = isPrivate ? new URL('../../', root).href : root.href;
  return to.slice(main.length);
}

function providerLink({ name, title }) {
  const begin = api(`auth/sign-in/${encodeURIComponent(name)}`);
  begin.searchParams.set('to', afterwards());
  return make('a', { className: 'button', href: begin.href }, `Sign in with ${title}`);
}

start(async (me) => {
  if (me) {
    return [
      make('p', { className: 'lead' }, 'You are signed in as ', make('strong', {}, me.handle), '.'),
      make(
        'p',
        { className: 'choices' },
        make('a', { href: to, className: 'button' }, 'Go on'),
        button('Sign out', () => signOut(location.href), { className: 'second' }),
      ),
    ];
  }
  const { passwords, providers } = await ask('GET', 'auth/providers');
  return [
    providers.length ? make('p', { className: 'choices' }, ...providers.map(providerLink)) : undefined,
    passwords ? signInForm() : undefined,
    notice(
      'plain',
      make(
        'p',
        {},
        (passwords ? 'No account or no password? The people who run this registry give you one. ' : '') +
          'A token works on the command line: ',
        make('code', {}, 'skillmirror login'),
        '.',
      ),
    ),
  ];
}, true);
