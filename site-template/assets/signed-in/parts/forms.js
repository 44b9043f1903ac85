// Forms, buttons and questions. Errors are beside the field that they are about, and read out.

import { plain } from '../../unseen.js';
import { Refusal, ask } from './api.js';
import { announce, failure, make, showFailure } from './dom.js';

let lastId = 0;

/** A field: `type` may also be `textarea`, `select` (with `options`) and `checkbox`. Others are attributes. */
function field({ name, label, hint, type = 'text', options = [], value = '', ...attributes }) {
  const id = `field-${name}-${++lastId}`;
  const hintId = hint ? `${id}-hint` : undefined;
  const about = { id, name, 'aria-describedby': [hintId, `${id}-error`].filter(Boolean).join(' '), ...attributes };
  const error = make('p', { id: `${id}-error`, className: 'field-error', hidden: true });
  const hintLine = hint && make('p', { id: hintId, className: 'field-hint' }, hint);
  if (type === 'checkbox') {
    const input = make('input', { ...about, type, checked: !!value });
    return make(
      'div',
      { className: 'field' },
      make('label', { className: 'check' }, input, ' ', label),
      hintLine,
      error,
    );
  }
  const kind = ['textarea', 'select'].includes(type) ? type : 'input';
  const choices = options.map(([key, text]) => make('option', { value: key }, text));
  const input = make(kind, kind === 'input' ? { ...about, type } : about, ...choices);
  if (value) input.value = value;
  return make('div', { className: 'field' }, make('label', { htmlFor: id }, label), input, hintLine, error);
}

/** The field of a name of the registry: of a person, a namespace, a skill or a tag. */
export function nameField(name, label, attributes = {}) {
  return { name, label, required: true, maxLength: 64, autocapitalize: 'off', spellcheck: false, ...attributes };
}

/** Several checkboxes of one name, whose value is a list. */
function checks({ name, label, options, value = [] }) {
  const boxes = options.map(([key, text]) => {
    const input = make('input', { type: 'checkbox', name, value: key, checked: value.includes(key), 'data-many': '' });
    return make('label', { className: 'check' }, input, ' ', text);
  });
  return make('fieldset', { className: 'field' }, make('legend', {}, label), ...boxes);
}

/** The values of a form: texts, truth values of checkboxes, and lists of several checkboxes. */
export function valuesOf(form) {
  const values = {};
  for (const control of form.elements) {
    const { name, type, value, checked } = control;
    if (!name || type === 'file') continue;
    if ('many' in control.dataset) values[name] = [...(values[name] ?? []), ...(checked ? [value] : [])];
    else values[name] = type === 'checkbox' ? checked : value;
  }
  return values;
}

/**
 * A form. `send` gets the values; what it returns is said. A refusal about a field is shown beside the field, and any
 * other below the form.
 */
export function form({ label, fields, submit, send, isSecond }) {
  const button = make('button', { type: 'submit', className: isSecond ? 'second' : '' }, submit);
  const controls = fields.map((each) => (each.type === 'checks' ? checks(each) : field(each)));
  const choices = make('p', { className: 'choices' }, button);
  const element = make('form', { className: 'fields', 'aria-label': label, noValidate: true }, ...controls, choices);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    clear(element);
    const empty = [...element.elements].filter((control) => control.required && !control.value.trim());
    if (empty.length) return empty.reverse().forEach((control) => showError(control, 'Fill in this field.'));
    await busy(button, async () => {
      try {
        const said = await send(valuesOf(element), element);
        if (said) announce(said);
      } catch (error) {
        showErrors(element, error);
      }
    });
  });
  return element;
}

function clear(element) {
  for (const control of element.elements) {
    control.removeAttribute('aria-invalid');
    const error = control.id && document.getElementById(`${control.id}-error`);
    if (error) error.hidden = true;
  }
  element.querySelector(':scope > .notice')?.remove();
}

/** Shows refusals beside their fields, and goes to the first. What is about no field of the form is below it. */
function showErrors(element, error) {
  const fields = error instanceof Refusal ? error.fields : [];
  const hasPlace = ({ field }) => element.elements[field]?.id;
  const [placed, others] = [fields.filter(hasPlace), fields.filter((each) => !hasPlace(each))];
  if (others.length || !placed.length) {
    const said = failure(error);
    const more = others.filter(({ message }) => message !== error.message);
    said.append(...more.map(({ message }) => make('p', {}, message)));
    said.tabIndex = -1;
    element.append(said);
    said.focus();
  }
  for (const { field, message } of placed.reverse()) showError(element.elements[field], message);
}

/** Shows what is wrong with a field, and goes there. */
function showError(control, message) {
  const place = document.getElementById(`${control.id}-error`);
  place.hidden = false;
  place.textContent = plain(message);
  control.setAttribute('aria-invalid', 'true');
  control.focus();
  announce(message);
}

/** Runs `work` while the button cannot be pressed again. */
export async function busy(button, work) {
  const had = document.activeElement === button;
  button.disabled = true;
  try {
    await work();
  } finally {
    button.disabled = false;
    // The focus would be lost with a button that is gone.
    const place = button.isConnected ? button : document.getElementById('content');
    if (had && document.activeElement === document.body) place.focus({ preventScroll: true });
  }
}

/** A button that does something at once, or after a question. A failure is shown where the button is. */
export function button(label, act, { className = 'second small', question, about } = {}) {
  const element = make('button', { type: 'button', className }, label);
  if (about) element.append(make('span', { className: 'unseen' }, ` ${plain(about)}`));
  element.addEventListener('click', async () => {
    const answer = question ? await asked({ ...question, verb: label }) : {};
    if (!answer) return;
    await busy(element, async () => {
      try {
        const said = await act(answer, element);
        if (said) announce(said);
      } catch (error) {
        showFailure(element.closest('li, section, form, .acts') ?? element.parentNode, error);
      }
    });
  });
  return element;
}

/** A button that sends a request. `then` gets the answer, and returns what is said. */
export function sender(label, [method, path], then, options) {
  return button(label, async () => then(await ask(method, path)), options);
}

/** Asks in a dialog. Returns the values of its fields, or undefined if the person thinks again. */
export function asked({ text, verb, fields = [], isDangerous = true }) {
  return new Promise((resolve) => {
    const controls = fields.map((each) => field(each));
    const heading = make('h2', { id: 'question' }, text);
    const yes = make('button', { type: 'submit', value: 'yes', className: isDangerous ? 'danger' : '' }, verb);
    const no = make('button', { type: 'submit', value: 'no', className: 'second', formNoValidate: true }, 'Cancel');
    const inner = make('form', { method: 'dialog', className: 'fields' }, ...controls);
    inner.append(make('p', { className: 'choices' }, yes, no));
    const dialog = make('dialog', { 'aria-labelledby': 'question' }, heading, inner);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? valuesOf(inner) : undefined);
    });
    document.body.append(dialog);
    dialog.showModal();
    (inner.querySelector('input, textarea, select') ?? no).focus();
  });
}

/** All items of a list with pages, up to a thousand, and how many there are. */
export async function allOf(path) {
  const items = [];
  let total = 0;
  for (let page = 1; page <= 10; page++) {
    const answer = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}size=100&page=${page}`);
    items.push(...answer.items);
    ({ total } = answer);
    if (items.length >= total || !answer.items.length) break;
  }
  return { items, total };
}

/** A list of rows: each has what it is about, and what can be done. Says so if there are more. */
export function rows(items, row, empty, total = items.length) {
  const quiet = (text) => make('p', { className: 'quiet' }, text);
  if (!items.length) return quiet(empty);
  const list = make('ul', { className: 'rows' }, ...items.map(row));
  return [list, items.length < total && quiet(`The first ${items.length} of ${total} are shown.`)];
}

/** A row of a list. */
export function row(about, ...acts) {
  return make(
    'li',
    {},
    make('div', { className: 'row-about' }, ...about),
    make('div', { className: 'row-acts' }, ...acts),
  );
}
