// The addresses of the tree, made by `skillmirror hosts` (version {{ version }}). Make this file again
// after an update of Skillmirror.

const whole = (expression) => new RegExp(`^(?:${expression})$`);

/** Whether the tree has git repositories. */
export const HAS_GIT = {{ "true" if git else "false" }};

// Types of files: by suffix, and of files without a suffix by path.
const TYPES = {
{% for type in types %}
  {{ type.suffix }}: '{{ type.full }}',
{% endfor %}
};
const TYPES_OF_PATHS = [
{% for each in bare %}
{% for kind in each.paths %}
  // {{ kind.about }}
  [whole(String.raw`{{ kind.path }}`), '{{ each.full }}'],
{% endfor %}
{% endfor %}
];

// Bytes that never change.
const IMMUTABLE = [
{% for kind in immutable %}
  // {{ kind.about }}
  whole(String.raw`{{ kind.path }}`),
{% endfor %}
];
const DOWNLOAD = /^\/api\/v1\/(?:skills\/[^/]+\/([^/]+)\/versions|download\/([^/]+))\/([0-9]+\.[^/]+?)(?:\/download)?\.zip$/;

// Queries that files answer. A query counts only if it consists of known parameters with plain values. A
// value gets into a path only if it matches the expression of its parameter.
const PLAIN = '{{ plain }}';
const QUERIES = [
{% for query in queries %}
  // {{ query.about }}
  {
    path: whole(String.raw`{{ query.path }}`),
    file: '{{ query.file }}',
    parameters: {
{% for parameter in query.parameters %}
      {{ parameter.name }}: { values: whole(String.raw`{{ parameter.values }}`), otherwise: '{{ parameter.default }}', before: {% if parameter.before is none %}undefined{% else %}'{{ parameter.before }}'{% endif %} },
{% endfor %}
    },
  },
{% endfor %}
];

/** The rule for the query of a path; undefined if a query changes nothing there. */
const ruleOf = (path) => QUERIES.find((rule) => rule.path.test(path));

/** Whether a query changes what is at a path. */
export const hasQueries = (path) => ruleOf(path) !== undefined;

/** The path of the file for a query, without the question mark. Undefined if no file answers it. */
export function fileOfQuery(path, query) {
  const { parameters, file } = ruleOf(path);
  const names = Object.keys(parameters);
  if (!new RegExp(`^(?:(?:${names.join('|')})=${PLAIN}(?:&|$))+$`).test(query)) return undefined;
  const asked = new URLSearchParams(query);
  const texts = { path };
  for (const [name, { values, otherwise, before }] of Object.entries(parameters)) {
    const value = asked.get(name);
    if (value !== null && !values.test(value)) return undefined;
    texts[name] = value === null ? otherwise : before === undefined ? '' : before + value;
  }
  return file.replace(/\{([a-z]+)\}/g, (_, name) => texts[name]);
}

// Other paths of files.
const ALIASES = [
{% for alias in aliases %}
  // {{ alias.about }}
  [whole(String.raw`{{ alias.path }}`), '{{ alias.file }}'],
{% endfor %}
];

/** The files that may be at a path, in the order in which to look for them. */
export function filesAt(path, accept) {
  const alias = ALIASES.find(([paths]) => paths.test(path));
  if (alias) return [path.replace(...alias)];
  if (/^\/(?:api|\.well-known|clawhub)\//.test(path)) return [path, `${path}.json`, `${path}.zip`].slice(nameOf(path) ? 0 : 1);
  if (!path.endsWith('/')) return nameOf(path) ? [path] : [];
  // Agents that ask for Markdown first get the Markdown of a skill.
  const markdown = /^text\/markdown\s*(?:,|$)/i.test(accept ?? '') ? [`${path}index.md`] : [];
  return [...markdown, `${path}index.html`];
}

/** The media type of a file; undefined if no file has such a path. */
function nameOf(path) {
  const [, type] = TYPES_OF_PATHS.find(([paths]) => paths.test(path)) ?? [];
  return type ?? TYPES[/\.([a-z]+)$/.exec(path)?.[1]];
}

/** The headers of a file. */
export function headersOf(file) {
  const type = nameOf(file);
  const isImmutable = IMMUTABLE.some((paths) => paths.test(file));
  const headers = {
    'Content-Type': type,
    'Cache-Control': isImmutable ? '{{ cache.immutable }}' : '{{ cache.short }}',
    'X-Content-Type-Options': 'nosniff',
  };
  if (/\.(?:html|md)$/.test(file)) headers.Vary = 'Accept';
  const [, slug, canonical, version] = DOWNLOAD.exec(file) ?? [];
  if (version) headers['Content-Disposition'] = `attachment; filename="${slug ?? canonical}-${version}.zip"`;
  return Object.assign(headers, type?.startsWith('text/html') ? PAGE : { 'Access-Control-Allow-Origin': '*' });
}

// Pages may load files of this host only.
const PAGE = {
  'Content-Security-Policy': "{{ policy }}",
  'Referrer-Policy': 'same-origin',
};

/** The headers of a 404. */
export const MISSING = { 'Cache-Control': '{{ cache.missing }}', 'X-Content-Type-Options': 'nosniff' };
/** The headers of the 404 page. */
export const MISSING_PAGE = { ...MISSING, ...PAGE, 'Content-Type': '{{ (types | selectattr("suffix", "eq", "html") | first).full }}' };

{% if read_keys %}
/** What everyone may read. */
export const OPEN = [
{% for kind in open %}
  // {{ kind.about }}
  whole(String.raw`{{ kind.path }}`),
{% endfor %}
];

{% endif %}
/** Problem documents. */
export const PROBLEMS = {
  missing: '{{ problems.missing }}',
{% if read_keys %}
  closed: '{{ problems.closed }}',
{% endif %}
  query: '{{ problems.query }}',
  readOnly: '{{ problems.read_only }}',
  down: '{{ problems.down }}',
};
