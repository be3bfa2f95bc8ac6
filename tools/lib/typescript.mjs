// Lets a tool load the TypeScript that generates the files of the tests.
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { transformSync } from '@swc/core';

const options = {
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true } },
};

/** Loads a TypeScript module, with its relative imports. */
export const requireTypeScript = (path) => {
  Module._extensions['.ts'] = (module, filename) =>
    module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
  return createRequire(import.meta.url)(path);
};
