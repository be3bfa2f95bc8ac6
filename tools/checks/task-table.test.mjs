// Tests of the check of the task table, one statement each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskTableProblems } from './task-table.mjs';

const FILE = 'libs/ingestion/src/scans/run.store.ts';

for (const text of [
  'const a = `select from ingestion.task where group_id = $1`;',
  'const a = `with w as (select 1)\n  delete from retrieval.task`;',
  'const a = `update ${service}.task set priority = 1`;',
  'const a = `select from task t`;',
  'const a = `select from document d join task t on true`;',
  "const table = 'ingestion.task';",
])
  test(`a statement on the table is refused: ${text}`, () => {
    assert.equal(taskTableProblems(FILE, text).length, 1);
  });

for (const text of [
  'const a = work.hasOpen(selector);',
  'lease.task.priority += 1;',
  'const a = `select from ingestion.task_type`;',
  '// Rows come from task after task.',
  "const tables = ['task', 'run'];",
])
  test(`a source without such a statement passes: ${text}`, () => {
    assert.deepEqual(taskTableProblems(FILE, text), []);
  });

test('a problem names its file and line', () => {
  assert.deepEqual(taskTableProblems(FILE, '\nupdate ingestion.task'), [
    `${FILE}:2 names the table of tasks; use WorkStore or WorkSql.`,
  ]);
});

test('a migration names the table', () => {
  assert.deepEqual(taskTableProblems('libs/ingestion/src/migrations.ts', 'delete from ingestion.task'), []);
  assert.deepEqual(taskTableProblems('libs/auth/src/migrations/first.ts', 'alter table auth.task'), []);
});
