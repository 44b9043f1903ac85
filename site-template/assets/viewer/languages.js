// The languages that are colored.

/** The name of each, then its other names, commands and file extensions. */
const LANGUAGES = [
  'bash sh shell zsh console',
  'css scss less',
  'go golang',
  'html htm svg xml',
  'ini cfg conf',
  'json jsonl jsonc',
  'md mdx markdown',
  'py python',
  'rs rust',
  'sql',
  'toml',
  'ts js cjs mjs jsx tsx mts cts javascript typescript node',
  'yaml yml',
].map((names) => names.split(' '));

/** The language with this name, or undefined. */
export function languageOf(name) {
  return LANGUAGES.find((names) => names.includes(name))?.[0];
}
