// Works that may take long, beside the page: colors of a text, and differences of two.

import { languageOf } from './languages.js';
import { lineDiff } from './line-diff.js';
import { tokenizer } from '../highlight/tokenize.js';

async function grammar(name) {
  const language = languageOf(name);
  return language && (await import(`../highlight/${language}.js`)).default;
}

/** The pieces of a text: pairs of a length and a kind. */
async function colors({ text, language }) {
  const runs = [];
  const work = tokenizer(text, language, (piece, kind = '') => {
    if (piece) runs.push([piece.length, kind]);
  });
  for (let step = work.next(); !step.done; ) step = work.next(await grammar(step.value));
  return runs;
}

addEventListener('message', async ({ data }) => {
  const result = data.language ? await colors(data) : lineDiff(data.before, data.after);
  postMessage({ id: data.id, result });
});

postMessage({ isReady: true });
