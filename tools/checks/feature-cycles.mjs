// Feature folders of a library import each other in one direction. A feature is a folder below `src`; a file beside the
// folders is a feature of its own. Imports of types count: a reader follows them too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** A folder that every feature may import; it imports none, and stays small. */
const KERNEL = 'kernel';
const MOST_IN_KERNEL = 12;

const isSource = (name) => /\.tsx?$/.test(name) && !/\.(spec|d)\.tsx?$/.test(name);

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((name) => join(folder, name));

/** The files that a file imports by a relative path. */
const importsOf = (file) =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(file), name))
    .map((path) =>
      [`${path}.ts`, join(path, 'index.ts'), path].find((each) => each.endsWith('.ts') && existsSync(each)),
    )
    .filter((path) => path !== undefined);

const featureOf = (source, file) => relative(source, file).split(sep)[0];

/** The imports between features of one library: by importing feature, the imported ones with an example. */
export const featureImports = (source) => {
  const found = new Map();
  for (const file of filesBelow(source)) {
    const feature = featureOf(source, file);
    const imports = found.get(feature) ?? new Map();
    found.set(feature, imports);
    for (const imported of importsOf(file)) {
      const other = featureOf(source, imported);
      if (other !== feature && !other.startsWith('..')) imports.set(other, relative(source, file));
    }
  }
  return found;
};

/** The features of one cycle, the first one again at its end; undefined where there is none. */
export const cycleIn = (imports) => {
  const done = new Set();
  const walk = (feature, path) => {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature];
    if (done.has(feature)) return undefined;
    for (const next of imports.get(feature)?.keys() ?? []) {
      const cycle = walk(next, [...path, feature]);
      if (cycle !== undefined) return cycle;
    }
    done.add(feature);
    return undefined;
  };
  return [...imports.keys()].map((feature) => walk(feature, [])).find((cycle) => cycle !== undefined);
};

const kernelProblems = (source, imports) => {
  const kernel = join(source, KERNEL);
  if (!existsSync(kernel)) return [];
  const files = filesBelow(kernel).length;
  const outside = [...(imports.get(KERNEL)?.keys() ?? [])];
  return [
    ...(files > MOST_IN_KERNEL ? [`has ${files} files in ${KERNEL}, at most ${MOST_IN_KERNEL} are allowed.`] : []),
    ...outside.map((feature) => `imports the feature ${feature} in ${imports.get(KERNEL).get(feature)}.`),
  ];
};

/** What is wrong with the features of the libraries in some folders, from the root. */
export const featureProblems = (root, folders) =>
  folders
    .map((folder) => [folder, join(root, folder, 'src')])
    .filter(([, source]) => existsSync(source))
    .flatMap(([folder, source]) => {
      const imports = featureImports(source);
      const cycle = cycleIn(imports);
      const steps = (cycle ?? []).slice(0, -1).map((feature, at) => imports.get(feature).get(cycle[at + 1]));
      const circular =
        cycle === undefined
          ? []
          : [`has features that import each other: ${cycle.join(' -> ')} (${steps.join(', ')}).`];
      return [...circular, ...kernelProblems(source, imports)].map((problem) => `${folder} ${problem}`);
    });
