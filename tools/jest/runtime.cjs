const { default: Runtime } = require('jest-runtime');

/** Loads packages. It outlives the suites, so that a worker evaluates each package once. */
let packages;

/** Whether a module is in node_modules, but no library of this workspace. */
const isPackage = (name) => /^[^./]/.test(name) && !name.startsWith('@acervo/') && name !== '@jest/globals';

/** The runtime of Jest: it loads files of this workspace for each suite, and packages once. */
module.exports = class WorkerRuntime extends Runtime {
  constructor(...parts) {
    super(...parts);
    packages ??= new Runtime(...parts);
  }

  requireModuleOrMock(from, name) {
    return isPackage(name) ? packages.requireModuleOrMock(from, name) : super.requireModuleOrMock(from, name);
  }
};
