import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/options.mjs';
import { documentedMetrics, expressionProblems } from './expressions.mjs';

const metrics = documentedMetrics(readFileSync(join(root, 'docs', 'metrics.md'), 'utf8'));
const problemsOf = (expr) => expressionProblems(metrics, expr);

test('the metrics of the documentation are read', () => {
  assert.ok(metrics.size > 60);
});

test('an unknown metric is found', () => {
  assert.deepEqual(problemsOf('rate(acervo_event_total[5m])'), ['acervo_event_total is no metric of docs/metrics.md']);
});

test('an unknown label is found, in braces and in groups', () => {
  assert.deepEqual(problemsOf('acervo_ready{engine="kafka"}'), ['acervo_ready has no label engine']);
  assert.deepEqual(problemsOf('max by (service, engine) (acervo_ready)'), ['no series of it has the label engine']);
});

test('a histogram is asked by its bucket, sum or count', () => {
  assert.equal(problemsOf('acervo_leg_seconds{leg="lexical"}').length, 1);
  assert.deepEqual(problemsOf('sum by (le, leg) (rate(acervo_leg_seconds_bucket{le="1"}[5m]))'), []);
});
