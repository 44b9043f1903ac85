// The jobs of CI systems that may publish in a namespace.

import { ask } from './api.js';
import { day, make, own, section } from './dom.js';
import { form, nameField, row, rows } from './forms.js';

const PASSWORD = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  hint: 'Empty, if you signed in with a provider in the last ten minutes.',
};

/** The list, and the forms to add and remove one. */
export function publisherList({ items }, { slug, path, again }) {
  const rowOf = ({ id, slug: skill, repository, workflow, environment, issuer, addedBy, createdAt }) =>
    row([
      make('h3', {}, own(repository), make('span', { className: 'quiet' }, ` ${workflow}`)),
      make('p', { className: 'quiet' }, `publishes @${slug}/${skill ?? '*'}, number ${id}, at ${issuer}`),
      environment ? make('p', { className: 'quiet' }, 'in the environment ', own(environment)) : '',
      make('p', { className: 'quiet' }, `added by ${addedBy}, `, day(createdAt)),
    ]);
  const add = form({
    label: 'Add a trusted publisher',
    fields: [
      nameField('issuer', 'CI system', { value: 'github', hint: 'github, gitlab, or as this registry names it.' }),
      { name: 'repository', label: 'Repository', required: true, hint: 'Owner and name, as in acme/skills.' },
      { name: 'ownerId', label: 'Number of the owner', required: true, inputMode: 'numeric' },
      { name: 'workflow', label: 'Workflow file', required: true, hint: 'publish.yml, or .gitlab-ci.yml at GitLab.' },
      { name: 'skill', label: 'Only this skill', hint: 'Empty: every skill of the namespace.' },
      { name: 'environment', label: 'Environment', hint: 'Empty: any.' },
      { name: 'showPrivate', label: 'Show repository and commit even if it is private', type: 'checkbox' },
      PASSWORD,
    ],
    submit: 'Add',
    isSecond: true,
    send: async (values) => {
      const given = Object.entries(values).filter(([, value]) => value !== '');
      await ask('POST', `${path}/publishers`, Object.fromEntries(given));
      return again('The trusted publisher is added');
    },
  });
  const numbers = items.map(({ id, repository }) => [id, `${id}: ${repository}`]);
  const remove = form({
    label: 'Remove a trusted publisher',
    fields: [{ name: 'id', label: 'Publisher', type: 'select', options: numbers }, PASSWORD],
    submit: 'Remove',
    isSecond: true,
    send: async ({ id, password }) => {
      await ask('POST', `${path}/publishers/${id}/remove`, password ? { password } : {});
      return again('The trusted publisher is removed');
    },
  });
  return section(
    'publishers',
    'Trusted publishers',
    make('p', { className: 'quiet' }, 'Jobs of these repositories publish in your name, without a stored secret.'),
    rows(items, rowOf, 'No job may publish here.'),
    make('details', {}, make('summary', {}, 'Add one'), add),
    items.length ? make('details', {}, make('summary', {}, 'Remove one'), remove) : '',
  );
}
