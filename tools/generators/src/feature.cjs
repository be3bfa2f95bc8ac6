const { basename } = require('node:path');
const { PLACES, placeOf } = require('./domains.cjs');
const { addToModule, create, ensureFeature, exportContract, formatFiles, pascal } = require('./lib.cjs');

/** An empty class for methods to come. */
const provider = (name, about) => `import { Injectable } from '@nestjs/common';

/** ${about} */
@Injectable()
export class ${name} {}
`;

/** What a domain of the table needs before its first operation; files that exist stay. */
const beginDomain = (tree, { domain, library, feature, contract, handlers, store }) => {
  if (!tree.exists(contract)) {
    create(tree, contract, 'export {};');
    exportContract(tree, contract);
  }
  const { folder, module: featureModule } = ensureFeature(tree, library, feature);
  const begin = (path, about) => {
    if (tree.exists(path)) return;
    const name = pascal(basename(path, '.ts'));
    create(tree, path, provider(name, about));
    if (path.startsWith(`${folder}/`))
      addToModule(tree, featureModule, 'providers', name, `./${basename(path, '.ts')}`);
  };
  begin(handlers, `Describe in one sentence which calls of ${domain} it answers.`);
  if (store !== null) begin(store, 'Name the table whose SQL it has.');
};

/**
 * A feature module of a service: `npx nx g @acervo/tools:feature shelves --service=auth`. A domain of the table also gets
 * its contract, handlers and store: `npx nx g @acervo/tools:feature spaces`.
 */
module.exports = async (tree, { name, service }) => {
  if (name in PLACES) beginDomain(tree, placeOf(name));
  else if (service === undefined) throw new Error(`${name} is no domain of domains.cjs; add a row, or --service.`);
  else ensureFeature(tree, service, name);
  await formatFiles(tree);
};
