// The search page: runs the query in its address, and shows the results.

import { Search, words } from './search.js';
import { listenForSearchKey } from './search-key.js';
import { marksFor } from './marks.js';
import { NAME, rememberedHandle, showHandle } from './signed-in/parts/handle.js';
import { plain } from './unseen.js';

const LIMIT = 20;
const MAX_RECENT = 10;
const MAX_LETTERS = 200; // As many as the server answers.
// The orders that the server has; the index has the best match first.
const ORDERS = ['updated', 'downloads', 'stars', 'rating', 'name'];
const TITLE = document.title;
const root = new URL(document.documentElement.dataset.root, location.href);
const registry = new Search({ base: root.href });
const [form] = document.forms;
const input = form.elements.q;
const [count, results, pager, filter, order, suggestions, recent] = [
  'count', 'results', 'pager', 'filter', 'order', 'suggestions', 'recent',
].map((name) => document.querySelector(`[data-${name}]`));
const unread = new WeakMap();
const observer = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => readDetails(target)),
  { rootMargin: '200px' },
);
let lastNumber = 0;
let marksOf;
let typing;

/** The query in the address. Anyone may have written it, so that it is limited here. */
function query() {
  const parameters = new URLSearchParams(location.search);
  const page = Math.max(1, Math.min(Math.trunc(parameters.get('page')) || 1, Number.MAX_SAFE_INTEGER));
  const letters = [...(parameters.get('q') ?? '').trim()];
  const q = letters.slice(0, MAX_LETTERS).join('');
  const sort = ORDERS.find((name) => name === parameters.get('sort')) ?? '';
  return { q, isCut: letters.length > MAX_LETTERS, namespace: parameters.get('namespace') ?? '', sort, page };
}

function addressOf({ q, namespace, sort, page }) {
  const parameters = new URLSearchParams({ q });
  if (namespace) parameters.set('namespace', namespace);
  if (sort) parameters.set('sort', sort);
  if (page > 1) parameters.set('page', page);
  return `?${parameters}`;
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Shows the results of the query in the address, unless another was asked meanwhile. */
async function show(isFilled) {
  const wanted = query();
  const number = ++lastNumber;
  const isName = !wanted.namespace || NAME.test(wanted.namespace);
  if (input !== document.activeElement) input.value = wanted.q;
  order.value = wanted.sort;
  document.title = wanted.q ? `${wanted.q} · ${TITLE}` : TITLE;
  showFilter(wanted, isName);
  if (!isName) return fill([], 'There is no such namespace.');
  if (!words(wanted.q).length) {
    return fill([], wanted.q ? 'Type letters or digits to search for.' : 'Type what you are looking for.');
  }
  showPrivate(wanted, number);
  if (isFilled) {
    marksOf = marksFor(`${results.dataset.also ?? ''} ${wanted.q}`);
    results.querySelectorAll('a bdi, .card-text').forEach(mark);
    return suggest(!results.childElementCount);
  }
  results.setAttribute('aria-busy', 'true');
  let message;
  let found;
  try {
    found = await answerTo(wanted);
  } catch (error) {
    message = `The search index could not be read. ${error.message}`;
  }
  if (number !== lastNumber) return undefined;
  return found ? fill(found.items, messageFor(found, wanted), found, wanted) : fill([], message);
}

/** Shows what the private namespaces of the person who has signed in have, below the results of the registry. */
async function showPrivate({ q, namespace, page }, number) {
  const place = document.querySelector('[data-private]');
  place.hidden = true;
  if (namespace || page > 1 || !rememberedHandle()) return;
  const { cardsOfPrivate } = await import('./search-private.js');
  const cards = await cardsOfPrivate(q, Search, root, element);
  if (number !== lastNumber) return;
  place.hidden = !cards.length;
  place.querySelector('ol').replaceChildren(...cards);
}

async function answerTo(wanted) {
  const { q, namespace, sort, page } = wanted;
  if (sort) return sorted(wanted);
  const { hits, isCut, ...found } = await registry.search(q, { namespace, page, limit: LIMIT });
  return { ...found, items: hits, isMore: isCut };
}

/** Results in another order, which only the server has for any number of skills. */
async function sorted({ q, namespace, sort, page }) {
  const parameters = new URLSearchParams({ keyword: q, sort, page, size: LIMIT });
  if (namespace) parameters.set('namespace', namespace);
  const response = await fetch(new URL(`api/v1/skills?${parameters}`, root)).catch(() => undefined);
  const found = response?.ok ? await response.json().catch(() => undefined) : undefined;
  // A plain host answers every query with the same list.
  if (found?.page !== page || !found.items || found.filePages !== undefined) {
    const best = await answerTo({ q, namespace, page });
    return { ...best, note: 'Only the server has this order, and it did not answer: the best match is first. ' };
  }
  return { items: found.items.map(resultOf), total: found.total, isMore: false };
}

function messageFor({ items, total, isMore, near = 0, unknown = [], note = '' }, { q, isCut, namespace, page }) {
  const where = namespace ? ` in @${namespace}` : '';
  const cut = isCut ? `. Only the first ${MAX_LETTERS} characters were searched for.` : '';
  if (!total) return `Nothing found for “${q}”${where}${cut || '.'} Try fewer or other words.`;
  const number = total.toLocaleString('en');
  const best = `The ${number} best skills${where}. More words find others`;
  const alone = near ? `, ${near} by meaning alone` : '';
  const skills = isMore ? best : `${number} ${total === 1 ? 'skill' : 'skills'} found${where}${alone}`;
  const closest = ({ instead }) => (instead ? `; the closest is “${instead}”` : '');
  const missing = unknown.slice(0, 3).map((each) => ` No skill has the word “${each.word}”${closest(each)}.`).join('');
  const found = `${skills}${cut || (missing && '.')}${missing}`;
  return note + (items.length ? found : `There is no page ${page}: ${found}`);
}

function showFilter({ q, namespace }, isName) {
  filter.hidden = !namespace;
  const all = element('a', { href: addressOf({ q }), textContent: 'Search everywhere' });
  filter.replaceChildren(isName ? `Only in @${namespace}. ` : '', all);
}

function fill(items, message, { total = 0, isMore = false, also = [] } = {}, wanted = {}) {
  results.removeAttribute('aria-busy');
  count.textContent = message;
  marksOf = marksFor([...also, wanted.q ?? ''].join(' '));
  results.replaceChildren(...items.map((item) => cardOf(item)));
  suggest(!items.length);
  const pages = Math.ceil(total / LIMIT);
  pager.hidden = !items.length || pages < 2;
  const link = (page, rel, textContent) =>
    page >= 1 && page <= pages
      ? element('a', { href: addressOf({ ...wanted, page }), rel, textContent })
      : element('span');
  pager.replaceChildren(
    link(wanted.page - 1, 'prev', 'Previous'),
    element('span', { textContent: `Page ${wanted.page} of ${isMore ? 'the first ' : ''}${pages}` }),
    link(wanted.page + 1, 'next', 'Next'),
  );
}

/** Shows the skills that were updated last if there is nothing else to show. */
async function suggest(isWanted) {
  suggestions.hidden = !isWanted;
  if (!isWanted || recent.childElementCount) return;
  // A list without skills, or an unreadable one, leaves the link to the namespaces.
  const answer = await fetch(new URL('api/v1/skills.json', root)).then((found) => found.json()).catch(() => ({}));
  const items = (answer.items ?? []).filter(({ version }) => version).slice(0, MAX_RECENT);
  recent.replaceChildren(...items.map((item) => cardOf(resultOf(item), 'h3')));
  suggestions.querySelector('h2').hidden = !items.length;
}

/** What a card shows of a skill's document. */
function resultOf({ canonicalSlug, name, description, version, starCount, downloadCount }) {
  return { slug: canonicalSlug, name, description, version, stars: starCount, downloads: downloadCount };
}

/** The card of a result. A result without details (version and description) gets them when it is seen. */
function cardOf({ slug: canonical, name, description, version, stars, downloads }, level) {
  const card = document.querySelector('[data-card]').content.firstElementChild.cloneNode(true);
  if (level) {
    const title = card.querySelector('.card-title');
    title.replaceWith(element(level, { className: title.className }, ...title.childNodes));
  }
  const [namespace, slug] = canonical.includes('--') ? canonical.split('--') : ['global', canonical];
  const path = `${namespace}/${slug}`;
  put(card, 'a bdi', name || slug).parentNode.href = `${root.pathname}${path}/`;
  mark(card.querySelector('a bdi'));
  put(card, '.coordinate', !name || name === slug ? `@${namespace}` : `@${path}`);
  for (const [title, count] of Object.entries({ Stars: stars, Downloads: downloads })) {
    const place = put(card, `[title=${title}] span`, (count ?? 0).toLocaleString('en'));
    place.parentNode.hidden = count === undefined;
  }
  if (version) showDetails(card, { version, description });
  else later(card, path);
  return card;
}

function put(card, place, text) {
  return Object.assign(card.querySelector(place), { textContent: plain(text) });
}

function showDetails(card, { version, description }) {
  put(card, '.version', version ?? '');
  card.querySelector('.badge').hidden = !!version;
  mark(put(card, '.card-text', description));
}

/** Marks what the query asks for. */
function mark(place) {
  const shown = ([textContent, isMarked]) => (isMarked ? element('mark', { textContent }) : textContent);
  place.replaceChildren(...marksOf(place.textContent).map(shown));
}

/** Reads the document of a skill when its card comes near the window. The place for its text is kept free. */
function later(card, path) {
  card.querySelector('.card-text').classList.add('card-text-pending');
  unread.set(card, path);
  observer.observe(card);
}

async function readDetails(card) {
  observer.unobserve(card);
  const path = new URL(`api/v1/skills/${unread.get(card)}.json`, root);
  // A card without details is still a link to the skill.
  const skill = await fetch(path).then((found) => found.json()).catch(() => undefined);
  if (skill?.description !== undefined) showDetails(card, skill);
}

function ask(how) {
  const { namespace } = query();
  history[how](null, '', addressOf({ q: input.value, namespace, sort: order.value }));
  show();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  ask('pushState');
});

input.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(ask, 150, 'replaceState');
});

order.addEventListener('change', () => ask('pushState'));

addEventListener('popstate', () => {
  input.value = query().q;
  show();
});

// The arrow keys move through the results, from the input field and back to it.
document.addEventListener('keydown', (event) => {
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [input, ...results.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  const next = step && at >= 0 && stops[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

listenForSearchKey();
showHandle();
input.value = query().q;
// A server may have put the same text there, with the cursor before it.
input.setSelectionRange(input.value.length, input.value.length);
if (!input.value) input.focus();
// Only a server fills in the page.
show(count.textContent);
