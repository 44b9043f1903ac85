// `node tests/search/answers.mjs BASE`: what `respond` answers from the files at BASE, the address of a static host, to
// each request target on standard input, one a line. Prints a line for each: status, space, body in hexadecimal.

import { text } from 'node:stream/consumers';

import { Search, respond } from '../../site-template/assets/search.js';

// Connections at a time. A plain file server lets few wait, and who is not let in tries again after seconds.
const MOST = 4;
const waiting = [];
let open = 0;

async function fetchInTurn(url, init) {
  if (open === MOST) await new Promise((go) => waiting.push(go));
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
