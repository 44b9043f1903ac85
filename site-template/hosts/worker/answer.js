// Answers requests from the files of a tree, as the server of the registry does.

import { Search, respond } from './search.js';
import { clawhub } from './clawhub.js';
import { git, isGit } from './git.js';
{% if read_keys %}
import { admits } from './keys.js';
{% endif %}
import { MISSING, MISSING_PAGE, PROBLEMS, fileOfQuery, filesAt, hasQueries, headersOf } from './rules.js';

// Conditions and ranges are for the host of the files to evaluate.
const PASSED_ON = ['If-None-Match', 'If-Modified-Since', 'If-Range', 'Range'];
const KEPT = ['ETag', 'Last-Modified', 'Content-Range', 'Accept-Ranges'];

/**
 * Answers a request. `read(path, headers)` is a promise of the response for a file, with status 404 if
 * there is none. `basePath` is the path below which the tree is served: empty, or like `/skills`.
 * `server(target)` passes the request to a path and query of the registry's server, if there is one.
{% if read_keys %}
 * `recordOf(id)` is a promise of the record of a read key, or of nothing.
{% endif %}
 */
export async function answer(request, { read, basePath, server{% if read_keys %}, recordOf{% endif %} }) {
  const url = new URL(request.url);
  if (basePath && url.pathname === basePath) return redirect(`${basePath}/${url.search}`);
  if (!url.pathname.startsWith(`${basePath}/`)) return problem(404, PROBLEMS.missing);
  url.pathname = url.pathname.slice(basePath.length);
{% if read_keys %}
  // Tokens of people, and strangers, are for the server to judge.
  const isAdmitted = await admits(request, decoded(url.pathname), recordOf);
  const readFiles = () => (isAdmitted ? fromFiles(request, url, read) : closed());
  if (!server) return readFiles();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isGit(url.pathname) && isAdmitted) return readFiles();
  const files = isRead && isAdmitted && !isServers(url.pathname) ? await readFiles() : undefined;
{% else %}
  const readFiles = () => fromFiles(request, url, read);
  if (!server) return readFiles();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isGit(url.pathname)) return readFiles();
  const files = isRead && !isServers(url.pathname, request) ? await readFiles() : undefined;
{% endif %}
  if (files && files.status < 400) return files;
  try {
    const answered = await server(url.pathname + url.search);
    // A proxy before the server says with these that the server does not answer.
    if (answered.status !== 502 && answered.status !== 504) return answered;
  } catch {
    // The server does not answer.
  }
  const instead = isRead ? (files ?? (await readFiles())) : undefined;
  if (instead && instead.status < {{ 402 if read_keys else 400 }}) return instead;
  return problem(503, PROBLEMS.down, { 'Retry-After': '5', 'Cache-Control': 'no-store' });
}

{% if read_keys %}
/** What somebody without a key gets, whether there is something at the address or not. */
function closed() {
  const response = problem(401, PROBLEMS.closed, { 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Bearer' });
  response.headers.append('WWW-Authenticate', 'Basic realm="{{ server_name }}", charset="UTF-8"');
  return response;
}

/** Whether the server answers a read first: at paths without files. */
function isServers(path) {
  return /^\/(?:mcp|cli|healthz|readyz|clawhub)(?:\/|$)/.test(path);
}
{% else %}
/** Whether the server answers a read first: with a credential, and at paths without files. */
function isServers(path, { headers }) {
  const isSignedIn = headers.has('Authorization') || /skillmirror_session=/.test(headers.get('Cookie'));
  return isSignedIn || /^\/(?:mcp|cli|healthz|readyz|clawhub)(?:\/|$)/.test(path);
}
{% endif %}

/** Answers a request from the files alone. */
async function fromFiles(request, url, read) {
  const { pathname, search } = url;
  const path = decoded(pathname);
  const registry = new Search({ base: 'https://files', fetch: (file) => read(new URL(file).pathname) });
  const special = (await git(request, pathname, read)) ?? (await clawhub(request, url, read, registry));
  if (special) return special;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return problem(405, PROBLEMS.readOnly, { Allow: 'GET, HEAD' });
  }
  if (hasQueries(path) && search.length > 1) return ofQuery(request, url, read, registry);
  const found = await file(request, filesAt(path, request.headers.get('Accept')), read);
  if (found) return found;
  if (isApi(path)) return problem(404, PROBLEMS.missing);
  const name = path.split('/').pop();
  if (name && (await read(`${path}/index.html`)).ok) return redirect(`${name}/${search}`);
  return new Response((await read('/404.html')).body, { status: 404, headers: MISSING_PAGE });
}

/** The answer to a query: its file, or a search at the edge. */
async function ofQuery(request, { pathname, search, searchParams }, read, registry) {
  const name = fileOfQuery(pathname, search.slice(1));
  const found = name && (await file(request, [name], read));
  if (found) return found;
  const isSearch = /\/search$/.test(pathname) || searchParams.get('keyword');
  return isSearch ? respond(`https://files${pathname}${search}`, registry) : problem(404, PROBLEMS.query);
}

/** The first of these files that exists. */
async function file(request, names, read) {
  const passed = PASSED_ON.filter((name) => request.headers.has(name));
  const headers = Object.fromEntries(passed.map((name) => [name, request.headers.get(name)]));
  for (const name of names) {
    const found = await read(name, headers);
    if (![200, 206, 304, 416].includes(found.status)) continue;
    const kept = KEPT.filter((each) => found.headers.has(each)).map((each) => [each, found.headers.get(each)]);
    return new Response(found.body, { status: found.status, headers: { ...headersOf(name), ...Object.fromEntries(kept) } });
  }
  return undefined;
}

const isApi = (path) => /^\/(?:api|\.well-known|clawhub)\//.test(path);

/** A path without percent-encoding. One that cannot be decoded names no file. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return '/';
  }
}

// Relative, so that it is also right below another path.
const redirect = (location) =>
  new Response(null, { status: 308, headers: { ...headersOf('/index.html'), Location: location } });

const problem = (status, body, more = {}) =>
  new Response(body, {
    status,
    headers: { ...MISSING, 'Content-Type': 'application/problem+json', 'Access-Control-Allow-Origin': '*', ...more },
  });
