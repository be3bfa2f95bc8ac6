// The questions of the bench, and those that the demo folder brings.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../lib/options.mjs';
import { rowsOf } from '../lib/rows.mjs';

/** The folder with `files/` that `--data` names, itself or its `demo`. */
export const demoIn = (data) => {
  const found =
    data === undefined ? undefined : [data, join(data, 'demo')].find((each) => existsSync(join(each, 'files')));
  if (found === undefined) throw new UsageError('ask needs --data DIR with the folder files/ of the demo.');
  return found;
};

/**
 * Thirty questions that the demo answers and thirty that it does not, ten of them near misses. They were written from
 * the documents before the first run. Every second one is held out: no setting is chosen by it.
 */
export const questions = () =>
  rowsOf(new URL('../data/ask-demo.tsv', import.meta.url)).map(
    ([id, language, kind, half, question, file = '', snippet = '']) => ({
      id,
      language,
      kind,
      half,
      question,
      file,
      snippet,
    }),
  );

/** The questions of `QUESTIONS.tsv`, for comparison. */
export const demoQuestions = (demo) => {
  const file = join(demo, 'QUESTIONS.tsv');
  if (!existsSync(file)) return [];
  return rowsOf(file).map(([id, language, question, path = '', snippet = '']) => ({
    ...{ id, language, kind: path === '' ? 'far' : 'answer', question, file: path, snippet },
  }));
};
