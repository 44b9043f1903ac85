// A provider on this machine: npm oidc-provider, with the people of the tests.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

export const SECRET = 'the secret of the registry';

/** Begins to listen. `open` starts the provider for a registry at an address: its own is known before. */
export async function listen(people) {
  let answer = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const open = (address) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'skillmirror',
          client_secret: SECRET,
          redirect_uris: [`${address}api/v1/auth/callback/company`],
          post_logout_redirect_uris: [address],
        },
      ],
      claims: { openid: ['sub', 'auth_time'], profile: ['name', 'preferred_username'], groups: ['groups'] },
      scopes: ['openid', 'profile', 'groups'],
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the tests'] },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    });
    answer = provider.callback();
  };
  return { issuer, open, stop: () => server.close() };
}
