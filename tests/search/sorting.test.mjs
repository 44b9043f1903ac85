// Found skills in the sort orders of lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { body, hostOf, many, problem, summary } from './documents.mjs';

test('found skills have the order of lists', async () => {
  const day = (i) => `2026-01-${String(10 + i).padStart(2, '0')}T00:00:00Z`;
  const items = [
    summary('a', {
      name: 'beta',
      downloadCount: 5,
      starCount: 1,
      ratingAverage: 4,
      ratingCount: 9,
      updatedAt: day(1),
      createdAt: day(3),
    }),
    summary('b', {
      name: 'Alpha',
      downloadCount: 9,
      starCount: 1,
      ratingAverage: null,
      ratingCount: 0,
      updatedAt: day(2),
      createdAt: day(1),
    }),
    summary('c', {
      name: 'Ωmega',
      downloadCount: 5,
      starCount: 7,
      ratingAverage: 4.5,
      ratingCount: 2,
      updatedAt: day(3),
      createdAt: day(2),
    }),
    summary('d', {
      name: '𝒳',
      downloadCount: 10,
      starCount: 0,
      ratingAverage: 4,
      ratingCount: 10,
      updatedAt: day(4),
      createdAt: day(4),
    }),
    summary('e', {
      name: '\uffeez',
      downloadCount: 0,
      starCount: 0,
      ratingAverage: null,
      ratingCount: 0,
      updatedAt: day(0),
      createdAt: day(0),
    }),
  ];
  const host = hostOf(items);
  const slugs = async (query) =>
    JSON.parse(await body(host, `skills?keyword=pdf&${query}`))
      .items.map(({ slug }) => slug)
      .join('');
  assert.equal(await slugs('sort='), 'abcde');
  assert.equal(await slugs('sort=updated'), 'dcbae');
  assert.equal(await slugs('sort=created'), 'dacbe');
  assert.equal(await slugs('sort=downloads'), 'dbcae');
  assert.equal(await slugs('sort=stars'), 'cbade');
  assert.equal(await slugs('sort=rating'), 'cdabe');
  assert.equal(await slugs('sort=name'), 'baced');
  assert.equal(await slugs('sort=name&size=2&page=2'), 'ce');
});

test('skills that documents cannot sort are left to the server', async () => {
  const host = hostOf(many(25, (i) => ({ starCount: i < 3 ? 9 - i : 0 })));
  assert.match(await problem(host, 'skills?keyword=pdf&sort=stars', 404), /Ask the registry's server\./);
  // A tie after the page does not matter.
  assert.equal(JSON.parse(await body(host, 'skills?keyword=pdf&sort=stars&size=2')).items.length, 2);
  await problem(host, 'skills?keyword=pdf&sort=stars&size=3&page=2', 404);
  const large = hostOf(many(101));
  assert.match(await problem(large, 'skills?keyword=pdf&sort=name', 404), /More than 100 skills/);
  assert.ok(!large.requests.some((request) => request.endsWith('.json')));
});
