// Renders the charts, and what is asked of their renders.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'yaml';
import { root } from '../lib/options.mjs';

export const CHARTS = join(root, 'deploy', 'charts');
/** Those of deploy/kustomize that are renders; `small` is patches of `base`. */
export const OVERLAYS = ['base', 'ha'];
export const overlay = (name, file) => join(root, 'deploy', 'kustomize', name, file);

const NAMESPACE = 'acervo';
/** The version of the cluster that renders are for: the oldest that the charts support. */
export const KUBERNETES = '1.29.0';

/** @throws with what the program printed */
export const run = (program, args) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  if (status !== 0) throw new Error(`${args[0]}: ${stderr || stdout}`.trim());
  return stdout;
};

const valuesOf = (files, sets) => [
  ...files.flatMap((file) => ['--values', file]),
  ...sets.flatMap((set) => ['--set', set]),
];

/**
 * Works on a copy of the charts, the service chart within the umbrella: other checks read the workspace at the same
 * time. `service` and `umbrella` are folders.
 */
export const withCharts = (helm, work) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-charts-'));
  try {
    cpSync(CHARTS, folder, { recursive: true });
    const charts = { helm, service: join(folder, 'acervo-service'), umbrella: join(folder, 'acervo') };
    run(helm, ['dependency', 'update', '--skip-refresh', charts.umbrella]);
    return work(charts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const template = ({ helm }, release, chart, values) =>
  run(helm, ['template', release, chart, '--namespace', NAMESPACE, '--kube-version', KUBERNETES, ...values]);

/** The manifests of the umbrella chart. */
export const renderAll = (charts, files, sets = []) =>
  template(charts, 'acervo', charts.umbrella, valuesOf(files, sets));

/** The manifests of one service as a release of its own. */
export const renderOne = (charts, service, files) =>
  template(charts, `acervo-${service}`, charts.service, valuesOf(files, [`service=${service}`]));

/** By kind and name: the objects of a render. */
export const objectsOf = (manifests) =>
  new Map(
    yaml
      .parseAllDocuments(manifests)
      .map((document) => document.toJSON())
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
