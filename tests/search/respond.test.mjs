// Answers to the server's requests, made from files.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { respond } from '../../site-template/assets/search.js';
import { ask, body, hostOf, many, problem, result, text } from './documents.mjs';
import { BASE, Host } from './host.mjs';

const INDEX = /_index/;
test('search answers results as the API describes them', async () => {
  const items = many(25);
  const host = hostOf(items);
  const page = (from, to, number, limit) =>
    text({ results: items.slice(from, to).map(result), total: 25, page: number, limit });
  assert.equal(await body(host, 'search?q=PDF&namespace=ignored'), page(0, 20, 1, 20));
  assert.equal(await body(host, 'search?q=pdf&page=2'), page(20, 25, 2, 20));
  assert.equal(await body(host, 'search?q=pdf&page=3&limit=7&page=9'), page(14, 21, 3, 7));
  assert.equal(await body(host, 'search?q=pdf&page=9&limit='), page(0, 0, 9, 20));
  assert.equal(await body(host, 'search?q=nothing'), text({ results: [], total: 0, page: 1, limit: 20 }));
});

test('skills answers items without the fields that only documents have', async () => {
  const items = many(5, () => ({ ratingAverage: null }));
  const host = hostOf(items);
  assert.equal(await body(host, 'skills?keyword=pdf'), text({ items, total: 5, page: 1, size: 20 }));
  const team = items.filter(({ namespace }) => namespace === 'team');
  assert.equal(
    await body(host, 'skills?keyword=pdf&namespace=team&size=1&page=2'),
    text({ items: team.slice(1), total: 2, page: 2, size: 1 }),
  );
  assert.equal(
    await body(host, 'skills?keyword=pdf&namespace=nobody'),
    text({ items: [], total: 0, page: 1, size: 20 }),
  );
});

test('answer has the headers of a document', async () => {
  const host = hostOf(many(1));
  const { status, headers } = await ask(host, 'search?q=pdf');
  assert.equal(status, 200);
  assert.deepEqual(Object.fromEntries(headers), {
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=60, must-revalidate',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
  });
});

test('respond takes an address, a URL or a request, and a reader or its options', async () => {
  const host = hostOf(many(1));
  const expected = await body(host, 'search?q=pdf');
  const options = { base: `${BASE}/`, fetch: host.fetch };
  for (const request of [
    '/api/v1/search?q=pdf',
    new URL('https://edge.test/api/v1/search?q=pdf'),
    new Request('https://edge.test/api/v1/search?q=pdf'),
  ]) {
    assert.equal(await (await respond(request, options)).text(), expected);
    assert.equal(await (await respond(request, host.open())).text(), expected);
  }
});

test('precomputed query is answered with its file', async () => {
  const host = hostOf(many(1));
  const made = '{"results":[],"total":9,"page":1,"limit":20}\n';
  host.put('/api/v1/search/_q/pdf.json', made);
  assert.equal(await body(host, 'search?q=%20PDF&limit=20'), made);
  assert.deepEqual(host.requests.splice(0), ['/api/v1/search/_q/pdf.json']);
  for (const other of ['q=pdf&limit=19', 'q=pdf&page=2', 'q=pdf%20x', 'q=../pdf', 'q=-pdf', 'q=pdf-tools', 'q=p']) {
    await body(host, `search?${other}`);
    assert.ok(!host.requests.splice(0).some((request) => request.includes('_q')), other);
  }
  // A page instead of the file is ignored.
  host.put('/api/v1/search/_q/pdf.json', '<!doctype html>');
  assert.match(await body(host, 'search?q=pdf'), /"total":1,/);
});

test('blank query gets the most recently updated skills if all listed ones are live', async () => {
  const items = many(45);
  const host = hostOf(items);
  const list = (sort, page, total = 45) =>
    host.put(`/api/v1/skills/_list/_all/${sort}-${page}.json`, {
      items: items.slice((page - 1) * 20, page * 20),
      total,
      page,
      size: 20,
    });
  [1, 2, 3].forEach((page) => list('updated', page));
  list('name', 1);
  const results = (from, to, page, limit) =>
    text({ results: items.slice(from, to).map(result), total: 45, page, limit });
  assert.equal(await body(host, 'search'), results(0, 20, 1, 20));
  assert.equal(await body(host, 'search?q=!!&page=3'), results(40, 45, 3, 20));
  assert.equal(await body(host, 'search?page=4'), results(0, 0, 4, 20));
  assert.equal(await body(host, 'search?page=5&limit=10'), results(40, 45, 5, 10));
  assert.equal(
    await body(host, 'skills?keyword=!&sort=name'),
    text({ items: items.slice(0, 20), total: 45, page: 1, size: 20 }),
  );
  await problem(host, 'search?limit=21', 404);
  await problem(host, 'skills?keyword=!&namespace=team', 404);
  // Of 46 listed skills, one is not live.
  list('updated', 2, 46);
  await problem(host, 'search?page=2', 404);
  // No file has the length of this list.
  await problem(host, 'skills?keyword=!&page=4', 404);
  assert.equal(await body(host, 'search?page=4'), results(0, 0, 4, 20));
  host.put('/api/v1/search.json', '{"results":[],"total":45,"page":1,"limit":20}\n');
  assert.equal(await body(host, 'search?q='), '{"results":[],"total":45,"page":1,"limit":20}\n');
});

test('invalid parameters are refused as the server does', async () => {
  const host = hostOf(many(1));
  const most = Number.MAX_SAFE_INTEGER;
  const message = (to) => `it must be a whole number from 1 to ${to}`;
  for (const [query, field, why] of [
    ['search?page=0', 'page', message(most)],
    ['search?page=-1', 'page', message(most)],
    ['search?page=%2B1', 'page', message(most)],
    ['search?page=9007199254740992', 'page', message(most)],
    ['search?limit=101', 'limit', message(100)],
    ['search?limit=1.0', 'limit', message(100)],
    ['skills?keyword=x&size=0', 'size', message(100)],
    [`search?q=${'x'.repeat(201)}`, 'q', 'it must have at most 200 characters: leave some words out'],
    [`skills?keyword=${'%F0%9F%8C%B1x'.repeat(101)}`, 'keyword', 'it must have at most 200 characters: leave some words out'],
    [
      'skills?keyword=x&sort=toString',
      'sort',
      'there is no such order: sort is one of updated, created, downloads, stars, rating, name',
    ],
  ]) {
    const expected = {
      type: 'urn:skillmirror:problem:invalid_request',
      title: 'Invalid request',
      status: 400,
      code: 'invalid_request',
      detail: `The field \`${field}\` is wrong: ${why}.`,
      requestId: '-',
      errors: [{ code: 'invalid_field', field, line: null, message: why }],
    };
    assert.equal(await problem(host, query, 400), text(expected), query);
  }
  for (const namespace of ['A', 'a--b', '-a', 'a/b', 'x'.repeat(65)])
    await problem(host, `skills?keyword=x&namespace=${namespace}`, 400);
  assert.equal(host.requests.length, 0);
});

test('missing skill makes the manifest be read again, once', async () => {
  const items = many(3);
  const host = hostOf(items);
  const search = host.open();
  await ask(host, 'search?q=pdf', search);
  const gone = '/api/v1/skills/team/s-1.json';
  const document = host.files.get(gone);
  const yanked = text({ ...items[1], version: null });
  for (const state of [null, yanked, '{}', 'null', '[]']) {
    if (state === null) host.files.delete(gone);
    else host.put(gone, state);
    host.requests.length = 0;
    const response = await ask(host, 'search?q=pdf', search);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '5');
    assert.match(await response.text(), /The skill team--s-1 of the search index is missing/);
    assert.equal(host.requests.filter((request) => request.endsWith('manifest.bin reload')).length, 1);
  }
  host.put(gone, document.toString());
  assert.equal((await ask(host, 'search?q=pdf', search)).status, 200);
  host.files.delete(gone);
  host.index([items[0], items[2]].map(({ canonicalSlug: slug }, i) => ({ id: 1 + 2 * i, slug, words: { pdf: 20 } })));
  const response = await ask(host, 'search?q=pdf', search);
  assert.equal(
    await response.text(),
    text({ results: [items[0], items[2]].map(result), total: 2, page: 1, limit: 20 }),
  );
});

test('failing host and other addresses are answered with problems', async () => {
  const host = hostOf(many(1));
  const failing = host.open({ fetch: async () => new Response('', { status: 502 }) });
  const response = await ask(host, 'search?q=pdf', failing);
  assert.deepEqual([response.status, response.headers.get('cache-control')], [503, 'no-store']);
  const empty = new Host();
  empty.files.clear();
  assert.match(await problem(empty, 'search?q=pdf', 404), /has no search index/);
  for (const path of ['search/', 'searches', 'skills/global/hello', 'Search', 'skills', 'skills?keyword='])
    await problem(host, path, 404);
  assert.ok(!host.requests.some((request) => INDEX.test(request)));
});

test('documents of a page are requested at once', async () => {
  const host = hostOf(many(20));
  let open = 0;
  let most = 0;
  const fetch = async (url, init) => {
    most = Math.max(most, ++open);
    const response = await host.fetch(url, init);
    open--;
    return response;
  };
  await ask(host, 'search?q=pdf', host.open({ fetch }));
  assert.equal(most, 20);
});
