// Renders the charts, and what is asked of their renders.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import yaml from 'yaml';
import { root } from '../lib/options.mjs';

export const SERVICE_CHART = join(root, 'deploy', 'charts', 'acervo-service');
export const UMBRELLA = join(root, 'deploy', 'charts', 'acervo');
export const OVERLAYS = ['base', 'small', 'ha'];
export const overlay = (name, file) => join(root, 'deploy', 'kustomize', name, file);

const NAMESPACE = 'acervo';

/** @throws with what the program printed */
export const run = (program, args, input) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input, maxBuffer: 64 * 1_048_576 });
  if (status !== 0) throw new Error(`${args[0]}: ${stderr || stdout}`.trim());
  return stdout;
};

const valuesOf = (files, sets) => [
  ...files.flatMap((file) => ['--values', file]),
  ...sets.flatMap((set) => ['--set', set]),
];

/** The manifests of the umbrella chart. */
export const renderAll = (helm, files, sets = []) =>
  run(helm, ['template', 'acervo', UMBRELLA, '--namespace', NAMESPACE, ...valuesOf(files, sets)]);

/** The manifests of one service as a release of its own. */
export const renderOne = (helm, service, files, sets = []) =>
  run(helm, [
    'template',
    `acervo-${service}`,
    SERVICE_CHART,
    '--namespace',
    NAMESPACE,
    ...valuesOf(files, [`service=${service}`, ...sets]),
  ]);

/** By kind and name: the objects of a render. */
export const objectsOf = (manifests) =>
  new Map(
    yaml
      .parseAllDocuments(manifests)
      .map((document) => document.toJS())
      .filter((object) => object !== null)
      .map((object) => [`${object.kind}/${object.metadata.name}`, object]),
  );

/** The names of objects that differ between two renders. */
export const changedBetween = (before, after) => {
  const [one, other] = [objectsOf(before), objectsOf(after)];
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => JSON.stringify(one.get(name)) !== JSON.stringify(other.get(name)));
};

/** The service that an object belongs to. */
export const serviceOf = (manifests, name) => objectsOf(manifests).get(name)?.metadata.labels['app.kubernetes.io/name'];
