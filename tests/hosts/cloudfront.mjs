// CloudFront with the function that the program prints, in front of the files of a folder.
// node cloudfront.mjs FUNCTION FOLDER PORT

import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { runInNewContext } from 'node:vm';

const [source, folder, port] = process.argv.slice(2);
const handler = runInNewContext(`${readFileSync(source)}\nhandler`);

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

createServer((incoming, outgoing) => {
  const [uri, search = ''] = incoming.url.split(/(?=\?)/);
  const request = { method: incoming.method, uri, querystring: queryOf(search), headers: wrapped(incoming.headers), cookies: {} };
  const asked = handler({ context: { eventType: 'viewer-request' }, request });
  if (asked.statusCode) {
    outgoing.writeHead(asked.statusCode, plain(asked.headers));
    return outgoing.end(asked.body?.data);
  }
  const isFile = statSync(folder + asked.uri, { throwIfNoEntry: false })?.isFile();
  const response = { statusCode: isFile ? 200 : 404, headers: {} };
  const answered = handler({ context: { eventType: 'viewer-response' }, request: asked, response });
  outgoing.writeHead(answered.statusCode, plain(answered.headers));
  outgoing.end(readFileSync(isFile ? folder + asked.uri : `${folder}/404.html`));
}).listen(Number(port), '127.0.0.1');
