// The API of the registry that the page is from. The cookie of the session is the only credential.

import { remember } from './handle.js';

/** The address of the site. */
export const root = new URL(document.documentElement.dataset.root, location.href);
/** Whether these are the pages of a private namespace, which has no other namespace beside it. */
export const isPrivate = /\/-\/[^/]+\/$/.test(root.pathname);

/** The server cannot be reached, or the host has only files. */
export class Away extends Error {}

/** The server refuses. `fields` has what it says about fields, and `findings` what it says about a package. */
export class Refusal extends Error {
  constructor(status, { detail, title, code, errors = [] }) {
    super(detail || title || `The server answered with the status ${status}.`);
    Object.assign(this, { status, code });
    this.fields = errors.filter(({ field }) => field);
    this.findings = code === 'invalid_package' ? errors : [];
  }
}

/** The address of a part of the API, such as `tokens/7`. */
export function api(path) {
  return new URL(`api/v1/${path}`, root);
}

/** The revision of this page's last write. Another server may not have it yet, and waits for it. */
let revision;

/** Asks the API. Returns the record of the answer, or undefined if it has none. */
export async function ask(method, path, body) {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  if (revision) headers['X-Min-Revision'] = revision;
  let answer;
  let text;
  try {
    answer = await fetch(api(path), { method, headers, body: body && JSON.stringify(body), cache: 'no-store' });
    text = await answer.text();
  } catch {
    throw new Away();
  }
  revision = answer.headers.get('X-Revision') ?? revision;
  return answerOf(answer.status, answer.headers.get('Content-Type'), text);
}

/** Makes a record of an answer. Hosts of files answer with pages of their own. */
export function answerOf(status, type, text) {
  if (status === 204) return undefined;
  const isRecord = /^application\/(problem\+)?json\b/.test(type ?? '');
  let record;
  try {
    record = isRecord && JSON.parse(text);
  } catch {
    // A host that only looks like the server.
  }
  if (!record || record.code === 'read_only') throw new Away();
  if (status < 400) return record;
  if (!record.code) throw new Away();
  throw new Refusal(status, record);
}

/** The caller's account, or undefined if nobody is signed in. */
export async function account() {
  try {
    const me = await ask('GET', 'auth/me');
    remember(me.handle);
    return me;
  } catch (error) {
    if (error.status !== 401) throw error;
    remember();
    return undefined;
  }
}

/**
 * Ends the session in this browser, and goes to `page`, or to the provider to sign out there, too. A session that has
 * ended already is no failure.
 */
export async function signOut(page) {
  const done = await ask('POST', 'auth/logout').catch((error) => {
    if (error.status !== 401) throw error;
  });
  remember();
  location.assign(done?.signOutAt ?? page);
}

/** The page for signing in, which comes back to `here`. */
export function loginPage(here = location) {
  const page = new URL('login/', root);
  page.searchParams.set('to', here.pathname.slice(root.pathname.length) + here.search + here.hash);
  return page.href;
}

/** Where `to` leads, if that is a page of this site, else the page of the account. */
export function pageOf(to) {
  const fallback = new URL('me/', root);
  if (!URL.canParse(to || 'me/', root)) return fallback.href;
  const page = new URL(to || 'me/', root);
  const isHere = page.origin === root.origin && page.pathname.startsWith(root.pathname);
  return (isHere && !page.pathname.startsWith(`${root.pathname}login/`) ? page : fallback).href;
}

/** The page of a skill or namespace. */
export function pageFor(...names) {
  return new URL(`${names.map(encodeURIComponent).join('/')}/`, root).href;
}

/** A page for work with parameters, such as `settings/?namespace=team`. */
export function workPage(name, parameters = {}) {
  const page = new URL(`${name}/`, root);
  for (const [key, value] of Object.entries(parameters)) page.searchParams.set(key, value);
  return page.href;
}

/** The path of a skill in the API. */
export function skillPath(namespace, slug) {
  return `skills/${encodeURIComponent(namespace)}/${encodeURIComponent(slug)}`;
}
