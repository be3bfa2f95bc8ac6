// Shared functions of the generators: names, owners, modules, and edits of existing files.
const { formatFiles, names } = require('@nx/devkit');

/** The service that owns a domain, by the first part of its codes. */
const ownerOf = {
  ...Object.fromEntries(
    ['users', 'roles', 'functions', 'entities', 'areas', 'parameters', 'groups', 'organization', 'api_keys'].map(
      (name) => [name, 'auth'],
    ),
  ),
  ...Object.fromEntries(
    [
      'documents',
      'locations',
      'ingestion_runs',
      'ingestion_queue',
      'document_types',
      'feature_categories',
      'skills',
    ].map((name) => [name, 'ingestion']),
  ),
  ...Object.fromEntries(['spaces', 'search'].map((name) => [name, 'retrieval'])),
  ...Object.fromEntries(['operations', 'audit', 'processes', 'plans'].map((name) => [name, 'operations'])),
};

const SERVICES = ['auth', 'ingestion', 'retrieval', 'operations'];

/** @throws if the service is not given and the domain is unknown */
const serviceFor = (domain, named) => {
  const service = named ?? ownerOf[domain];
  if (!SERVICES.includes(service))
    throw new Error(`No service owns ${domain}; add --service with one of ${SERVICES.join(', ')}.`);
  return service;
};

const kebab = (text) => names(text.replaceAll('_', '-').replaceAll('.', '-')).fileName;
const pascal = (text) => names(kebab(text)).className;
const camel = (text) => names(kebab(text)).propertyName;

/** Writes a file. @throws if it exists: a generator never overwrites */
const create = (tree, path, text) => {
  if (tree.exists(path)) throw new Error(`${path} exists already; choose another name or change the file by hand.`);
  tree.write(path, `${text.trim()}\n`);
};

/** Adds a line to a file unless the file contains it. */
const addLine = (tree, path, line) => {
  const text = tree.exists(path) ? tree.read(path, 'utf8') : '';
  if (!text.split('\n').includes(line)) tree.write(path, `${text}${line}\n`);
};

/** Adds an import after the last one. */
const addImport = (text, line) => {
  if (text.includes(line)) return text;
  const at = [...text.matchAll(/^import [^;]*;$/gms)].at(-1);
  const end = at === undefined ? 0 : at.index + at[0].length + 1;
  return `${text.slice(0, end)}${line}\n${text.slice(end)}`;
};

/** Adds a class to a list of a `@Module`, and creates the list if it is missing. */
const addToModule = (tree, path, list, name, from) => {
  const text = addImport(tree.read(path, 'utf8'), `import { ${name} } from '${from}';`);
  const opening = new RegExp(`(${list}: \\[)`);
  const changed = opening.test(text)
    ? text.replace(opening, `$1${name}, `)
    : text.replace(/@Module\(\{/, `@Module({ ${list}: [${name}],`);
  tree.write(path, changed);
};

/** The module of a feature. The module of the service imports a new one. */
const ensureFeature = (tree, service, feature, about = 'Describe in one sentence what this feature does.') => {
  const folder = `libs/${service}/src/${kebab(feature)}`;
  const [file, name] = [`${kebab(feature)}.module`, `${pascal(feature)}Module`];
  if (tree.exists(`${folder}/${file}.ts`)) return { folder, module: `${folder}/${file}.ts` };
  create(
    tree,
    `${folder}/${file}.ts`,
    `import { Module } from '@nestjs/common';

/** ${about} */
@Module({})
export class ${name} {}
`,
  );
  addToModule(tree, `libs/${service}/src/${service}.module.ts`, 'imports', name, `./${kebab(feature)}/${file}`);
  return { folder, module: `${folder}/${file}.ts` };
};

/** Adds an export to the index of a folder of contracts; a new index is created and exported, too. */
const exportContract = (tree, domain, file) => {
  const index = `libs/contracts/src/${domain}/index.ts`;
  if (!tree.exists(index)) addLine(tree, 'libs/contracts/src/index.ts', `export * from './${domain}';`);
  addLine(tree, index, `export * from './${file}';`);
};

module.exports = { addToModule, camel, create, ensureFeature, exportContract, formatFiles, kebab, pascal, serviceFor };
