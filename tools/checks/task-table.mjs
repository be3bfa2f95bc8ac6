// Fails if a service library names the table of tasks: only libs/platform/queue may use it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

const TABLE =
  /\b(?:from|join|into|update|using|table|only)\s+(?:(?:\w+|\$\{[^}]*\})\.)?task\b|\b(?:ingestion|retrieval)\.task\b/i;
const MIGRATIONS = /(?:^|\/)migrations(?:\.ts$|\/)/;

/** The lines of a source that name the table. @param file its path from the root */
export const taskTableProblems = (file, text) =>
  MIGRATIONS.test(file)
    ? []
    : text.split('\n').flatMap((line, at) => {
        const isNamed = TABLE.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line);
        return isNamed ? [`${file}:${at + 1} names the table of tasks; use WorkStore or WorkSql.`] : [];
      });

const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${folder}/${name}`);

/** All lines of service libraries that name the table. @param folders those libraries */
export const taskTableProblemsIn = (folders) =>
  folders
    .flatMap((folder) => sourcesIn(`${folder}/src`))
    .flatMap((file) => taskTableProblems(file, readFileSync(join(root, file), 'utf8')));
