// The corpus and the table of the bench, without systems.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoresOf } from '../lib/scores.mjs';
import { chunksOf, corpusOf } from './corpus.mjs';
import { cells, lostTo, markdown, median } from './table.mjs';

const collection = (name, judged) => ({
  name,
  records: ['1', '2', '3'].map((id) => ({ _id: id, title: '', text: `text ${id} of ${name}` })),
  queries: [{ id: 'q', text: 'a question', judged: new Map(judged) }],
});

test('equal ids of two collections become different documents', () => {
  const { documents, queries } = corpusOf([collection('one', [['2', 1]]), collection('two', [['2', 2]])]);
  assert.equal(new Set(documents.map(({ name }) => name)).size, 6);
  assert.deepEqual([...queries.one[0].judged], [[documents[1].name, 1]]);
  assert.deepEqual([...queries.two[0].judged], [[documents[4].name, 2]]);
});

test('a trial keeps only queries with a relevant document', () => {
  const asked = [collection('one', [['1', 1]]), collection('two', [['3', 1]])];
  const { documents, queries } = corpusOf(asked, 4);
  assert.equal(documents.length, 4);
  assert.deepEqual([queries.one.length, queries.two.length], [1, 0]);
});

test('chunks contain every word once, 240 at most', () => {
  const text = Array.from({ length: 500 }, (_, index) => `w${index}`).join(' ');
  const chunks = chunksOf({ name: 'a', text });
  assert.deepEqual(
    chunks.map(({ id, text: words }) => [id, words.split(' ').length]),
    [
      ['a#0', 240],
      ['a#1', 240],
      ['a#2', 20],
    ],
  );
  assert.equal(chunks.map(({ text: words }) => words).join(' '), text);
});

test('a median ignores figures that were not measured', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, NaN, 2]), 3);
  assert.equal(median([NaN]), NaN);
  assert.equal(median([]), NaN);
});

test('nDCG@10 is 1 for the ideal order and less for another', () => {
  const judged = new Map([
    ['a', 2],
    ['b', 1],
  ]);
  assert.equal(scoresOf(['a', 'b'], judged).ndcg, 1);
  assert.ok(Math.abs(scoresOf(['b', 'a'], judged).ndcg - (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3))) < 1e-9);
  assert.equal(scoresOf([], judged).ndcg, 0);
});

test('the table shows medians, and a dash where a system has no figure', () => {
  const rounds = {
    acervo: [
      { searchCpu: 30, runsPerDocument: 17, ndcg: { med: 0.5 } },
      { searchCpu: 40, runsPerDocument: 19, ndcg: { med: 0.5 } },
    ],
    txtai: [{ searchCpu: 20, ndcg: { med: 0.6 } }],
  };
  assert.deepEqual(cells(rounds, ['med', 'cisi']), [
    ['', 'acervo', 'txtai'],
    ['engine runs a document', '18.0', '-'],
    ['search CPU ms', '35.0', '20.0'],
    ['nDCG@10 med', '0.500', '0.600'],
    ['nDCG@10 cisi', '-', '-'],
  ]);
  const lines = markdown(cells(rounds, ['med'])).split('\n');
  assert.equal(new Set(lines.map(({ length }) => length)).size, 1);
  assert.match(lines[1], /^\| -+ \| -+ \| -+ \|$/);
});

test('a peer with better rankings is named', () => {
  const ranked = (...values) => [{ ndcg: Object.fromEntries(values.map((value, index) => [index, value])) }];
  const rounds = { acervo: ranked(0.4, 0.6), txtai: ranked(0.5, 0.52), haystack: ranked(0.3, 0.3) };
  assert.deepEqual(lostTo(rounds, 0.003), ['mean nDCG@10 is 0.500, that of txtai 0.510']);
  assert.deepEqual(lostTo(rounds, 0.02), []);
});
