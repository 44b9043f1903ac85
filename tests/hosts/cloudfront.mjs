// CloudFront with the function that the program prints, in front of the files of a folder.
// node cloudfront.mjs FUNCTION FOLDER PORT [KEYS]: KEYS is the folder with the records of read keys.

import crypto from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { runInNewContext } from 'node:vm';

const [source, folder, port, keys] = process.argv.slice(2);
const kvs = () => ({ get: async (id) => JSON.parse(readFileSync(`${keys}/${id}.json`)).sha256 });
const text = readFileSync(source, 'utf8').replace(/^import .*$/gm, '');
const handler = runInNewContext(`${text}\nhandler`, { cf: { kvs }, crypto, Buffer });

const plain = (headers) => Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]));
const wrapped = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));

/** The query as the function gets it: undecoded, with several values apart. */
function queryOf(search) {
  const query = {};
  for (const pair of search.slice(1).split('&').filter(Boolean)) {
    const [name, value = ''] = pair.split(/=(.*)/s);
    if (query[name]) (query[name].multiValue ??= [{ value: query[name].value }]).push({ value });
    else query[name] = { value };
  }
  return query;
}

createServer(async (incoming, outgoing) => {
  const [uri, search = ''] = incoming.url.split(/(?=\?)/);
  const request = { method: incoming.method, uri, querystring: queryOf(search), headers: wrapped(incoming.headers), cookies: {} };
  const asked = await handler({ context: { eventType: 'viewer-request' }, request });
  if (asked.statusCode) {
    outgoing.writeHead(asked.statusCode, plain(asked.headers));
    return outgoing.end(asked.body?.data);
  }
  const isFile = statSync(folder + asked.uri, { throwIfNoEntry: false })?.isFile();
  const response = { statusCode: isFile ? 200 : 404, headers: {} };
  const answered = await handler({ context: { eventType: 'viewer-response' }, request: asked, response });
  outgoing.writeHead(answered.statusCode, plain(answered.headers));
  outgoing.end(readFileSync(isFile ? folder + asked.uri : `${folder}/404.html`));
}).listen(Number(port), '127.0.0.1');
