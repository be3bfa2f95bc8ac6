// Shared functions of the generators: names, modules, and edits of existing files.
const { basename, dirname } = require('node:path');
const { formatFiles, names } = require('@nx/devkit');
const { withImports } = require('./source.cjs');

const kebab = (text) => names(text.replaceAll('_', '-').replaceAll('.', '-')).fileName;
const pascal = (text) => names(kebab(text)).className;
const camel = (text) => names(kebab(text)).propertyName;
/** The constant of a stage. */
const constantOf = (name) => kebab(name).replaceAll('-', '_').toUpperCase();

/** The beginning of a spec that opens the test bed of its service, with these names from the bed's package. */
const bedOf = (...imported) => `import { ${imported.join(', ')}, type ServiceTestBed } from '@acervo/platform-test-bed';
import { openBed } from '../../test/bed';

let bed: ServiceTestBed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed.close());
`;

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

/** The text with more of it behind an anchor, or before it. @throws where the file has no such anchor */
const inserted = (path, text, anchor, more, where = 'behind') => {
  const at = text.indexOf(anchor);
  if (at === -1) throw new Error(`${path} has no place for ${more.trim()}: it lacks ${anchor.trim()}.`);
  const place = where === 'before' ? at : at + anchor.length;
  return `${text.slice(0, place)}${more}${text.slice(place)}`;
};

/** @throws where the workspace has no library of that service */
const assertService = (tree, service) => {
  const services = tree
    .children('libs')
    .filter((name) => tree.exists(`libs/${name}/src/${name}.service-definition.ts`));
  if (!services.includes(service)) throw new Error(`There is no service ${service}; there are ${services.join(', ')}.`);
};

/** Adds a class to a list of a `@Module`, and creates the list if it is missing. */
const addToModule = (tree, path, list, name, from) => {
  const text = withImports(tree.read(path, 'utf8'), from, [name]);
  const opening = new RegExp(`(${list}: \\[)`);
  const changed = opening.test(text)
    ? text.replace(opening, `$1${name}, `)
    : text.replace(/@Module\(\{/, `@Module({ ${list}: [${name}],`);
  tree.write(path, changed);
};

/** The module of a feature. The module of the service imports a new one. */
const ensureFeature = (tree, service, feature, about = 'Describe in one sentence what this feature does.') => {
  assertService(tree, service);
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

/** Exports a new file of contracts from the index of its folder; a new index is created and exported, too. */
const exportContract = (tree, path) => {
  const folder = dirname(path);
  const index = `${folder}/index.ts`;
  if (!tree.exists(index)) addLine(tree, 'libs/contracts/src/index.ts', `export * from './${basename(folder)}';`);
  addLine(tree, index, `export * from './${basename(path, '.ts')}';`);
};

module.exports = {
  ...{ addToModule, assertService, bedOf, camel, constantOf, create, ensureFeature, exportContract, formatFiles },
  ...{ inserted, kebab, pascal },
};
