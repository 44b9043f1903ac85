// Signing in with a second provider: oidc-provider-mock, which is made with Authlib.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../pages/hosts.mjs';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The first answer of the provider. */
async function ready(issuer) {
  for (const _ of Array(200)) {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the provider does not answer');
}

const follow = (url, options = {}) => fetch(url, { redirect: 'manual', ...options });

test('provider made with Authlib signs a person in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillmirror-authlib-'));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const person = JSON.stringify({ sub: 'a person', preferred_username: 'Dora', name: 'Dora D' });
  const provider = spawn(process.env.AUTHLIB_PROVIDER, ['--port', port, '--user-claims', person], { stdio: 'ignore' });
  let server;
  try {
    await ready(issuer);
    const config = join(folder, 'config.toml');
    const section = `issuer = "${issuer}"\nclient_id = "us"\nclient_secret_file = "${join(folder, 'secret')}"\n`;
    writeFileSync(config, `[sign_in.providers.company]\n${section}`);
    writeFileSync(join(folder, 'secret'), 'secret');
    server = await serve('--data', join(folder, 'data'), '--public', join(folder, 'public'), '--config', config);
    const begun = await follow(`${server.address}api/v1/auth/sign-in/company`);
    assert.equal(begun.status, 303);
    const cookie = begun.headers.get('set-cookie').split(';')[0];
    const authorised = await follow(begun.headers.get('location'), {
      method: 'POST',
      body: new URLSearchParams({ sub: 'a person' }),
    });
    const back = authorised.headers.get('location');
    assert.ok(back?.startsWith(server.address), `${authorised.status} ${back}`);
    const done = await follow(back, { headers: { cookie } });
    assert.equal(done.status, 303, await done.text());
    const session = done.headers.getSetCookie().find((each) => each.startsWith('skillmirror_session='));
    const me = await fetch(`${server.address}api/v1/auth/me`, { headers: { cookie: session.split(';')[0] } });
    assert.match((await me.json()).handle, /^[a-z]/);
  } finally {
    await server?.stop();
    provider.kill();
    rmSync(folder, { recursive: true });
  }
});
