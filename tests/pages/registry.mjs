// A registry with the samples, and writes other than publishing.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve, skillmirror } from './hosts.mjs';
import { FIELD, writeSamples } from './samples.mjs';

/** Makes it in `folder`; the server that it gives has a tree of all of it. */
export async function makeRegistry(folder, data, places) {
  const skills = join(folder, 'skills');
  writeSamples(skills);
  const server = await serve(...places);
  const admin = readFileSync(join(data, 'admin-token'), 'utf8').trim();
  const ask = async (token, method, path, body) => {
    // The server closes a connection on which nothing comes while the program imports.
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Connection: 'close' };
    const answer = await fetch(`${server.address}api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  skillmirror('user', 'add', 'mallory', '--name', FIELD, ...places);
  const mallory = skillmirror('token', 'issue', 'mallory', '--name', 'tests', '--scopes', 'read,publish,social,manage,tokens', ...places).trim();
  await ask(admin, 'POST', 'namespaces', { slug: 'team', displayName: 'The team', description: 'Skills for a team.' });
  await ask(admin, 'POST', 'namespaces', { slug: 'large', displayName: 'Large' });
  await ask(mallory, 'POST', 'namespaces', { slug: 'hostile', displayName: FIELD, description: FIELD });
  const owners = [['global', 'admin'], ['team', 'admin'], ['large', 'admin'], ['hostile', 'mallory']];
  for (const [namespace, handle] of owners) {
    skillmirror('import', join(skills, namespace), '--namespace', namespace, '--as', handle, ...places);
  }
  skillmirror('import', join(skills, 'later'), '--namespace', 'team', '--as', 'admin', ...places);
  await ask(admin, 'POST', 'skills/global/weather-report/star');
  await ask(mallory, 'POST', 'skills/global/weather-report/rating', { score: 4 });
  await ask(admin, 'PUT', 'skills/global/weather-report/tags/stable', { version: '1.2.0' });
  await ask(mallory, 'POST', 'skills/hostile/text-1/versions/1.0.0/yank', { reason: FIELD });
  // The response comes when the tree has all earlier changes.
  await ask(admin, 'POST', 'skills/team/old-tool/versions/1.0.0/yank', { reason: 'Another tool does it better.' });
  return server;
}
