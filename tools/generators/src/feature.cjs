const { ensureFeature, formatFiles } = require('./lib.cjs');

/** A feature module of a service: `npx nx g @acervo/tools:feature spaces --service retrieval`. */
module.exports = async (tree, { name, service }) => {
  ensureFeature(tree, service, name);
  await formatFiles(tree);
};
