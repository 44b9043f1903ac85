// A CloudFront function for a Skillmirror registry in an S3 bucket, made by `skillmirror hosts cloudfront`
// (version {{ version }}). docs/hosting.md explains it. Make it again after an update of Skillmirror.
//
// 1. Make a function with the runtime cloudfront-js-2.0, and associate it with the viewer request and the
//    viewer response of the default behaviour.
// 2. Origin `files`: the bucket, by its REST endpoint with an origin access control. Let CloudFront list
//    the bucket too (s3:ListBucket), or a missing file is 403.
// 3. Cache policy: minimum TTL 0, default 60, maximum 31536000 seconds; no headers, cookies or query in
//    the key; compression with gzip and Brotli. The objects may have `Cache-Control` as metadata.
// 4. Custom error responses: 403 and 404 to /404.html with status 404, for 10 seconds.
{% if origin %}
// 5. Origin `server`: {{ origin }}. Allow all methods, and use the origin request policy AllViewer. Behaviours
//    without caching for /mcp, /cli/*, /clawhub/* and /api/cli/*, all with this origin.
{% endif %}
{% if read_keys %}
// 6. A key value store, associated with the function: for each read key its id, and as the value its sha256, as
//    `skillmirror read-key list --json` shows them.
{% endif %}
{% if origin or read_keys %}

import cf from 'cloudfront';
{% endif %}
{% if read_keys %}
import crypto from 'crypto';
{% endif %}

function whole(expression) {
  return new RegExp('^(?:' + expression + ')$');
}

const BASE = '{{ base_path }}';
const TYPES = {
{% for type in types %}
  {{ type.suffix }}: '{{ type.full }}',
{% endfor %}
};
const BARE = [
{% for each in bare %}
  [whole({{ each.paths | map(attribute="path") | join("|") | quoted }}), '{{ each.full }}'],
{% endfor %}
];
const IMMUTABLE = whole({{ immutable | map(attribute="path") | join("|") | quoted }});
const PACKAGES = whole({{ packages | map(attribute="path") | join("|") | quoted }});
// Other paths of files.
const ALIASES = [
{% for alias in aliases %}
  [whole({{ alias.path | quoted }}), '{{ alias.file }}'],
{% endfor %}
];
// Queries that files answer: [path, file, parameters]; a parameter is [values, default, text before].
const QUERIES = [
{% for query in queries %}
  [whole({{ query.path | quoted }}), '{{ query.file }}', {
{% for parameter in query.parameters %}
    {{ parameter.name }}: [whole({{ parameter.values | quoted }}), '{{ parameter.default }}'{% if parameter.before is not none %}, '{{ parameter.before }}'{% endif %}],
{% endfor %}
  }],
{% endfor %}
];

{% if read_keys %}
async function handler(event) {
  if (event.context.eventType === 'viewer-response') return withHeaders(event);
  const request = event.request;
  if (!(await admits(request))) return problem(401, 'Unauthorized', '{{ problems.closed }}');
  return rewritten(request);
}

// ---- Read keys (docs/private.md) ----

// What everyone may read.
const OPEN = whole({{ open | map(attribute="path") | join("|") | quoted }});

async function admits(request) {
  if (OPEN.test(request.uri.slice(BASE.length))) return true;
  const sent = request.headers.authorization ? request.headers.authorization.value : '';
  const parts = /^(Bearer|Basic) +(\S+)$/i.exec(sent);
  if (!parts) return false;
  const isBasic = parts[1].toLowerCase() === 'basic';
  const keys = isBasic ? Buffer.from(parts[2], 'base64').toString().split(':') : [parts[2]];
  for (const key of keys) {
    const known = /^smr_([0-9]{1,11})_([\w-]{22})_[a-z2-7]{52}$/.exec(key);
    if (!known || Number(known[1]) * 1000 <= Date.now()) continue;
    const digest = crypto.createHash('sha256').update(key).digest('hex');
    const stored = await cf.kvs().get(known[2]).catch(() => undefined);
    if (stored === digest) return true;
  }
  return false;
}
{% else %}
function handler(event) {
  return event.context.eventType === 'viewer-response' ? withHeaders(event) : rewritten(event.request);
}
{% endif %}

// ---- Requests: the path of the file ----

function rewritten(request) {
  if (BASE && request.uri === BASE) return redirect(BASE + '/');
  if (request.uri.indexOf(BASE + '/') !== 0) return problem(404, 'Not Found', '{{ problems.missing }}');
  const path = request.uri.slice(BASE.length);
  const names = Object.keys(request.querystring);
{% if origin %}
  const headers = request.headers;
  const isSignedIn = headers.authorization || Object.keys(request.cookies).some((name) => /skillmirror_session$/.test(name));
  if (isSignedIn || !/^(?:GET|HEAD)$/.test(request.method)) return ofServer(request, path);
{% else %}
  if (!/^(?:GET|HEAD)$/.test(request.method)) return problem(405, 'Method Not Allowed', '{{ problems.read_only }}');
{% endif %}
  const query = QUERIES.find((each) => each[0].test(path));
  if (query && names.length) {
    const file = fileOfQuery(path, query, request.querystring);
    if (!file) {% if origin %}return ofServer(request, path){% else %}return problem(404, 'Not Found', '{{ problems.query }}'){% endif %};
    request.uri = file;
  } else if (ALIASES.some((each) => each[0].test(path))) {
    const alias = ALIASES.find((each) => each[0].test(path));
    request.uri = path.replace(alias[0], alias[1]);
  } else if (/^\/(?:api|clawhub|\.well-known)\//.test(path)) {
    const isFile = /\.(?:json|zip|bin)$/.test(path) || BARE.some((each) => each[0].test(path));
    request.uri = path + (isFile ? '' : PACKAGES.test(path) ? '.zip' : '.json');
  } else if (/\/$/.test(path)) {
    const accept = request.headers.accept;
    request.uri = path + (accept && /^text\/markdown\s*(?:,|$)/i.test(accept.value) && path.split('/').length === 4 ? 'index.md' : 'index.html');
  } else if (path.split('/').pop().indexOf('.') < 0 || /^\/[^\/]+\/[^\/]+\/\d+\.\d+\.\d+[^\/]*$/.test(path)) {
    return redirect(path.split('/').pop() + '/');
  } else {
    request.uri = path;
  }
  request.querystring = {};
  return request;
}

function fileOfQuery(path, query, asked) {
  const parameters = query[2];
  for (const name in asked) {
    if (!parameters[name] || asked[name].multiValue || !parameters[name][0].test(asked[name].value)) return undefined;
  }
  return query[1].replace(/\{([a-z]+)\}/g, (_, name) => {
    if (name === 'path') return path;
    const parameter = parameters[name];
    if (!asked[name]) return parameter[1];
    return parameter[2] === undefined ? '' : parameter[2] + asked[name].value;
  });
}
{% if origin %}

function ofServer(request, path) {
  cf.selectRequestOriginById('server');
  request.uri = path;
  return request;
}
{% endif %}

function redirect(location) {
  return {
    statusCode: 308,
    statusDescription: 'Permanent Redirect',
    headers: { location: { value: location }, 'cache-control': { value: '{{ cache.short }}' } },
  };
}

function problem(status, text, body) {
  const headers = {
    'content-type': { value: 'application/problem+json' },
    'cache-control': { value: '{{ cache.missing }}' },
    'access-control-allow-origin': { value: '*' },
    'x-content-type-options': { value: 'nosniff' },
  };
{% if read_keys %}
  if (status === 401) headers['www-authenticate'] = { value: 'Bearer, Basic realm="{{ server_name }}", charset="UTF-8"' };
{% endif %}
  return { statusCode: status, statusDescription: text, headers, body: { encoding: 'text', data: body } };
}

// ---- Responses: their headers ----

function withHeaders(event) {
  const response = event.response;
  const set = (name, value) => (response.headers[name] = { value });
  const path = event.request.uri;
  const isError = response.statusCode >= 400;
  const bare = BARE.find((each) => each[0].test(path));
  const type = isError ? TYPES.html : bare ? bare[1] : TYPES[path.split('.').pop()];
  if (type) set('content-type', type);
  set('cache-control', isError ? '{{ cache.missing }}' : IMMUTABLE.test(path) ? '{{ cache.immutable }}' : '{{ cache.short }}');
  set('x-content-type-options', 'nosniff');
  if (type !== TYPES.html) {
    set('access-control-allow-origin', '*');
    return response;
  }
  // Pages may load files of this host only.
  set('content-security-policy', "{{ policy }}");
  set('referrer-policy', 'same-origin');
  return response;
}
