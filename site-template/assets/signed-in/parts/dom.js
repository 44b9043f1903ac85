// Makes elements. Texts of others are only ever text.

import { plain } from '../../unseen.js';
import { Away, account, loginPage, root } from './api.js';
import { showHandle } from './handle.js';

export { announce } from '../../copying.js';

/** An element. A property that the element lacks becomes an attribute; `on…` is a listener. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && !key.startsWith('aria')) element[key] = value;
    else if (value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(
    ...children
      .flat()
      .filter((child) => child !== undefined && child !== false)
      .map(node),
  );
  return element;
}

function node(child) {
  return child instanceof Node ? child : plain(child);
}

/** Shows these children at a place, and leaves out those that are missing. */
export function fill(place, children) {
  place.replaceChildren(...children.filter(Boolean));
}

/** A text of others, which cannot change the direction of the words around it. */
export function own(text) {
  return make('bdi', {}, text);
}

export function link(href, ...children) {
  return make('a', { href }, ...children);
}

/** The day of a time of the API. */
export function day(at) {
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' };
  const text = new Date(at).toLocaleDateString('en-GB', options).replaceAll(' ', '\u00a0');
  return make('time', { dateTime: at, title: at }, text);
}

/** A person: the name, and the handle if it differs. */
export function person({ handle, displayName }) {
  const name = displayName || handle;
  return make('span', {}, own(name), name === handle ? undefined : make('span', { className: 'quiet' }, ` ${handle}`));
}

export function badge(text, kind) {
  return make('span', { className: `badge${kind ? ` badge-${kind}` : ''}` }, text);
}

/** The name of a skill: `@namespace/slug`. */
export function nameOf({ namespace, slug }) {
  return `@${namespace}/${slug}`;
}

const STATES = { pending: 'warning', rejected: 'danger' };

/** The state of a submission. */
export function stateOf({ status }) {
  return badge(status === 'pending' ? 'in review' : status, STATES[status]);
}

/** A list of terms with what is said of each. Missing ones are left out. */
export function facts(pairs) {
  const shown = pairs.filter(Boolean);
  const lines = shown.map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value)));
  return make('dl', { className: 'asked' }, ...lines);
}

/** A notice. One that tells of a failure is read out. */
export function notice(kind, ...children) {
  const role = kind === 'danger' ? 'alert' : undefined;
  return make('div', { className: `notice notice-${kind}`, role }, ...children);
}

export function section(id, title, ...children) {
  return make(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    make('h2', { id: `${id}-title` }, title),
    ...children,
  );
}

/** A number of things: `1 file`, `3 files`. */
export function count(number, one, many = `${one}s`) {
  return `${Number(number).toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function size(bytes) {
  if (bytes < 1000) return count(bytes, 'byte');
  const kilo = bytes / 1024;
  return kilo < 1000 ? `${kilo.toFixed(kilo < 10 ? 1 : 0)} KiB` : `${(kilo / 1024).toFixed(1)} MiB`;
}

/** What a person reads about a failure. */
export function failure(error) {
  if (error instanceof Away) {
    return notice(
      'danger',
      make('h2', {}, 'The registry cannot be reached'),
      make(
        'p',
        {},
        'This site still shows and searches skills, and packages can be downloaded. Signing in and changes ',
        'need the server of the registry, which does not answer here. Try again later, or at its own address.',
      ),
      make('p', {}, link(root.href, 'Start page'), ' · ', link(new URL('search/', root).href, 'Search')),
    );
  }
  if (error.status === 401) {
    // In another tab, so that nothing that was typed here is lost.
    const again = make('a', { href: loginPage(), target: '_blank' }, 'Sign in again');
    const ended = 'Your session has ended. ';
    return notice('danger', make('p', {}, ended, again, ' in another tab, then press the button again.'));
  }
  if (error.status === undefined) console.error(error); // A fault of this script.
  return notice('danger', make('p', {}, error.message));
}

/** Shows a failure at a place, instead of the one before. */
export function showFailure(place, error) {
  place.querySelector(':scope > .notice-danger[role=alert]')?.remove();
  place.append(failure(error));
}

/** Shows the page again after a write, and returns the sentence about it. If the page cannot be read, it says so. */
export async function showAgain(show, said) {
  const content = document.querySelector('[data-content]');
  try {
    fill(content, await show());
  } catch {
    const reload = make('button', { type: 'button', onclick: () => location.reload() }, 'Reload the page');
    const done = notice('plain', make('p', {}, `${said}. This page still shows what was before.`), reload);
    content.prepend(done);
    reload.focus();
  }
  return said;
}

/** Fills the page with what `show` makes for the caller. Without `isPublic`, who is not signed in is led to sign in. */
export async function start(show, isPublic = false) {
  showHandle();
  // A page that the browser has kept may be of a session that has ended.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  const content = document.querySelector('[data-content]');
  const waiting = make('p', { className: 'quiet', role: 'status' }, 'Loading …');
  content.replaceChildren(waiting);
  content.setAttribute('aria-busy', 'true');
  try {
    const me = await account();
    if (!me && !isPublic) {
      location.replace(loginPage());
      return;
    }
    fill(content, await show(me));
    content.querySelector('[data-first]')?.focus();
  } catch (error) {
    content.replaceChildren(failure(error));
  }
  content.removeAttribute('aria-busy');
  goToHash();
}

/** Browsers look for the target of an address before the page is filled. */
function goToHash() {
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** The end of the title: the name of the site. */
const ofSite = document.title.slice(document.title.indexOf(' · '));

/** Gives the page another heading and title. */
export function setTitle(text) {
  document.querySelector('.work > h1').replaceChildren(own(text));
  document.title = plain(text) + ofSite;
}
