// What an API server says of the renders: strict fields, its validation, custom resources by their definitions, and pods
// under the level `restricted`. Nothing is stored but what admission itself asks for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import yaml from 'yaml';
import { downloadedModule } from '../lib/go-module.mjs';
import { root } from '../lib/options.mjs';
import { objectsOf, OVERLAYS, overlay } from './charts.mjs';
import { FAULTS } from './admission-faults.mjs';

const NAMESPACE = 'acervo';
const ESTABLISHED_TRIES = 100;

/** Definitions of custom resources, as files of the Go modules of their operators. */
const DEFINITIONS = [
  ['github.com/kedacore/keda/v2@v2.18.1', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.92.1',
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  [
    'github.com/external-secrets/external-secrets@v0.16.2',
    'config/crds/bases/external-secrets.io_externalsecrets.yaml',
  ],
  ['sigs.k8s.io/gateway-api@v1.5.1', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
];

const parsed = (path) => yaml.parse(readFileSync(path, 'utf8'));

const demanded = (what, { status, body }) => {
  if (status >= 300) throw new Error(`${what}: ${body.message ?? body}`);
  return body;
};

const isEstablished = ({ status }) =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Established' && value === 'True');

const define = async (client, definition) => {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { name } = definition.metadata;
  demanded(name, await client.ask('POST', path, definition));
  for (let turn = 0; turn < ESTABLISHED_TRIES; turn += 1) {
    if (isEstablished(demanded(name, await client.ask('GET', `${path}/${name}`)))) return;
    await pause(100);
  }
  throw new Error(`${name} is not established.`);
};

/** Answers the path of the objects of a kind in the namespace, as the server names it. */
const pathsOf = (client) => {
  const resources = new Map();
  return async ({ apiVersion, kind }) => {
    const prefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    if (!resources.has(prefix)) resources.set(prefix, demanded(apiVersion, await client.ask('GET', prefix)).resources);
    const resource = resources.get(prefix).find((each) => each.kind === kind && !each.name.includes('/'));
    if (resource === undefined) throw new Error(`The API server has no ${kind} in ${apiVersion}.`);
    return `${prefix}/namespaces/${NAMESPACE}/${resource.name}`;
  };
};

const APPLY = 'application/apply-patch+yaml';
const STRICT = 'fieldManager=acervo&fieldValidation=Strict';

/** The pod that a controller would create for an object. */
const podOf = ({ kind, metadata, spec }) =>
  spec?.template?.spec?.containers === undefined
    ? undefined
    : {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...spec.template.metadata, name: `${kind.toLowerCase()}-${metadata.name}` },
        spec: { restartPolicy: 'Always', ...spec.template.spec },
      };

/** The refusals and warnings of the server for an object and for its pods, as lines. */
const judged = async (client, pathOf, object) => {
  const named = `${object.kind}/${object.metadata.name}`;
  const path = `${await pathOf(object)}/${object.metadata.name}?dryRun=All&force=true&${STRICT}`;
  const answers = [[named, await client.ask('PATCH', path, object, APPLY)]];
  const pod = podOf(object);
  if (pod !== undefined)
    answers.push([
      `pod of ${named}`,
      await client.ask('POST', `/api/v1/namespaces/${NAMESPACE}/pods?dryRun=All&${STRICT}`, pod),
    ]);
  return answers.flatMap(([of, { status, warnings, body }]) => [
    ...(status >= 300 ? [`${of}: ${body.message}`] : []),
    ...warnings.map((warning) => `${of}: ${warning}`),
  ]);
};

/** A controller creates it in a cluster. */
const DEFAULT_ACCOUNT = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };

/** Every pod needs an account that exists; all else is tried without being stored. */
const prepare = async (client, pathOf, objects) => {
  for (const [module, ...paths] of DEFINITIONS)
    for (const path of paths) await define(client, parsed(join(downloadedModule(module).Dir, path)));
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } };
  demanded('namespace', await client.ask('POST', '/api/v1/namespaces', namespace));
  for (const account of [DEFAULT_ACCOUNT, ...objects.filter(({ kind }) => kind === 'ServiceAccount')])
    demanded('account', await client.ask('POST', await pathOf(account), account));
};

const rendered = (name) => [...objectsOf(readFileSync(overlay(name, 'acervo.yaml'), 'utf8')).values()];

/** The planted faults that the server does not notice, as lines. */
const unnoticed = async (client, pathOf, objects) => {
  const problems = [];
  for (const { of, plant, says } of FAULTS) {
    const object = structuredClone(objects.find(({ kind, metadata }) => `${kind}/${metadata.name}` === of));
    plant(object);
    const messages = await judged(client, pathOf, object);
    if (!messages.some((line) => line.includes(says)))
      problems.push(`${of}: a planted fault is not noticed (${says}): ${messages.join('; ')}`);
  }
  return problems;
};

/**
 * What an API server refuses of the renders and the rules, and which planted faults it lets pass, as lines; with the
 * version of the server and counts of what was asked.
 */
export const admission = async (client) => {
  const [renders, pathOf] = [OVERLAYS.map((name) => [name, rendered(name)]), pathsOf(client)];
  const rule = parsed(join(root, 'deploy', 'observability', 'prometheus-rule.yaml'));
  const objects = [...renders, ['observability', [rule]]].flatMap(([from, found]) =>
    found.map((object) => [from, object]),
  );
  await prepare(client, pathOf, rendered(OVERLAYS[0]));
  const problems = [];
  for (const [from, object] of objects)
    problems.push(...(await judged(client, pathOf, object)).map((line) => `${from}: ${line}`));
  const all = objects.map(([, object]) => object);
  problems.push(...(await unnoticed(client, pathOf, all)));
  const pods = all.filter((object) => podOf(object) !== undefined).length;
  const { gitVersion: version } = demanded('version', await client.ask('GET', '/version'));
  return { version, problems, faults: FAULTS.length, objects: all.length, pods };
};
