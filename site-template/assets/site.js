// What pages have more with JavaScript: the address under which they are read, and buttons that copy.

const { documentElement: page } = document;
const site = new URL(page.dataset.root, location.href).href.replace(/\/+$/, '');

// It is put into commands that people run: nothing in it may mean something to a shell.
if (/^https?:\/\/[\w.:[\]-]+(\/[\w.~%-]+)*$/.test(site)) {
  for (const place of document.querySelectorAll('[data-site]')) place.textContent = site;
}

for (const form of document.querySelectorAll('[data-needs-script]')) form.hidden = false;

const announcement = document.querySelector('[data-announce]');

for (const command of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  const what = document.createElement('span');
  what.className = 'unseen';
  what.textContent = ` ${command.dataset.copy}`;
  button.append('Copy', what);
  button.addEventListener('click', () => copy(command.querySelector('code'), button));
  command.append(button);
}

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent.trim());
    told(button, 'Copied');
  } catch {
    // Browsers have a clipboard for secure pages alone.
    getSelection().selectAllChildren(code);
    told(button, 'Selected', 'The command is selected: copy it with your keyboard or menu.');
  }
}

function told(button, label, sentence = label) {
  const [text] = button.childNodes;
  text.data = label;
  // A text that stays the same is not read out again.
  announcement.textContent = '';
  requestAnimationFrame(() => (announcement.textContent = sentence));
  button.addEventListener('blur', () => (text.data = 'Copy'), { once: true });
}
