const { default: Runtime } = require('jest-runtime');

/** Loads packages. It outlives the suites, so that a worker evaluates each package once. */
let packages;

/** The gate generates the same cases for every change; the nightly run names another seed. */
const SEED = Number(process.env.ACERVO_SEED ?? 1);

/** Whether a module is in node_modules, but no library of this workspace. */
const isPackage = (name) => /^[^./]/.test(name) && !name.startsWith('@acervo/') && name !== '@jest/globals';

/** The runtime of Jest: it loads files of this workspace for each suite, and packages once. */
module.exports = class WorkerRuntime extends Runtime {
  constructor(...parts) {
    super(...parts);
    packages ??= new Runtime(...parts);
  }

  requireModuleOrMock(from, name) {
    if (!isPackage(name)) return super.requireModuleOrMock(from, name);
    const loaded = packages.requireModuleOrMock(from, name);
    if (name === 'fast-check') loaded.configureGlobal({ ...loaded.readConfigureGlobal(), seed: SEED });
    return loaded;
  }
};
