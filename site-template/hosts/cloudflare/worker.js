// A Cloudflare Worker for a Skillmirror registry, made by `skillmirror hosts cloudflare` (version
// {{ version }}). docs/hosting.md explains it. Make it again after an update of Skillmirror.

import { answer } from './answer.js';

export default {
  fetch(request, env) {
    const server = env.ORIGIN && ((target) => fetch(new Request(env.ORIGIN + target, request), { redirect: 'manual' }));
    const read = (path, headers) => readFile(env, path, headers);
{% if read_keys %}
    const recordOf = (id) => env.READ_KEYS.get(id, { cacheTtl: 60 });
    return answer(request, { read, basePath: env.BASE_PATH ?? '', server, recordOf });
{% else %}
    return answer(request, { read, basePath: env.BASE_PATH ?? '', server });
{% endif %}
  },
};

/** A file of the tree: from the binding FILES, or from the host at FILES_URL. */
function readFile({ FILES, FILES_URL }, path, headers) {
  if (FILES) return FILES.fetch(new Request(`https://files${encodeURI(path)}`, { headers }));
  return fetch(FILES_URL + encodeURI(path), { headers });
}
