// A Fastly Compute service for a Skillmirror registry, made by `skillmirror hosts fastly` (version
// {{ version }}). docs/hosting.md explains it. Make it again after an update of Skillmirror.

/// <reference types="@fastly/js-compute" />
{% if read_keys %}
import { KVStore } from 'fastly:kv-store';
{% endif %}
import { answer } from './answer.js';

// The names of the backends in fastly.toml. Each has a host name of its own.
const FILES = '{{ files_url or "https://files.example.org" }}';
{% if origin %}
const SERVER = '{{ origin }}';
{% endif %}

addEventListener('fetch', (event) => event.respondWith(handle(event)));

function handle({ request, client }) {
  const read = (path, headers) => fetch(FILES + encodeURI(path), { backend: 'files', headers });
{% if origin %}
  const server = (target) => {
    const headers = new Headers(request.headers);
    headers.set('X-Forwarded-For', client.address);
    const { method, body } = request;
    return fetch(SERVER + target, { backend: 'server', method, body, headers });
  };
{% else %}
  const server = undefined;
{% endif %}
{% if read_keys %}
  const recordOf = async (id) => (await new KVStore('read-keys').get(id))?.text();
  return answer(request, { read, basePath: '{{ base_path }}', server, recordOf });
{% else %}
  return answer(request, { read, basePath: '{{ base_path }}', server });
{% endif %}
}
