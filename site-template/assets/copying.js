// Has sentences read out, and copies texts.

import { plain } from './unseen.js';

const labels = new WeakMap();

/** Has the sentence read out. */
export function announce(sentence) {
  const place = document.querySelector('[data-announce]');
  // Screen readers do not repeat an unchanged text.
  place.textContent = '';
  requestAnimationFrame(() => (place.textContent = plain(sentence)));
}

/** Copies a text, and says so on the button until it is left. Without a clipboard, selects the text in `place`. */
export async function copy(button, text, place) {
  const [label] = button.childNodes;
  if (!labels.has(button)) labels.set(button, label.data);
  let said = ['Copied'];
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers offer the clipboard only to secure pages.
    said = ['Not copied', 'The browser does not let this page copy.'];
    if (place) said = ['Selected', 'The text is selected. Copy it with your keyboard or menu.'];
    if (place) getSelection().selectAllChildren(place);
  }
  label.data = said[0];
  announce(said.at(-1));
  button.addEventListener('blur', () => (label.data = labels.get(button)), { once: true });
}
