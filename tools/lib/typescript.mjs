// Lets a tool use the TypeScript that makes the files of the tests.
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { transformSync } from '@swc/core';

const options = {
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true } },
};

/** A module of TypeScript, with those that it imports by their paths. */
export const requireTypeScript = (path) => {
  Module._extensions['.ts'] = (module, filename) =>
    module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
  return createRequire(import.meta.url)(path);
};
