import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { featureProblems } from './feature-cycles.mjs';

/** The problems of one library with these files below `src`. */
const problemsOf = (files) => {
  const root = mkdtempSync(join(tmpdir(), 'features-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, 'libs', 'sample', 'src', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return featureProblems(root, ['libs/sample']);
  } finally {
    rmSync(root, { recursive: true });
  }
};

test('features that import in one direction pass', () => {
  const files = {
    'index.ts': "export * from './one/a';",
    'one/a.ts': "import { b } from '../two/b';\nimport '../config';\nexport const a = b;",
    'two/b.ts': 'export const b = 1;',
    'config.ts': 'export const c = 1;',
  };
  assert.deepEqual(problemsOf(files), []);
});

test('a cycle is named, also of types and over several features', () => {
  const files = {
    'one/a.ts': "import { b } from '../two/b';\nexport const a = b;",
    'two/b.ts': "export { c as b } from '../three/c';",
    'three/c.ts': "import type { a } from '../one/a';\nexport const c = 1;\nexport type A = typeof a;",
  };
  assert.deepEqual(problemsOf(files), [
    'libs/sample has features that import each other: one -> two -> three -> one (one/a.ts, two/b.ts, three/c.ts).',
  ]);
});

test('suites may import any feature', () => {
  const files = {
    'one/a.ts': "import { b } from '../two/b';\nexport const a = b;",
    'two/b.ts': 'export const b = 1;',
    'two/b.spec.ts': "import { a } from '../one/a';",
  };
  assert.deepEqual(problemsOf(files), []);
});

test('the kernel imports no feature and stays small', () => {
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`kernel/k${at}.ts`, 'export {};']));
  const files = { ...many, 'kernel/k0.ts': "import '../one/a';", 'one/a.ts': 'export {};' };
  assert.deepEqual(problemsOf(files), [
    'libs/sample has 13 files in kernel, at most 12 are allowed.',
    'libs/sample imports the feature one in kernel/k0.ts.',
  ]);
});
