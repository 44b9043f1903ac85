// Answers ClawHub clients from the files of a tree. It compares the fingerprint of all files only, which is
// that of clients from 0.23 on, and of 0.20 for skills of text files.

import { headersOf } from './rules.js';

const API = '/clawhub/api/v1/';
const SORTS = new Map([['createdAt', 'created'], ['stars', 'stars'], ['downloads', 'downloads'], ['installs', 'downloads']]);

const line = (text, status = 404) => new Response(text, { status, headers: { 'Content-Type': 'text/plain' } });
const noSkill = () => line('Skill not found');
const json = (value) => new Response(`${JSON.stringify(value)}\n`, { headers: headersOf('.json') });
const number = (text) => (/^[0-9]{1,4}$/.test(text) ? Math.min(Math.max(Number(text), 1), 200) : 25);

const versionOf = ({ version, publishedAt, changelog }) => ({ version, createdAt: Date.parse(publishedAt), changelog });

/**
 * The answer to a request of the dialect; undefined for other requests. `readFile` reads a file of the tree, and
 * `registry` searches it.
 */
export async function clawhub(request, { pathname, searchParams }, readFile, registry) {
  if (!pathname.startsWith(API)) return undefined;
  const read = async (path) => {
    const found = await readFile(path);
    return found.ok ? found.json() : undefined;
  };
  // The skill with this slug and owner. A slug that could leave its folder names none.
  const skillOf = async (slug, owner) => {
    const skill = /^[a-z0-9-]+$/.test(slug) && (await read(`${API}skills/${slug}.json`));
    const isOwner = !owner || owner.replace('@', '').toLowerCase() === skill?.owner?.handle;
    return skill && isOwner ? skill : undefined;
  };
  if (!['GET', 'HEAD'].includes(request.method)) return line('This host is read-only.', 405);
  const [kind, name, part, asked, ...more] = pathname.slice(API.length).split('/');
  const [slug, owner] = [kind === 'skills' ? name : searchParams.get('slug'), searchParams.get('ownerHandle')];
  const limit = number(searchParams.get('limit'));
  // The path of a file.
  if (name === '_list' || pathname.endsWith('.json')) return undefined;
  if (more.length > 0) return noSkill();
  if (kind === 'search') {
    const { hits } = await registry.search(searchParams.get('q') ?? '', { limit });
    const found = hits.filter(({ exactness }) => exactness > 0 || searchParams.get('mode') !== 'exact');
    const results = found.map(async ({ slug, score, name }) => {
      const { skill, latestVersion, owner } = (await skillOf(slug)) ?? {};
      const { summary, updatedAt } = skill ?? {};
      const version = latestVersion?.version ?? null;
      return { score, slug, displayName: skill?.displayName ?? name, summary, version, updatedAt, ownerHandle: owner?.handle };
    });
    return json({ results: await Promise.all(results) });
  }
  if (kind === 'skills' && !name) {
    const sort = SORTS.get(searchParams.get('sort'));
    const list = await read(`${API}skills${sort ? `/_list/${sort}` : ''}.json`);
    return json({ ...list, items: list.items.slice(0, limit) });
  }
  const skill = await skillOf(slug ?? '', owner);
  if (!skill) return noSkill();
  const records = `/api/v1/skills/${slug.includes('--') ? slug.replace('--', '/') : `global/${slug}`}`;
  if (kind === 'skills' && !part) return json(skill);
  const version = kind === 'download' ? searchParams.get('version') : asked;
  if (version !== undefined && !/^[0-9A-Za-z][0-9A-Za-z.-]*$/.test(version)) return line('There is no such version.');
  if (kind === 'download') {
    const path = `/api/v1/download/${slug}/${version}.zip`;
    const found = await readFile(path);
    return found.ok ? new Response(found.body, { headers: headersOf(path) }) : line('There is no such version.');
  }
  const { items } = await read(`${records}/versions.json`);
  const offered = items.filter(({ status }) => status === 'published');
  if (kind === 'resolve') {
    const same = items.filter(({ fingerprint }) => fingerprint === searchParams.get('hash'));
    const latest = skill.latestVersion?.version;
    const match = same.find(({ version }) => version === latest) ?? same[0];
    return json({
      match: match ? { version: match.version } : null,
      latestVersion: latest ? { version: latest } : null,
    });
  }
  if (part !== 'versions') return line('This host has files only.');
  if (!version) return json({ items: offered.slice(0, limit).map(versionOf), nextCursor: null });
  const record = offered.find((one) => one.version === version);
  if (!record) return line(`There is no version ${version} of this skill.`);
  const files = (await read(`${records}/versions/${version}/files.json`)).items;
  const { displayName } = skill.skill;
  const shown = files.map(({ path, size, sha256, contentType }) => ({ path, size, sha256, contentType }));
  return json({ version: { ...versionOf(record), files: shown }, skill: { slug, displayName } });
}
