// `node tests/search/answers.mjs BASE` answers the request targets on standard input, one a line, with `respond`. BASE is
// the address of a static host. It prints a line for each: status, space, body in hexadecimal.

import { text } from 'node:stream/consumers';

import { Search, respond } from '../../site-template/assets/search.js';

// A plain file server has a short backlog, and a refused connection is tried again only after seconds.
const MAX_CONNECTIONS = 4;
const waiting = [];
let open = 0;

async function fetchInTurn(url, init) {
  if (open === MAX_CONNECTIONS) await new Promise((go) => waiting.push(go));
  else open++;
  try {
    const response = await fetch(url, init);
    return new Response(await response.arrayBuffer(), response);
  } finally {
    if (waiting.length > 0) waiting.shift()();
    else open--;
  }
}

const registry = new Search({ base: process.argv[2], fetch: fetchInTurn });
for (const target of (await text(process.stdin)).split('\n').filter(Boolean)) {
  const response = await respond(target, registry);
  console.log(response.status, Buffer.from(await response.arrayBuffer()).toString('hex'));
}
