// What has to hold for the manifests of `deploy`: each check answers the problems that it found.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'yaml';
import { root } from '../lib/options.mjs';
import {
  CHARTS,
  changedBetween,
  KUBERNETES,
  objectsOf,
  OVERLAYS,
  overlay,
  renderAll,
  renderOne,
  run,
  serviceOf,
} from './charts.mjs';

const problemOf = (work) => {
  try {
    work();
    return [];
  } catch (error) {
    return [error.message];
  }
};

/** The values that a release of one service gets: what the umbrella hands to all, and its own. */
const valuesOfOne = (service) => {
  const all = yaml.parse(readFileSync(join(CHARTS, 'acervo', 'values.yaml'), 'utf8'));
  const base = yaml.parse(readFileSync(overlay('base', 'values.yaml'), 'utf8'));
  return { global: { ...all.global, ...base.global }, ...all[service] };
};

/** Files that name every service, with what they name. */
const LISTS = [
  ['charts/acervo/Chart.yaml', ({ dependencies }) => dependencies.map(({ alias }) => alias)],
  ['charts/acervo/values.yaml', ({ global: _, ...values }) => Object.keys(values)],
  ['kustomize/small/kustomization.yaml', ({ replicas }) => replicas.map(({ name }) => name)],
];

/** What is listed by service has each of them, and no other. */
export const listProblems = (services) =>
  LISTS.map(([file, namesOf]) => [file, namesOf(yaml.parse(readFileSync(join(root, 'deploy', file), 'utf8')))])
    .filter(([, names]) => names.toSorted().join() !== services.toSorted().join())
    .map(([file, names]) => `deploy/${file} is for ${names.join(', ')}; services are ${services.join(', ')}.`);

const withFile = (content, work) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-deploy-'));
  const file = join(folder, 'values.yaml');
  try {
    writeFileSync(file, yaml.stringify(content));
    return work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const lint = ({ helm }, chart, values) =>
  run(helm, ['lint', '--strict', '--kube-version', KUBERNETES, chart, '--values', values]);

/** `helm lint` of both charts, with the values of each overlay. */
export const lintProblems = (charts, services) => [
  ...OVERLAYS.flatMap((name) => problemOf(() => lint(charts, charts.umbrella, overlay(name, 'values.yaml')))),
  ...services.flatMap((service) =>
    withFile(valuesOfOne(service), (file) => problemOf(() => lint(charts, charts.service, file))),
  ),
];

/** Committed renders are those of the charts. */
export const driftProblems = (charts) =>
  OVERLAYS.filter(
    (name) => renderAll(charts, [overlay(name, 'values.yaml')]) !== readFileSync(overlay(name, 'acervo.yaml'), 'utf8'),
  ).map((name) => `deploy/kustomize/${name}/acervo.yaml is not what the chart renders; run node tools/deploy.mjs.`);

/** A new release of one service changes objects of that service alone. */
export const independenceProblems = (charts, services) => {
  const files = [overlay('base', 'values.yaml')];
  const before = renderAll(charts, files);
  return services.flatMap((service) => {
    const after = renderAll(charts, files, [`${service}.replicas=5`, `${service}.temporaryBytes=1Gi`]);
    const changed = changedBetween(before, after);
    if (changed.length === 0) return [`A new release of ${service} changes nothing.`];
    return changed
      .filter((name) => serviceOf(after, name) !== service)
      .map((name) => `A new release of ${service} changes ${name}.`);
  });
};

/** What a service says itself wins over `global`: one is upgraded alone. */
export const precedenceProblems = (charts) => {
  const sets = ['global.image.tag=1.0.0', 'gateway.image.tag=1.0.1'];
  const objects = [...objectsOf(renderAll(charts, [overlay('base', 'values.yaml')], sets)).values()];
  const programs = objects
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => [metadata.name, spec.template.spec.containers[0].image]);
  return programs
    .filter(([name, image]) => !image.endsWith(name === 'gateway' ? ':1.0.1' : ':1.0.0'))
    .map(([name, image]) => `With ${sets.join(' and ')}, ${name} runs ${image}.`);
};

/** Links lead to the host of the ingress, or to the address that is set. */
export const linkProblems = (charts, services) =>
  [
    ['https://acervo.example.org', []],
    ['https://find.example.org', ['global.shared.ACERVO_PUBLIC_URL=https://find.example.org']],
  ].flatMap(([expected, sets]) => {
    const objects = objectsOf(renderAll(charts, [overlay('base', 'values.yaml')], sets));
    return services
      .map((service) => [service, objects.get(`ConfigMap/${service}`).data.ACERVO_PUBLIC_URL])
      .filter(([, url]) => url !== expected)
      .map(([service, url]) => `Links of ${service} lead to ${url}, not to ${expected}.`);
  });

/** Every pod pulls its image with the secrets that are named, the migration too. */
export const pullProblems = (charts) => {
  const sets = ['global.image.pullSecrets[0]=registry'];
  const pods = [...objectsOf(renderAll(charts, [overlay('base', 'values.yaml')], sets)).values()]
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ metadata, spec }) => [metadata.name, spec.template.spec.imagePullSecrets]);
  return pods
    .filter(([, secrets]) => JSON.stringify(secrets) !== '[{"name":"registry"}]')
    .map(([name]) => `The pod of ${name} does not pull its image with global.image.pullSecrets.`);
};

/** A service deployed by itself has the objects that it has in the umbrella. */
export const singleProblems = (charts, services) => {
  const together = renderAll(charts, [overlay('base', 'values.yaml')]);
  return services.flatMap((service) =>
    withFile(valuesOfOne(service), (file) => {
      const alone = objectsOf(renderOne(charts, service, [file]));
      return [...alone.keys()]
        .filter((name) => JSON.stringify(alone.get(name)?.spec) !== JSON.stringify(objectsOf(together).get(name)?.spec))
        .map((name) => `${name} of a release of ${service} alone differs from that of the umbrella.`);
    }),
  );
};

/** Pods that fetch from addresses of users reach the public ranges, and no other pod reaches any address by number. */
export const egressProblems = (charts, { services, publicRanges }) => {
  const objects = [...objectsOf(renderAll(charts, [overlay('base', 'values.yaml')])).values()];
  const names = Object.keys(services).filter((name) => services[name].fetches);
  const expected = new Map(
    names.flatMap((name) => [
      [name, 'internal'],
      [`${name}-egress`, 'egress'],
    ]),
  );
  const workOf = ({ spec }) => spec.template.spec.containers[0].env.find(({ name }) => name === 'ACERVO_WORK')?.value;
  const blocksOf = ({ spec }) => spec.egress.flatMap(({ to }) => to).flatMap(({ ipBlock }) => ipBlock ?? []);
  const admitted = (name) => JSON.stringify(expected.get(name) === 'egress' ? publicRanges : []);
  return [
    ...objects
      .filter((object) => object.kind === 'Deployment' && workOf(object) !== expected.get(object.metadata.name))
      .map((object) => `Pods of ${object.metadata.name} work ${workOf(object) ?? 'all stages'}.`),
    ...objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .filter((policy) => JSON.stringify(blocksOf(policy)) !== admitted(policy.metadata.name))
      .map(({ metadata }) => `The policy of ${metadata.name} admits other addresses than its work needs.`),
  ];
};

const mountedSecret = ({ spec }) => spec.template.spec.volumes.find(({ name }) => name === 'secrets').secret.secretName;

/** External Secrets makes each Secret once, and each pod mounts the one of its service. */
export const secretProblems = (charts, services) => {
  const objects = objectsOf(renderAll(charts, [overlay('ha', 'values.yaml')]));
  const targetOf = (service) => objects.get(`ExternalSecret/${service}`).spec.target.name;
  return services.flatMap((service) => [
    ...(services.some((other) => other !== service && targetOf(other) === targetOf(service))
      ? [`${targetOf(service)} is the target of another ExternalSecret than that of ${service}, too.`]
      : []),
    ...(mountedSecret(objects.get(`Deployment/${service}`)) === targetOf(service)
      ? []
      : [`The pod of ${service} does not mount ${targetOf(service)}.`]),
  ]);
};

/** A name that no program reads. A suite compares the names that tools mention with those of the programs. */
const MISSPELT = ['ACERVO', 'PROT'].join('_');

/** Values that must be refused, by what the message has to say. */
const REFUSED = [
  [`gateway.settings.${MISSPELT}=8080`, /gateway does not read settings\.ACERVO_/],
  ['gateway.settings.ACERVO_OCR=true', /gateway does not read settings\.ACERVO_OCR/],
  ['auth.settings.ACERVO_KEY_PEPPER=abcdefabcdefabcdef', /ACERVO_KEY_PEPPER .* Secret acervo, key key_pepper/],
  ['auth.settings.ACERVO_DATABASE_OWNER_PASSWORD=abc', /ACERVO_DATABASE_OWNER_PASSWORD is a secret/],
  ['global.shared.ACERVO_DATABASE_QUEUE_PASSWORD=abc', /ACERVO_DATABASE_QUEUE_PASSWORD is a secret/],
  ['chat.settings.ACERVO_REDIS_URL=redis://:abc@valkey', /ACERVO_REDIS_URL .* Secret acervo, key redis/],
  [`global.shared.${MISSPELT}=8080`, /shared\.ACERVO_\w+ is no setting/],
  ['auth.settings.ACERVO_INTERNAL_PORT=9081', /settings\.ACERVO_INTERNAL_PORT, or the chart decides it/],
  ['global.shared.ACERVO_INTERNAL_TLS_KEY=/tls/key', /shared\.ACERVO_INTERNAL_TLS_KEY .* the chart decides it/],
  ['global.shared.ACERVO_EVENTS=', /Set ACERVO_EVENTS/],
  ['gateway.replica=3', /[Aa]dditional property replica is not allowed|additional properties 'replica' not allowed/],
  ['gateway.image.tag=latest', /image\/tag/],
  ['global.image.tag=latest', /global\/image\/tag/],
  ['global.imag.tag=1.0.0', /additional properties 'imag' not allowed/],
  ['gateway.terminationGraceSeconds=20', /terminationGraceSeconds/],
  ['gateway.settings.ACERVO_DRAIN_SECONDS=60', /terminationGraceSeconds is shorter/],
  ['gateway.service=gatway', /There is no service "gatway"; set service to one of auth, chat, gateway/],
  ['gateway.service=', /There is no service ""; set service to one of auth/],
  ['ingestion.settings.ACERVO_WORK=egress', /settings\.ACERVO_WORK, or the chart decides it/],
  ['gateway.documents[0].name=a,gateway.documents[0].claim=b', /Only ingestion reads documents/],
];

/** Unknown and unsafe values are refused, and the message names them. */
export const refusalProblems = (charts) =>
  REFUSED.flatMap(([set, expected]) => {
    const [message] = problemOf(() => renderAll(charts, [overlay('base', 'values.yaml')], [set]));
    if (message === undefined) return [`The chart renders with ${set}.`];
    return expected.test(message) ? [] : [`The refusal of ${set} says: ${message}`];
  });
