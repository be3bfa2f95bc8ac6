// Tests of the rule about imports between scripts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Linter } from 'eslint';
import { exportsOf, knownImports } from './script-imports.mjs';

/** What the rule reports about a script that stands beside this one. */
const messagesOf = (script) =>
  new Linter({ cwd: import.meta.dirname })
    .verify(
      script,
      [
        {
          files: ['**/*.mjs'],
          plugins: { local: { rules: { known: knownImports } } },
          rules: { 'local/known': 'error' },
        },
      ],
      join(import.meta.dirname, 'importing.mjs'),
    )
    .map(({ message }) => message);

test('exports of each form are found', () => {
  const script = 'export const a = 1;\nexport async function b() {}\nexport class C {}\nexport { d, e as f };';
  assert.deepEqual([...exportsOf(script)], ['a', 'b', 'C', 'd', 'f']);
});
test('an import of an exported name is accepted', () => {
  assert.deepEqual(messagesOf("import { exportsOf as known } from './script-imports.mjs';\nknown('');"), []);
});
test('an import of a name that is not exported is refused', () => {
  assert.deepEqual(messagesOf("import { lost } from './script-imports.mjs';\nlost();"), [
    './script-imports.mjs exports no lost.',
  ]);
});
test('an import of a missing script is refused', () => {
  assert.deepEqual(messagesOf("import { lost } from './missing.mjs';\nlost();"), ['There is no script ./missing.mjs.']);
});
