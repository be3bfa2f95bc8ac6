// The figures of the bench and what it loads, without engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../lib/options.mjs';
import { figures } from '../lib/figures.mjs';
import { numbers } from '../texts.mjs';
import { ratio } from './growth.mjs';
import { sizesFrom } from './sizes.mjs';
import { documentOf, unitVector } from './synthetic.mjs';

test('sizes are increasing whole numbers', () => {
  assert.deepEqual(sizesFrom('10000,50000'), [10_000, 50_000]);
  for (const wrong of ['', 'many', '0', '1.5', '20,10', '10,10', '10,'])
    assert.throws(() => sizesFrom(wrong), UsageError, wrong);
});

test('p50 and p95 are independent of the order of the times', () => {
  const times = Array.from({ length: 100 }, (_, index) => (index * 37) % 100);
  assert.deepEqual(figures(times), { p50: 50, p95: 95, most: 99, n: 100 });
});

test('a search and its parts are compared at the same percentile', () => {
  const times = { search: figures([10, 20, 30]), parts: figures([5, 10, 60]) };
  assert.equal(ratio(times, 'p50'), 2);
  assert.equal(ratio(times, 'p95'), 0.5);
});

test('unit vectors are closest to vectors of their topic', () => {
  const next = numbers(5);
  const [one, same, other] = [1, 1, 2].map((topic) => unitVector(topic, next, 384));
  const cosine = (a, b) => a.reduce((sum, each, index) => sum + each * b[index], 0);
  for (const vector of [one, same, other]) assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5);
  assert.ok(cosine(one, same) > cosine(one, other) + 0.3);
});

test('a document is equal in every run, with one vector per chunk', () => {
  const [document, again, another] = [3, 3, 4].map((number) => documentOf(number, 8));
  assert.deepEqual(document, again);
  assert.notDeepEqual(document.vectors, another.vectors);
  assert.equal(document.vectors.length, document.chunks.length * 8 * 4);
  for (const { start, end, text } of document.chunks) assert.equal(end - start, text.length);
});
