// Fails if a method of a contract stands in a file of another kind: who reads a feature finds it by the name of the file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

const KINDS = [
  { decorator: 'Handles', file: /\.handlers\.ts$/, suffix: '*.handlers.ts' },
  { decorator: 'On', file: /\.consumer\.ts$/, suffix: '*.consumer.ts' },
  { decorator: 'RunsStages?', file: /\.stages?\.ts$/, suffix: '*.stage.ts' },
];

/** The decorators of a source that belong in a file of another name. @param file its path from the root */
export const decoratorProblems = (file, text) =>
  text.split('\n').flatMap((line, at) =>
    KINDS.flatMap(({ decorator, file: allowed, suffix }) => {
      const [, found] = new RegExp(`^\\s*@(${decorator})\\(`).exec(line) ?? [];
      return found === undefined || allowed.test(file)
        ? []
        : [`${file}:${at + 1} has @${found}; such methods stand in ${suffix}.`];
    }),
  );

const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${folder}/${name}`);

/** All such decorators. @param folders service libraries */
export const decoratorProblemsIn = (folders) =>
  folders
    .flatMap((folder) => sourcesIn(`${folder}/src`))
    .flatMap((file) => decoratorProblems(file, readFileSync(join(root, file), 'utf8')));
