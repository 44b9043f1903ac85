// The hosts of the pages: our server and a plain file server.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const { SKILLMIRROR } = process.env;

/** Runs the program to its end. */
export function skillmirror(...words) {
  const { status, stdout, stderr } = spawnSync(SKILLMIRROR, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`skillmirror ${words.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** Runs the program with a line of standard input. */
skillmirror.saying = (line, ...words) => {
  const { status, stderr } = spawnSync(SKILLMIRROR, words, { encoding: 'utf8', input: `${line}\n` });
  if (status !== 0) throw new Error(`skillmirror ${words.join(' ')}: ${status}\n${stderr}`);
};

/** Our server: its address, and how it is stopped. */
export function serve(...words) {
  return started(SKILLMIRROR, ['serve', '--listen', '127.0.0.1:0', ...words], /listening on (http:\S+)/);
}

/** A host that was made without any thought of ours: what Python serves of a folder. */
export function python(folder) {
  const words = ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder];
  // It writes a line for every request.
  return started('python3', words, /\((http:[^)]+)\)/, 'ignore');
}

/** A program that says at which address it serves. */
async function started(program, words, saidAt, stderr = 'inherit') {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', stderr] });
  const ended = once(child, 'exit');
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [, found] = saidAt.exec(said) ?? [];
      if (found) resolve(`${found.replace(/\/$/, '')}/`);
    });
    ended.then(([code]) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { address, stop };
}

const TYPES = {
  '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json',
};

/** A host of the folder's files and nothing else, below the path `base`, which begins and ends with a slash. */
export async function host(folder, base) {
  const read = (path) => {
    try {
      return readFileSync(join(folder, path));
    } catch {
      return undefined;
    }
  };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const name = path.startsWith(base) ? path.slice(base.length).replace(/(^|\/)$/, '$1index.html') : '';
    const bytes = name && read(name);
    const type = TYPES[extname(bytes ? name : '404.html')] ?? 'application/octet-stream';
    response.writeHead(bytes ? 200 : 404, { 'Content-Type': type }).end(bytes || read('404.html'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { address: `http://127.0.0.1:${server.address().port}${base}`, stop };
}
