// Answers clients of git, from a tree with `mirror.git = true`.

import { HAS_GIT } from './rules.js';

const FILE = /\/(info\/refs|git-upload-pack)$/;

/** Whether files answer a request of git. */
export const isGit = (pathname) => HAS_GIT && FILE.test(pathname);

/** The answer to a request of git; undefined for other requests. `read` reads a file of the tree. */
export async function git(request, pathname, read) {
  const [, file] = FILE.exec(pathname) ?? [];
  if (!file) return undefined;
  const kind = file === 'info/refs' ? 'advertisement' : 'result';
  const headers = { 'content-type': `application/x-git-upload-pack-${kind}`, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
  let start = '';
  if (request.method !== 'POST') headers['access-control-allow-origin'] = '*';
  if (request.method === 'POST') {
    // git compresses long bodies. Only a repository with commits of its own sends them.
    const asked = request.headers.has('content-encoding') ? '' : await request.text();
    if (!asked.includes('want ')) {
      return new Response('0037ERR clone into an empty folder instead of fetching\n', { headers });
    }
    start = asked.includes('deepen') ? '0000' : '';
    if (!asked.includes('0009done')) {
      const nak = !start || asked.includes('have ') ? '0008NAK\n' : '';
      return new Response(start + nak, { headers });
    }
  }
  const found = await read(pathname);
  if (!found.ok) {
    const sentence = 'There is no such skill or namespace, or this host has no git repositories: check the address, /{namespace}/{slug}.git or /{namespace}.git';
    return new Response(`${sentence}\n`, { status: 404, headers: { 'content-type': 'text/plain' } });
  }
  return new Response(new Blob([start, await found.arrayBuffer()]), { headers });
}
