import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unaccepted } from './oasdiff.mjs';

test('a change that nobody accepted is a problem', () => {
  assert.match(unaccepted(['GET /v1/a: x', 'GET /v1/b: y'], { 'GET /v1/a: x': 'why' }).join(), /^GET \/v1\/b: y\. Cl/);
});

test('what is accepted and is no change is a problem', () => {
  assert.match(unaccepted([], { 'GET /v1/a: x': 'why' }).join(), /accepts what is no change: GET \/v1\/a: x/);
});

test('accepted changes are no problem', () => {
  assert.deepEqual(unaccepted(['GET /v1/a: x'], { 'GET /v1/a: x': 'why' }), []);
});
