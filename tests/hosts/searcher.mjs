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
    note(url, answer);
    if (attempt === 5) throw answer instanceof Error ? answer : new Error(`status ${answer.status}`);
  }
}

/** Counts an error by its kind, with the first example of each: what store_errors.py prints. */
function note(url, answer) {
  const kind = answer instanceof Error ? `${answer.code ?? answer.name}` : `status ${answer.status}`;
  const example = answer instanceof Error ? `${answer.message}${excerpt(answer)}` : answer.example;
  (errors[kind] ??= [0, `${new URL(url).pathname} ${example}`])[0]++;
}

/** Of a malformed answer: how it begins, and what follows the bytes that node understood. */
function excerpt({ rawPacket, bytesParsed = 0 }) {
  if (!rawPacket) return '';
  const [start, rest] = [rawPacket.subarray(0, 200), rawPacket.subarray(bytesParsed, bytesParsed + 200)];
  return ` ${JSON.stringify(String(start))} … from byte ${bytesParsed} of ${rawPacket.length}: ${JSON.stringify(String(rest))}`;
}

/** `fetch` cannot send another host name than that of the URL. */
function getOnce(url) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: name ? { Host: name } : {} }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const received = Buffer.concat(parts);
        const body = answer.statusCode === 200 ? received : null;
        const response = new Response(body, { status: answer.statusCode, headers: { 'Content-Type': answer.headers['content-type'] ?? '' } });
        resolve(Object.assign(response, { example: `[${JSON.stringify(answer.headers)}] ${JSON.stringify(String(received.subarray(0, 200)))}` }));
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
const errors = {};
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
