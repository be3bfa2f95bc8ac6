// Extraction compared with its bare library: speed, robustness against hostile files, memory, and no crash.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { requireTypeScript } from '../lib/typescript.mjs';
import { fuzzing } from './extraction/fuzzing.mjs';
import { harm } from './extraction/harm.mjs';
import { memory } from './extraction/memory.mjs';
import { pagesPerSecond } from './extraction/pages-per-second.mjs';

const require = createRequire(import.meta.url);
const LONG = 300;

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tsv'))
    .map(({ name }) => ({ name, bytes: readFileSync(join(folder, name)) }));

/** The extraction pool, and the files: generated here or found in a folder. */
const material = (data) => {
  const support = (name) => requireTypeScript(join(root, 'libs', 'extraction', 'test', 'support', `${name}.ts`));
  const { bookPdf, samples } = support('samples');
  return {
    extraction: require('@acervo/extraction'),
    book: (pages) => ({ name: `generated-${pages}.pdf`, bytes: bookPdf(pages) }),
    generated: { name: `generated-${LONG}.pdf`, bytes: bookPdf(LONG) },
    samples: samples(),
    found: data === undefined ? [] : filesIn(data),
    hostile: support('hostile-files').hostileFiles(join(root, 'package.json')),
    mutant: support('mutations').mutant,
  };
};

export const run = async ({ data, rounds, fuzz }) => {
  const inputs = material(data);
  await pagesPerSecond(inputs, rounds);
  await harm(inputs, Math.min(rounds, 3));
  await memory(inputs);
  await fuzzing(inputs, fuzz);
};
