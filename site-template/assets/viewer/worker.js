// Works that may take long, beside the page: colors of a text, and differences of two.

import { lineDiff } from './line-diff.js';
import { tokenizer } from '../highlight/tokenize.js';

const LANGUAGES = ['bash', 'css', 'go', 'html', 'ini', 'json', 'md', 'py', 'rs', 'sql', 'toml', 'ts', 'yaml'];
const OTHER_NAMES = {
  __proto__: null,
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', js: 'ts', javascript: 'ts', jsx: 'ts', tsx: 'ts', mjs: 'ts',
  typescript: 'ts', python: 'py', rust: 'rs', golang: 'go', markdown: 'md', yml: 'yaml', jsonc: 'json', xml: 'html',
};

async function grammar(name) {
  const known = OTHER_NAMES[name] ?? name;
  return LANGUAGES.includes(known) ? (await import(`../highlight/${known}.js`)).default : undefined;
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
