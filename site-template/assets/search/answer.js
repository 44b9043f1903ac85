// Answers requests as the server does, from the index and documents.

import { SearchError, StaleIndex, keyOf, partsOf } from './files.js';
import { find } from './query.js';
import { words } from './words.js';

const LIST_SIZE = 20; // Skills on a page of a list that is a file.
const MAX_SORTED = 100;
const WORD = /^[a-z0-9]{2,32}$/; // A query that may be precomputed.
const NOT_A_FILE = 'This page of the most recently updated skills is not in a file.';

// The fields that lists are sorted by, the largest first.
const SORTS = {
  updated: 'updatedAt',
  created: 'createdAt',
  downloads: 'downloadCount updatedAt',
  stars: 'starCount updatedAt',
  rating: 'ratingAverage ratingCount updatedAt',
  name: 'updatedAt',
};

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=60, must-revalidate',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

const KINDS = {
  400: ['invalid_request', 'Invalid request', { 'Cache-Control': 'no-store' }],
  404: ['not_found', 'Not found', { 'Cache-Control': 'public, max-age=10' }],
  503: ['unavailable', 'Unavailable', { 'Cache-Control': 'no-store', 'Retry-After': '5' }],
};

export async function answer(request, registry) {
  const { pathname, searchParams } = new URL(request.url ?? request, 'http://localhost');
  try {
    const [endpoint] = /\/api\/(v1\/)?(search|skills)$/.exec(pathname) ?? [];
    const respond = ENDPOINTS[endpoint] ?? leaveToServer('This is not a search.');
    const body = await respond(searchParams, registry);
    return new Response(body, { headers: HEADERS });
  } catch (error) {
    const { message: detail, status, errors } = error;
    if (!KINDS[status]) throw error;
    const [code, title, more] = KINDS[status];
    const problem = { type: `urn:skillmirror:problem:${code}`, title, status, code, detail, requestId: '-', errors };
    const headers = { ...HEADERS, 'Content-Type': 'application/problem+json', ...more };
    return new Response(json(problem), { status, headers });
  }
}

const ENDPOINTS = { '/api/v1/search': search, '/api/v1/skills': skills, '/api/search': findSkills };

async function search(parameters, registry) {
  const q = queryText(parameters, 'q');
  const page = wholeNumber(parameters, 'page', 1, Number.MAX_SAFE_INTEGER);
  const limit = wholeNumber(parameters, 'limit', LIST_SIZE, 100);
  const isBlank = !words(q).length;
  if (page === 1 && limit === LIST_SIZE && (isBlank || WORD.test(q))) {
    const path = isBlank ? '/api/v1/search.json' : `/api/v1/search/_q/${q}.json`;
    // If this file cannot be read, the index still can.
    const precomputed = await readDocument(registry, path).catch(() => undefined);
    if (precomputed?.value.results) return precomputed.text;
  }
  const { items, total } = await pageOf(registry, q, page, limit);
  const results = items.map(
    ({ canonicalSlug: slug, name, description, author, version, downloadCount, starCount, createdAt, updatedAt }) => ({
      slug, name, description, author, version, downloadCount, starCount, createdAt, updatedAt,
    }),
  );
  return json({ results, total, page, limit });
}

/** What `npx skills find` asks for. */
async function findSkills(parameters, registry) {
  const q = queryText(parameters, 'q');
  const limit = wholeNumber(parameters, 'limit', LIST_SIZE, 100);
  const owner = namespaceOf(parameters, 'owner');
  if (!owner && limit === LIST_SIZE && WORD.test(q)) {
    const precomputed = await readDocument(registry, `/api/search/_q/${q}.json`).catch(() => undefined);
    if (precomputed?.value.skills) return precomputed.text;
  }
  const settings = await readDocument(registry, '/api/v1/mirror/settings.json');
  const site = settings?.value.publicUrl ?? leaveToServer('The registry does not know its public URL.');
  const { items } = await pageOf(registry, q, 1, limit, owner);
  const skills = items.map(({ namespace, slug, downloadCount: installs }) => {
    const id = `${namespace}/${slug}`;
    return { id, name: slug, source: `${site}/${id}#`, installs };
  });
  return json({ skills });
}

async function skills(parameters, registry) {
  const sort = parameters.get('sort');
  if (sort && !Object.hasOwn(SORTS, sort)) {
    refuse('sort', `there is no such order: sort is one of ${Object.keys(SORTS).join(', ')}`);
  }
  const page = wholeNumber(parameters, 'page', 1, Number.MAX_SAFE_INTEGER);
  const size = wholeNumber(parameters, 'size', LIST_SIZE, 100);
  const namespace = namespaceOf(parameters, 'namespace');
  const keyword = queryText(parameters, 'keyword');
  if (!parameters.get('keyword')) leaveToServer('A list is not a search.');
  const list = await pageOf(registry, keyword, page, size, namespace, sort || '');
  const items = list.items.map(({ license, homepage, latest, promotedFrom, ...summary }) => summary);
  return json({ items, total: list.total, page, size, filePages: list.filePages });
}

function pageOf(registry, q, page, size, namespace, sort) {
  return registry.withIndex(async (index) => {
    const all = await find(index, q, namespace);
    // In another order, skills that were found by meaning alone would be among the others.
    const hits = sort ? all?.hits.filter(({ byMeaning }) => !byMeaning) : all?.hits;
    if (hits) return (sort ? sorted : found)(registry, hits, page, size, sort);
    if (namespace) leaveToServer(NOT_A_FILE);
    return newest(registry, index.manifest.skills, page, size, sort);
  });
}

/** A page of the documents of found skills. */
async function found(registry, hits, page, size) {
  const items = hits.slice((page - 1) * size, page * size).map(async ({ slug }) => {
    const skill = (await readDocument(registry, `/api/v1/skills/${partsOf(slug).join('/')}.json`))?.value;
    if (skill?.canonicalSlug === slug && skill.version) return skill;
    throw new StaleIndex(`The skill ${slug} of the search index is missing: try again later.`);
  });
  return { items: await Promise.all(items), total: hits.length };
}

/** A page of the documents of found skills, in another order. */
async function sorted(registry, hits, page, size, sort) {
  if (hits.length > MAX_SORTED) leaveToServer(`More than ${MAX_SORTED} skills are not sorted here.`);
  const { items, total } = await found(registry, hits, 1, MAX_SORTED);
  const fields = SORTS[sort].split(' ');
  const compare = (a, b) => {
    const [name, other] = sort === 'name' ? [a, b].map((skill) => keyOf(skill.name.toLowerCase())) : [];
    if (name !== other) return name < other ? -1 : 1;
    const field = fields.find((each) => a[each] !== b[each]);
    return field ? (a[field] > b[field] ? -1 : 1) : 0;
  };
  items.sort(compare);
  const [start, end] = [(page - 1) * size, page * size];
  const isTied = (skill, i) => i > 0 && i >= start && i <= end && compare(items[i - 1], skill) === 0;
  if (items.some(isTied)) leaveToServer('Skills of the same second are not sorted here.');
  return { items: items.slice(start, end), total };
}

/** A page of all skills, from a list with as many. A longer one has skills that are not live. */
async function newest(registry, total, page, size, sort) {
  const start = (page - 1) * size;
  const end = Math.min(start + size, total);
  // Of a list, this page may not be empty.
  if (sort === undefined && start >= end) return { items: [], total };
  const number = Math.floor(start / LIST_SIZE) + 1;
  const path = `/api/v1/skills/_list/_all/${sort || 'updated'}-${number}.json`;
  const list = (await readDocument(registry, path))?.value;
  // List and manifest may show different states.
  if (list?.total !== total || end > number * LIST_SIZE) leaveToServer(NOT_A_FILE);
  const filePages = size === LIST_SIZE ? list.filePages : undefined;
  return { items: list.items.slice(start % LIST_SIZE, (start % LIST_SIZE) + end - start), total, filePages };
}

async function readDocument(registry, path) {
  const bytes = await registry.read(path);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return { text, value: Object(JSON.parse(text)) };
  } catch {
    throw new SearchError(`The host answers with another page instead of ${path}.`);
  }
}

function queryText(parameters, name) {
  const text = (parameters.get(name) ?? '').trim().toLowerCase();
  return [...text].length > 200 ? refuse(name, 'it must have at most 200 characters: leave some words out') : text;
}

function namespaceOf(parameters, name) {
  const namespace = parameters.get(name);
  const isName = !namespace || /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/.test(namespace);
  return isName ? namespace : refuse(name, 'it is not a name');
}

function wholeNumber(parameters, name, byDefault, max) {
  const text = parameters.get(name) || String(byDefault);
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : refuse(name, `it must be a whole number from 1 to ${max}`);
}

function refuse(field, message) {
  const error = new SearchError(`The field \`${field}\` is wrong: ${message}.`, 400);
  throw Object.assign(error, { errors: [{ code: 'invalid_field', field, line: null, message }] });
}

function leaveToServer(why) {
  throw new SearchError(`${why} Ask the registry's server.`, 404);
}

function json(value) {
  return `${JSON.stringify(value)}\n`;
}
