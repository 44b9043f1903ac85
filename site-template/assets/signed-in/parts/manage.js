// One skill as its author manages it: versions, tags, transfer, promotion, removal.

import { ask, pageFor, skillPath, workPage } from './api.js';
import { badge, day, link, make, nameOf, notice, own, section, setTitle, showAgain } from './dom.js';
import { button, form, nameField, row, rows, sender } from './forms.js';

const REASON = { name: 'reason', label: 'Reason (shown to everyone)', type: 'textarea', rows: 3, maxLength: 2048 };

const YANKED = 'It is not installed unless somebody asks for this version.';

/** The view of the skill `@namespace/slug`. */
export async function manage(namespace, slug) {
  setTitle(nameOf({ namespace, slug }));
  const path = skillPath(namespace, slug);
  const show = () => view(namespace, slug, path, (said) => showAgain(show, said));
  return show();
}

async function view(namespace, slug, path, again) {
  const crumbs = make('p', { className: 'crumbs-row' }, link(workPage('me'), 'Your account'));
  let skill;
  try {
    skill = await ask('GET', path);
  } catch (error) {
    if (error.status === 410) return [crumbs, removed(path, again)];
    if (error.status !== 404) throw error;
    return [
      crumbs,
      notice(
        'plain',
        make(
          'p',
          {},
          'No version of this skill is public. ',
          link(`${workPage('me')}#submissions`, 'See what became of your submissions'),
          '.',
        ),
      ),
    ];
  }
  const [versions, tags] = await Promise.all([ask('GET', `${path}/versions`), ask('GET', `${path}/tags`)]);
  return [
    crumbs,
    make('p', { className: 'lead' }, own(skill.description)),
    make(
      'p',
      {},
      link(pageFor(namespace, slug), 'Page of the skill'),
      ' · ',
      link(workPage('publish', { namespace, slug }), 'Publish a version'),
    ),
    versionList(versions.items, path, again),
    tagList(tags.items, versions.items, path, again),
    transfer(path, again),
    namespace === 'global' ? undefined : promotion(namespace, skill, versions.items),
    removal(namespace, slug, path, again),
  ];
}

function versionList(items, path, again) {
  const rowOf = ({ version, status, publishedAt, yankReason }) => {
    const isYanked = status === 'yanked';
    const yank = `${path}/versions/${encodeURIComponent(version)}/yank`;
    const act = isYanked
      ? sender('Offer again', ['DELETE', yank], () => again(`${version} is offered again`), { about: version })
      : button(
          'Yank',
          async ({ reason }) => {
            await ask('POST', yank, reason.trim() ? { reason } : {});
            return again(`${version} is yanked`);
          },
          { about: version, question: { text: `Yank ${version}? ${YANKED}`, fields: [REASON] } },
        );
    return row(
      [
        make('span', { className: 'version' }, version),
        ' ',
        day(publishedAt),
        ' ',
        isYanked ? badge('yanked', 'danger') : undefined,
        yankReason ? make('p', { className: 'quiet' }, own(yankReason)) : undefined,
      ],
      act,
    );
  };
  return section('versions', 'Versions', rows(items, rowOf, 'No versions.'));
}

function tagList(items, versions, path, again) {
  const tagPath = (name) => `${path}/tags/${encodeURIComponent(name)}`;
  const rowOf = ({ name, version, reserved }) =>
    row(
      [make('span', { className: 'tag' }, name), ' ', make('span', { className: 'version' }, version)],
      ...(reserved
        ? []
        : [
            sender('Remove', ['DELETE', tagPath(name)], () => again(`The tag ${name} is removed`), {
              about: `the tag ${name}`,
              question: { text: `Remove the tag ${name}?` },
            }),
          ]),
    );
  const version = versionField(versions);
  const set = form({
    label: 'Set a tag',
    fields: [nameField('tag', 'Tag'), version],
    submit: 'Set the tag',
    isSecond: true,
    send: async ({ tag, version }) => {
      await ask('PUT', tagPath(tag.trim()), { version });
      return again(`The tag ${tag} points to ${version}`);
    },
  });
  return section('tags', 'Tags', rows(items, rowOf, 'No tags.'), version.options.length ? set : undefined);
}

/** The choice of a version that is not yanked. */
function versionField(versions) {
  const offered = versions.filter(({ status }) => status !== 'yanked');
  const options = offered.map(({ version }) => [version, version]);
  return { name: 'version', label: 'Version', type: 'select', options };
}

function transfer(path, again) {
  return section(
    'transfer',
    'Give to another author',
    form({
      label: 'Give to another author',
      fields: [
        nameField('to', 'Handle of the new author'),
        { name: 'message', label: 'Message', type: 'textarea', rows: 2, maxLength: 2048 },
      ],
      submit: 'Offer',
      isSecond: true,
      send: async ({ to, message }) => {
        await ask('POST', `${path}/transfer`, { to: to.trim(), ...(message.trim() ? { message } : {}) });
        return again(`Offered to ${to}. The offer waits in both your accounts.`);
      },
    }),
  );
}

function promotion(namespace, skill, versions) {
  const field = versionField(versions);
  if (!field.options.length) return undefined;
  return section(
    'promotion',
    'Offer to everyone',
    make('p', {}, 'A moderator reviews the copy in @global.'),
    form({
      label: 'Offer to everyone',
      fields: [
        field,
        { name: 'comment', label: 'Note for the reviewers', type: 'textarea', rows: 2, maxLength: 2048 },
      ],
      submit: 'Ask for a copy in @global',
      isSecond: true,
      send: async ({ version, comment }, element) => {
        const body = { version, ...(comment.trim() ? { comment } : {}) };
        const space = `namespaces/${encodeURIComponent(namespace)}`;
        const { id } = await ask('POST', `${space}/skills/${skill.id}/promote`, body);
        const review = link(workPage('reviews', { namespace: 'global', id }), `review ${id}`);
        element.replaceWith(notice('plain', make('p', {}, 'The copy waits for review: ', review, '.')));
        return 'The copy waits for review';
      },
    }),
  );
}

function removal(namespace, slug, path, again) {
  const question = {
    text: `Remove @${namespace}/${slug} with all its versions? Its name stays taken, and you can restore it.`,
  };
  return section(
    'removal',
    'Remove',
    make('p', {}, 'All addresses of the skill stop working. It can be restored.'),
    make(
      'p',
      { className: 'choices' },
      sender('Remove this skill', ['DELETE', path], () => again('The skill is removed'), {
        className: 'danger',
        question,
      }),
    ),
  );
}

function removed(path, again) {
  const said = () => again('The skill is restored');
  const restore = sender('Restore this skill', ['POST', `${path}/restore`], said, { className: '' });
  return section(
    'removed',
    'This skill is removed',
    make('p', {}, 'Its name and its version numbers stay taken.'),
    make('p', { className: 'choices' }, restore),
  );
}
