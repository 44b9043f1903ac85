// Adds the site's address to commands, and copy buttons. Opens the fold that a link leads into. Shows who signed in.

import { copy } from './copying.js';
import { rememberedHandle, showHandle } from './signed-in/parts/handle.js';
import { listenForSearchKey } from './search-key.js';

const { documentElement: page } = document;
const site = new URL(page.dataset.root, location.href).href.replace(/\/+$/, '');

// People run these commands, so the address must not contain shell syntax.
if (/^https?:\/\/[\w.:[\]-]+(\/[\w.~%-]+)*$/.test(site)) {
  for (const place of document.querySelectorAll('[data-site]')) place.textContent = site;
}

for (const form of document.querySelectorAll('[data-needs-script]')) form.hidden = false;

// Not every browser opens the fold that has the target of the address.
function unfold() {
  const target = document.querySelector(':target');
  const fold = target?.closest('details:not([open])');
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
}

addEventListener('hashchange', unfold);
unfold();
listenForSearchKey();

// A link to each heading of an author's text, which the page's list of contents may leave out.
for (const heading of document.querySelectorAll('.prose :is(h2, h3, h4, h5, h6)[id]')) {
  const link = Object.assign(document.createElement('a'), { className: 'self', href: `#${heading.id}` });
  link.setAttribute('aria-label', 'Link to this heading');
  heading.append(link);
}

// Code of authors can be copied, too.
for (const code of document.querySelectorAll('.prose pre')) {
  const block = document.createElement('div');
  block.className = 'block';
  block.dataset.copy = 'the code';
  code.replaceWith(block);
  block.append(code);
}

for (const command of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  const label = document.createElement('span');
  label.className = 'unseen';
  label.textContent = ` ${command.dataset.copy}`;
  button.append('Copy', label);
  button.addEventListener('click', () => {
    const code = command.querySelector('code');
    copy(button, code.textContent.trim(), code);
  });
  command.append(button);
}

showHandle();

// Without a script, and for who is not signed in, the acts are links to the page for signing in.
if (document.querySelector('[data-acts]') && rememberedHandle()) import('./signed-in/on-skill.js');
