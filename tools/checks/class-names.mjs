// An application has no two exported classes of one name: its libraries are loaded together, and a stack, a log or a
// provider names the class alone. The library of one service never meets that of another.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

const EXPORTED = /^export (?:default )?(?:abstract )?class (\w+)/gm;
const SHARED = 'shared';

/** The files of each class, by name. @param files `{ path, part, text }`; `part` is a service, or `shared` */
const classesOf = (files) => {
  const found = new Map();
  for (const { path, part, text } of files)
    for (const [, name] of text.matchAll(EXPORTED)) found.set(name, [...(found.get(name) ?? []), { path, part }]);
  return found;
};

const meet = (one, other) => one.part === other.part || one.part === SHARED || other.part === SHARED;

/** A problem for each class that shares its name with one of the same application. */
export const classNameProblems = (files) =>
  [...classesOf(files)].flatMap(([name, places]) =>
    places.flatMap((one, index) =>
      places
        .slice(index + 1)
        .filter((other) => meet(one, other))
        .map((other) => `${one.path} and ${other.path} both export a class ${name}: rename one of them.`),
    ),
  );

/** Suites name their own classes. */
const SOURCE = /^(?:libs|apps)\/(?!platform\/testing\/).*\/src\/.*(?<!\.spec|\.d)\.ts$/;
/** Programs, and the library of the terminal, are applications of their own. */
const APART = /^(?:apps\/[^/]+|libs\/cli)(?=\/)/;

/** Classes of one name in this checkout. @param services the folders of services, relative to the root */
export const classNameProblemsHere = (services) => {
  const partOf = (path) => services.find((folder) => path.startsWith(`${folder}/`)) ?? APART.exec(path)?.[0] ?? SHARED;
  return classNameProblems(
    execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
      .split('\n')
      .filter((path) => SOURCE.test(path))
      .map((path) => ({ path, part: partOf(path), text: readFileSync(join(root, path), 'utf8') })),
  );
};
