// What a search finds in the private namespaces of the person who has signed in. Each has an index of its own.

import { plain } from './unseen.js';

const LIMIT = 5;
let opened;

/** A search of each private namespace of the caller; none if nobody is signed in or the server is away. */
async function open(Search, root) {
  const answer = await fetch(new URL('api/v1/auth/me', root), { cache: 'no-store' }).catch(() => undefined);
  const { privateNamespaces = [] } = answer?.ok ? await answer.json().catch(() => ({})) : {};
  return privateNamespaces.map((namespace) => {
    return new Search({ base: new URL(`-/${encodeURIComponent(namespace)}`, root).href });
  });
}

/** The cards of the best hits of each, with links to their pages. What cannot be searched now is left out. */
export async function cardsOfPrivate(q, Search, root, element) {
  opened ??= open(Search, root);
  // Somebody may sign in, or the server come back.
  if (!(await opened).length) opened = undefined;
  const found = (await (opened ?? [])).map(async (search) => {
    const { hits } = await search.search(q, { limit: LIMIT }).catch(() => ({ hits: [] }));
    return hits.map(({ slug, name, description }) => {
      const path = slug.replace('--', '/');
      const link = element('a', { href: `${search.base}/${path}/`, textContent: plain(name || path) });
      return element(
        'li',
        { className: 'card' },
        element('h3', { className: 'card-title' }, link),
        element('p', { className: 'card-name', textContent: plain(`@${path}`) }),
        element('p', { className: 'card-text', dir: 'auto', textContent: plain(description ?? '') }),
      );
    });
  });
  return (await Promise.all(found)).flat();
}
