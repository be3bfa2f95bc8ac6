// Tests of the check of regular expressions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expressionProblems, slowInputOf } from './regular-expressions.mjs';

const slow = [
  [/^(a+)+$/, 'a repeated part in a repeated part'],
  [/^(?:\w|\d)*$/, 'alternatives that accept the same'],
  [/^\s*(.*)\s*x$/, 'two neighbours that accept the same'],
  [/\s+$/, 'an end that is sought from every character'],
  [/<!--[^]*?-->/, 'a beginning that is repeated without its end'],
  [/^(?:é|\p{L})+$/u, 'a property of Unicode that accepts a written letter'],
];
for (const [expression, title] of slow)
  test(`${title} is slow`, () => {
    assert.ok((slowInputOf(expression)?.ms ?? 0) > 50);
  });

const linear = [/^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4}$/, /(?<!\s)\s+$/, /"(?:[^"\\]|\\.)*"/s, /[\p{L}\p{N}]+/gu, /abc/];
for (const expression of linear)
  test(`${expression} is not slow`, () => {
    assert.equal(slowInputOf(expression), undefined);
  });

test('a planted expression is found with its place and its input', () => {
  const text = "const name = /^[a-z]+$/;\nconst list = /^(?:[a-z]+,?)+$/.exec('a,b');\n";
  const [problem, ...others] = expressionProblems('libs/planted/src/list.ts', text);
  assert.match(problem, /^libs\/planted\/src\/list\.ts:2 has \/.* ms for \d+ characters: /);
  assert.deepEqual(others, []);
});
test('an expression made from a constant text is measured', () => {
  assert.match(expressionProblems('a.ts', "new RegExp('^(a+)+$', 'i')")[0], /^a\.ts:1 has \/\^\(a\+\)\+\$\/i/);
});
test('an expression built from values is refused', () => {
  assert.match(
    expressionProblems('a.ts', 'RegExp(`^${name}$`)')[0],
    /^a\.ts:1 builds a regular expression from values/,
  );
});
