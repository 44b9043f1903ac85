// A host with the documents of skills, and requests to `respond` as clients of the server make them.

import assert from 'node:assert/strict';

import { respond } from '../../site-template/assets/search.js';
import { BASE, Host } from './host.mjs';

export const text = (value) => `${JSON.stringify(value)}\n`;

/** A summary with fields in the order of the API. Its texts have characters that JSON writers escape differently. */
export const summary = (slug, more) => ({
  id: '7',
  namespace: slug.includes('--') ? slug.split('--')[0] : 'global',
  slug: slug.split('--').at(-1),
  canonicalSlug: slug,
  name: 'A "name" \\ / <b> \u007f \u2028',
  description: 'tab\t line\n bell\u0007 é 猫 🚀',
  author: { handle: 'ann', displayName: 'Ann' },
  version: '1.0.0',
  tags: { beta: '1.0.0' },
  keywords: ['one', 'two'],
  downloadCount: 3,
  starCount: 2,
  ratingAverage: 4.33,
  ratingCount: 3,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-02T00:00:00Z',
  ...more,
});

export const result = (item) => ({
  slug: item.canonicalSlug,
  name: item.name,
  description: item.description,
  author: item.author,
  version: item.version,
  downloadCount: item.downloadCount,
  starCount: item.starCount,
  createdAt: item.createdAt,
  updatedAt: item.updatedAt,
});

/** A host with the index and the documents of skills. All are found by `pdf`, in this order. */
export function hostOf(summaries) {
  const skills = summaries.map(({ canonicalSlug: slug }, i) => ({ id: i + 1, slug, words: { pdf: 20, [`n${i}`]: 9 } }));
  const host = new Host(skills);
  for (const item of summaries) {
    const detail = { ...item, license: 'MIT', homepage: null, latest: { version: '1.0.0' }, promotedFrom: null };
    host.put(`/api/v1/skills/${item.namespace}/${item.slug}.json`, detail);
  }
  return host;
}

export const many = (count, more = () => ({})) =>
  Array.from({ length: count }, (_, i) => summary(i % 2 ? `team--s-${i}` : `s-${i}`, more(i)));

export const ask = (host, query, search = host.open()) => respond(`${BASE}/api/v1/${query}`, search);
export const body = async (host, query) => {
  const response = await ask(host, query);
  assert.equal(response.status, 200, `${query}: ${await response.clone().text()}`);
  return response.text();
};
export const problem = async (host, query, status) => {
  const response = await ask(host, query);
  assert.equal(response.status, status, query);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  return response.text();
};
