// Compares rendered manifests with the schemas of Kubernetes, of the oldest version that the charts support and of the newest.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once, wheel } from '../stack/download.mjs';
import { cache } from '../stack/place.mjs';
import { KUBERNETES, OVERLAYS, overlay } from './charts.mjs';

const SCHEMAS = { name: 'kubernetes-validate', version: '1.37.0' };
const DIGESTS = { 'none-any': '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9' };
const VERSIONS = [KUBERNETES, '1.37.0'];
const FOLDER = `kubernetes-schemas-${SCHEMAS.version}`;
const DEFINITIONS = '_definitions.json';

/** References of the schemas lead to a web address; here they lead to the file beside. */
const local = (value, isDefinitions) => {
  if (Array.isArray(value)) return value.map((each) => local(each, isDefinitions));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => !(key === '$id' && typeof each === 'string'));
  return Object.fromEntries(
    entries.map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string'
        ? each.replace(`/api/${DEFINITIONS}`, isDefinitions ? '' : DEFINITIONS)
        : local(each, isDefinitions),
    ]),
  );
};

const unpack = (from, to) => {
  for (const version of VERSIONS) {
    const [source, target] = [join(from, `v${version}-local-strict`), join(to, `v${version}-standalone-strict`)];
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(source)) {
      const schema = JSON.parse(readFileSync(join(source, name), 'utf8'));
      writeFileSync(join(target, name), JSON.stringify(local(schema, name === DEFINITIONS)));
    }
  }
};

/** The folder of the schemas; undefined where they were never fetched. */
export const cachedSchemas = () => (existsSync(join(cache(), FOLDER)) ? join(cache(), FOLDER) : undefined);

export const fetchSchemas = (print) =>
  once(FOLDER, print, async (folder) => {
    const files = await wheel(SCHEMAS.name, SCHEMAS.version, DIGESTS, print);
    unpack(join(files, 'kubernetes_validate', 'kubernetes-json-schema'), folder);
  });

const PLACE =
  '{{ .NormalizedKubernetesVersion }}-standalone{{ .StrictSuffix }}/{{ .ResourceKind }}{{ .KindSuffix }}.json';

/**
 * What the schemas refuse of some manifests, as lines. Schemas of custom resources come from their operators: these are
 * left out.
 * @throws where kubeconform cannot judge
 */
const refusals = (kubeconform, schemas, version, input) => {
  const args = ['-strict', '-ignore-missing-schemas', '-summary', '-output', 'json', '-kubernetes-version', version];
  const { stdout, stderr } = spawnSync(kubeconform, [...args, '-schema-location', join(schemas, PLACE)], {
    input,
    encoding: 'utf8',
  });
  const { resources, summary } = JSON.parse(
    stdout || `{"resources":[],"summary":{"errors":${JSON.stringify(stderr)}}}`,
  );
  if (summary.errors !== 0) throw new Error(`kubeconform: ${stderr || stdout}`);
  if (summary.valid + summary.invalid === 0) throw new Error(`kubeconform has no schemas for Kubernetes ${version}.`);
  return resources.map(({ kind, name, msg }) => `${kind}/${name}: ${msg}`);
};

/** What a manifest may wrongly say: the schemas have to refuse each. */
const FAULTS = [
  ['readOnlyRootFilesystem:', 'readonlyRootFilesystem:'],
  ['containerPort: 8080', 'containerPort: "8080"'],
  ['maxUnavailable: 0', 'maxUnavailable: [0]'],
  ['enableServiceLinks: false', 'enableServiceLinks: "no"'],
  ['kind: NetworkPolicy', 'kind: NetworkPolicy\nspecs: {}'],
];

/** The manifest of one object for each fault, with the fault. */
const faulty = (manifests) =>
  FAULTS.map(([right, wrong]) => {
    const found = manifests.split(/^---$/m).find((each) => each.includes(right));
    if (found === undefined) throw new Error(`No manifest has ${right}: plant another fault.`);
    return found.replace(right, wrong);
  });

export const manifestProblems = (kubeconform, schemas) => {
  const rendered = OVERLAYS.map((name) => readFileSync(overlay(name, 'acervo.yaml'), 'utf8'));
  const all = rendered.join('\n---\n');
  const planted = refusals(kubeconform, schemas, KUBERNETES, faulty(rendered[0]).join('\n---\n'));
  return [
    ...VERSIONS.flatMap((version) =>
      refusals(kubeconform, schemas, version, all).map((each) => `deploy/kustomize, Kubernetes ${version}: ${each}`),
    ),
    ...(planted.length === FAULTS.length
      ? []
      : [`kubeconform finds ${planted.length} of ${FAULTS.length} planted faults.`]),
  ];
};
