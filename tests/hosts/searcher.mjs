// Searches a host until its input ends: node searcher.mjs BASE HOSTNAME. Prints what failed.

import { request } from 'node:http';

import { Search } from '../../site-template/assets/search.js';

const [base, name] = process.argv.slice(2);

/** A store may fail now and then, so it is asked again. */
async function get(url) {
  for (let attempt = 1; ; attempt++) {
    const answer = await getOnce(url).catch((error) => error);
    const isFailure = answer instanceof Error || answer.status >= 500;
    if (!isFailure) return answer;
    errors++;
    if (attempt === 5) throw answer instanceof Error ? answer : new Error(`status ${answer.status}`);
  }
}

/** `fetch` cannot send another host name than that of the URL. */
function getOnce(url) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: name ? { Host: name } : {} }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const body = answer.statusCode === 200 ? Buffer.concat(parts) : null;
        resolve(new Response(body, { status: answer.statusCode, headers: { 'Content-Type': answer.headers['content-type'] ?? '' } }));
      });
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

let ends = false;
process.stdin.on('end', () => (ends = true)).resume();
const failures = [];
let searches = 0;
let errors = 0;
while (!ends && failures.length < 10) {
  searches++;
  try {
    // A reader that remembers nothing.
    const { total } = await new Search({ base, fetch: get }).search(['skill', 'reads files', 'files', 'skil'][searches % 4]);
    if (total === 0) failures.push(`${base}: search ${searches} finds nothing`);
  } catch (error) {
    failures.push(`${base}: ${error.message}: ${error.cause?.message ?? ''}`);
  }
}
console.log(JSON.stringify({ base, searches, errors, failures }));
