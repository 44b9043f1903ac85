// Stars and ratings on the page of a skill. `site.js` loads it when somebody has signed in with this browser.

import { ask, loginPage, skillPath, workPage } from './parts/api.js';
import { announce, make, showFailure } from './parts/dom.js';
import { asked, busy } from './parts/forms.js';
import { remember } from './parts/handle.js';

const SCORES = [5, 4, 3, 2, 1].map((score) => [String(score), `${score} of 5`]);
const QUESTION = {
  text: 'Rate this skill',
  isDangerous: false,
  fields: [{ name: 'score', label: 'Score', type: 'select', options: SCORES }],
};
const place = document.querySelector('[data-acts]');
const [namespace, slug] = place.dataset.acts.split('/');
const path = skillPath(namespace, slug);
const [star, rate] = [...place.querySelectorAll('a')].map(buttonOf);
const manage = make(
  'a',
  { className: 'button second', href: workPage('me', { skill: `${namespace}/${slug}` }) },
  'Manage',
);
let isStarred = false;

// The dialog of the question needs it.
const style = new URL('../signed-in.css', import.meta.url).href;
document.head.append(make('link', { rel: 'stylesheet', href: style }));

/** Makes a button of a link to the page for signing in. */
function buttonOf(old) {
  const button = make('button', { type: 'button', className: old.className }, ...old.childNodes);
  old.replaceWith(button);
  return button;
}

function showStar() {
  star.querySelector('span').textContent = isStarred ? 'Starred' : 'Star';
  star.setAttribute('aria-pressed', String(isStarred));
}

function showRating(score) {
  rate.querySelector('span').textContent = `Rated ${score} of 5`;
}

function act(button, work) {
  button.addEventListener('click', () => busy(button, () => work().catch(fail)));
}

function fail(error) {
  if (error.status !== 401) return showFailure(place, error);
  remember();
  return location.assign(loginPage());
}

act(star, async () => {
  ({ starred: isStarred } = await ask(isStarred ? 'DELETE' : 'POST', `${path}/star`));
  showStar();
  announce(isStarred ? 'Starred' : 'Unstarred');
});

act(rate, async () => {
  const answer = await asked({ ...QUESTION, verb: 'Rate' });
  if (!answer) return;
  const { score } = await ask('POST', `${path}/rating`, { score: Number(answer.score) });
  showRating(score);
  announce(`Rated ${score} of 5`);
});

/** Shows whether the caller has starred the skill, how they rated it, and the way to manage it. */
async function show() {
  const { starred, score, manages } = await ask('GET', `me/${path}`);
  isStarred = starred;
  showStar();
  if (score) showRating(score);
  if (manages) place.append(manage);
}

// A failure is said when a button is pressed, not before.
show().catch((error) => error.status === 401 && remember());
