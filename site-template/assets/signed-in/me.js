// The caller's account: skills, submissions, stars, invitations, offers, tokens and password.

import { ask, pageFor, root, signOut, skillPath, workPage } from './parts/api.js';
import { badge, day, link, make, nameOf, notice, own, person } from './parts/dom.js';
import { section, showAgain, start, stateOf } from './parts/dom.js';
import { allOf, button, form, row, rows, sender } from './parts/forms.js';
import { manage } from './parts/manage.js';
import { links, sessions } from './parts/sessions.js';
import { tokens } from './parts/tokens.js';

function skills({ items, total }) {
  const rowOf = (skill) => {
    const { namespace, slug, name, version, counts } = skill;
    const { published, pendingReview, rejected, yanked } = counts;
    const isPublic = published + yanked > 0;
    const shown = own(name || slug);
    return row(
      [
        make('h3', {}, isPublic ? link(pageFor(namespace, slug), shown) : shown),
        make(
          'p',
          { className: 'quiet' },
          make('span', { className: 'coordinate' }, nameOf(skill)),
          ' ',
          make('span', { className: 'version' }, version ?? ''),
        ),
        make(
          'p',
          { className: 'row-states' },
          badge(`${published} published`),
          pendingReview ? badge(`${pendingReview} in review`, 'warning') : undefined,
          rejected ? badge(`${rejected} rejected`, 'danger') : undefined,
          yanked ? badge(`${yanked} yanked`, 'danger') : undefined,
        ),
      ],
      make(
        'a',
        { className: 'button second small', href: workPage('me', { skill: `${namespace}/${slug}` }) },
        'Manage',
        make('span', { className: 'unseen' }, ` ${nameOf(skill)}`),
      ),
    );
  };
  return section('skills', 'Skills', rows(items, rowOf, 'You have no skills yet.', total));
}

function submissions({ items, total }, reload) {
  const rowOf = (review) => {
    const { id, kind, status, namespace, version, submittedAt, decidedBy, comment } = review;
    const path = `namespaces/${encodeURIComponent(namespace)}/reviews/${id}/withdraw`;
    return row(
      [
        make('h3', {}, link(workPage('reviews', { namespace, id }), `${nameOf(review)} ${version}`)),
        make(
          'p',
          { className: 'quiet' },
          stateOf(review),
          ' ',
          kind === 'promotion' ? 'copy for everyone, ' : '',
          'handed in ',
          day(submittedAt),
          decidedBy ? [', decided by ', person(decidedBy)] : undefined,
        ),
        comment ? make('p', { className: 'said' }, own(comment)) : undefined,
      ],
      ...(status === 'pending'
        ? [
            sender('Withdraw', ['POST', path], () => reload('The submission is withdrawn'), {
              about: `${nameOf(review)} ${version}`,
              question: { text: `Withdraw ${nameOf(review)} ${version}?` },
            }),
          ]
        : []),
    );
  };
  return section('submissions', 'Submissions', rows(items, rowOf, 'Nothing you handed in needed a review.', total));
}

function stars({ items, total }, reload) {
  const rowOf = (skill) =>
    row(
      [
        make('h3', {}, link(pageFor(skill.namespace, skill.slug), own(skill.name || skill.slug))),
        make('p', { className: 'quiet' }, make('span', { className: 'coordinate' }, nameOf(skill))),
      ],
      sender(
        'Unstar',
        ['DELETE', `${skillPath(skill.namespace, skill.slug)}/star`],
        () => reload(`${nameOf(skill)} is unstarred`),
        { about: nameOf(skill) },
      ),
    );
  return section('stars', 'Stars', rows(items, rowOf, 'You have starred no skill.', total));
}

/** Invitations to namespaces and offers of skills, made and received. */
function offers(me, invitations, transfers, reload) {
  const act = (label, method, path, said, about, className) =>
    sender(label, [method, path], () => reload(said), { about, className });
  const rowOf = ({ offer, what, href, accept, end }) => {
    const isMine = offer.to.handle === me.handle;
    const hasEnded = new Date(offer.expiresAt) < Date.now();
    return row(
      [
        make('h3', {}, link(href, what)),
        make(
          'p',
          { className: 'quiet' },
          isMine ? ['from ', person(offer.from)] : ['to ', person(offer.to)],
          hasEnded ? ', expired ' : ', until ',
          day(offer.expiresAt),
        ),
        offer.message ? make('p', { className: 'said' }, own(offer.message)) : undefined,
      ],
      isMine && !hasEnded ? act('Accept', 'POST', accept, `${what} is accepted`, what, 'small') : '',
      act(isMine ? 'Decline' : 'Withdraw', 'DELETE', end, isMine ? 'Declined' : 'Withdrawn', what),
    );
  };
  const invited = invitations.items.map((offer) => {
    const path = `namespaces/${offer.namespace}/invitations/${offer.to.handle}`;
    const [what, href] = [`Owner of @${offer.namespace}`, pageFor(offer.namespace)];
    return { offer, what, href, accept: `${path}/accept`, end: path };
  });
  const given = transfers.items.map((offer) => {
    const path = `${skillPath(offer.namespace, offer.slug)}/transfer`;
    const [what, href] = [`Author of ${nameOf(offer)}`, pageFor(offer.namespace, offer.slug)];
    return { offer, what, href, accept: `${path}/accept`, end: path };
  });
  const all = [...invited, ...given];
  return section('offers', 'Invitations and offers', rows(all, rowOf, 'No invitation and no offer waits.'));
}

function settings(me, { ways, linked }, reload) {
  const name = form({
    label: 'Name',
    fields: [{ name: 'displayName', label: 'Name to show', value: me.displayName, required: true, maxLength: 128 }],
    submit: 'Save the name',
    isSecond: true,
    send: async ({ displayName }) => {
      await ask('PUT', 'auth/me', { displayName });
      return reload('The name is saved');
    },
  });
  const ofPassword = (autocomplete) => ({ type: 'password', autocomplete, required: true });
  const password = form({
    label: 'Password',
    fields: [
      { name: 'username', label: 'Handle', value: me.handle, readOnly: true, autocomplete: 'username' },
      { name: 'currentPassword', label: 'Present password', ...ofPassword('current-password') },
      {
        name: 'password',
        label: 'New password',
        hint: 'At least 8 characters. All other sessions end, and the tokens made in them.',
        ...ofPassword('new-password'),
      },
    ],
    submit: 'Change the password',
    isSecond: true,
    send: async ({ currentPassword, password: next }, element) => {
      await ask('PUT', 'auth/me', { currentPassword, password: next });
      element.elements.currentPassword.value = '';
      element.elements.password.value = '';
      element.append(notice('plain', make('p', {}, 'The password is changed.')));
      return 'The password is changed';
    },
  });
  const ofPasswords = ways.passwords ? [make('h3', {}, 'Password'), password] : [];
  return section('account', 'Account', name, ...links(linked, ways, reload), ...ofPasswords);
}

/** Lists of the page and where they come from. */
const LISTS = {
  skills: 'me/skills',
  submissions: 'me/reviews?status=all',
  stars: 'me/stars',
  invitations: 'me/invitations',
  transfers: 'me/transfers',
  tokens: 'tokens',
};

/** All of the account, with the notice of a token that was just made. */
async function overview(me, token) {
  const lists = Object.entries(LISTS).map(async ([key, path]) => [key, await allOf(path)]);
  const others = ['auth/providers', 'auth/links', 'sessions'].map((path) => ask('GET', path));
  const found = Object.fromEntries(await Promise.all(lists));
  const [ways, { items: linked }, { items: signedIn }] = await Promise.all(others);
  const reload = (said, token) => showAgain(async () => overview(await ask('GET', 'auth/me'), token), said);
  const { role, namespaces } = me;
  const decides = role !== 'user' || namespaces.some((each) => each.role !== 'member');
  const numbers = [
    ['skills', 'Skills', found.skills.total],
    ['submissions', 'Submissions', found.submissions.total],
    ['stars', 'Stars', found.stars.total],
    ['offers', 'Offers', found.invitations.total + found.transfers.total],
    ['tokens', 'Tokens', found.tokens.total],
    ['sessions', 'Sessions', signedIn.length],
    ['account', 'Account'],
  ];
  return [
    make('p', { className: 'lead' }, person(me), role === 'user' ? '' : [' ', badge(role)]),
    make(
      'p',
      { className: 'choices' },
      make('a', { className: 'button', href: workPage('publish') }, 'Publish a skill'),
      make('a', { className: 'button second', href: workPage('settings') }, 'Namespaces'),
      decides ? make('a', { className: 'button second', href: workPage('reviews') }, 'Reviews') : undefined,
      role === 'admin'
        ? make('a', { className: 'button second', href: workPage('admin') }, 'Administration')
        : undefined,
      button('Sign out', () => signOut(root.href), { className: 'second' }),
    ),
    make(
      'nav',
      { className: 'sections', 'aria-label': 'On this page' },
      ...numbers.map(([id, text, number]) =>
        make(
          'a',
          { href: `#${id}` },
          text,
          number === undefined ? '' : ' ',
          number === undefined ? '' : make('span', { className: 'number' }, number),
        ),
      ),
    ),
    skills(found.skills),
    submissions(found.submissions, reload),
    stars(found.stars, reload),
    offers(me, found.invitations, found.transfers, reload),
    tokens(found.tokens, reload, token),
    sessions(signedIn, reload),
    settings(me, { ways, linked }, reload),
  ];
}

start((me) => {
  const [namespace, slug] = (new URLSearchParams(location.search).get('skill') ?? '').split('/');
  return slug ? manage(namespace, slug) : overview(me);
});
