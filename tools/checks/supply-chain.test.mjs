import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../lib/options.mjs';
import { supplyChainProblems, supplyChainProblemsIn } from './supply-chain.mjs';

const sound = { integrity: 'sha512-abc', license: 'MIT' };
const problemsOf = (packages) => supplyChainProblems({ packages });

test('the lock file of this workspace has no problem', () => {
  assert.deepEqual(supplyChainProblemsIn(root), []);
});

test('packages without a strong checksum are refused', () => {
  const found = problemsOf({
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { ...sound, integrity: 'sha1-abc' },
  });
  assert.equal(found.length, 2);
  assert.match(found[0], /no SHA-512 of node_modules\/a/);
});

test('shipped packages need an admitted licence, others do not', () => {
  assert.match(problemsOf({ 'node_modules/a': { ...sound, license: 'AGPL-3.0' } })[0], /a has the licence AGPL-3\.0/);
  assert.match(problemsOf({ 'node_modules/x/node_modules/a': { integrity: 'sha512-abc' } })[0], /^a names no licence/);
  assert.deepEqual(problemsOf({ 'node_modules/a': { ...sound, license: 'GPL-3.0', dev: true } }), []);
});

test('an expression is admitted by one of its choices', () => {
  assert.deepEqual(problemsOf({ 'node_modules/a': { ...sound, license: '(MIT OR GPL-3.0)' } }), []);
  assert.equal(problemsOf({ 'node_modules/a': { ...sound, license: '(MIT AND GPL-3.0)' } }).length, 1);
});
