// Tests of the check of class names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classNameProblems } from './class-names.mjs';

const file = (path, part, text) => ({ path, part, text });
const QUEUE = 'export class Queue {}';

test('two classes of one name in one service are refused', () => {
  const problems = classNameProblems([file('a.ts', 'auth', QUEUE), file('b.ts', 'auth', `@A()\n${QUEUE}`)]);
  assert.deepEqual(problems, ['a.ts and b.ts both export a class Queue: rename one of them.']);
});

test('a class of a shared library and one of a service are refused', () => {
  assert.equal(classNameProblems([file('a.ts', 'shared', QUEUE), file('b.ts', 'auth', QUEUE)]).length, 1);
});

test('classes of one name in two services are permitted', () => {
  assert.deepEqual(classNameProblems([file('a.ts', 'auth', QUEUE), file('b.ts', 'gateway', QUEUE)]), []);
});

test('a class that is not exported is permitted', () => {
  assert.deepEqual(classNameProblems([file('a.ts', 'auth', 'class Queue {}'), file('b.ts', 'auth', QUEUE)]), []);
});
