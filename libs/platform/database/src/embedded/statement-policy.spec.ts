import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESCAPES } from '../../test/escapes';
import { codeOf, listenOf, refusalOf } from './statement-policy';

describe('the code of a statement', () => {
  it.each([
    ["select 'set role x' as a", 'select   as a'],
    ['select 1 -- set role x\n+ 1', 'select 1  \n+ 1'],
    ['select /* reset role */ 1', 'select   1'],
    ['select "role" from t', 'select   from t'],
    ['select $$set role$$, $tag$role$tag$', 'select  ,  '],
    ["select 'it''s', 2", 'select   , 2'],
    ["select E'\\'', 2", 'select  , 2'],
  ])('quotes and comments are removed from %s', (sql, code) => {
    expect(codeOf(sql)).toBe(code);
  });
  it('a literal of many megabytes is read', () => {
    expect(codeOf(`select '${'a'.repeat(8_000_000)}', 2`)).toBe('select  , 2');
  });
});

describe('the policy', () => {
  it.each(ESCAPES)('a connection that leaves its role by %s is refused', (sql) => {
    expect(refusalOf(sql)).toMatch(/database role|SET, RESET|set_config|comments/);
  });
  it.each([
    'set enable_seqscan = off',
    'set session enable_seqscan = off',
    'set search_path = auth',
    'begin; set statement_timeout = 5; commit',
    'reset all',
    'reset search_path',
    'discard all',
    'discard plans',
    'deallocate all',
    'DEALLOCATE PREPARE ALL',
    'set time zone 5',
    'do $$ begin set enable_seqscan = off; end $$',
    "select set_config('app.group_id', $1, false)",
    "select set_config('app.group_id', $1, $2)",
    "select set_config('app.group_id', '', true), set_config('app.group_id', '', false)",
    'listen a; listen b',
    'select 1; unlisten *',
  ])('%s is refused because it would outlive the transaction', (sql) => {
    expect(refusalOf(sql)).toMatch(/SET, RESET|set_config|LISTEN/);
  });
  it.each([
    'select 1',
    'set local enable_seqscan = off',
    "SET LOCAL search_path TO 'bullmq'",
    "set local hnsw.iterative_scan = 'relaxed_order'",
    "begin read only; select set_config('app.group_id', '7f1e', true); set local enable_sort = 'off';",
    "select set_config('app.group_id', $1, true)",
    "select set_config ( 'app.group_id' , $1 , true )",
    "select set_config('application_name', $1, false)",
    "set application_name = 'psql'",
    'set transaction isolation level serializable',
    'set constraints all deferred',
    'update t set a = 1; delete from t',
    "update t set a = 'set role x' where b = $1",
    'insert into t values (1) on conflict (a) do update set b = 2',
    'alter table t alter column c set not null',
    'select user_role, roles, role_id from auth.user_role',
    'select 1 -- the role of this query',
    "select 'their role' as a",
    'create function f() returns int language plpgsql set search_path = auth as $$ begin update t set a = 1; return 1; end $$',
    'listen "jobs:1"',
    'unlisten *;',
    'deallocate one',
  ])('%s passes', (sql) => {
    expect(refusalOf(sql)).toBeUndefined();
  });
  it('the reason of a refusal does not contain the statement', () => {
    expect(refusalOf("set role 'secret-name'")).not.toContain('secret');
  });
});

describe('a LISTEN', () => {
  it.each([
    ['listen jobs', { on: true, channel: 'jobs' }],
    ['LISTEN Jobs;', { on: true, channel: 'jobs' }],
    ['listen "bullmq:Jobs"', { on: true, channel: 'bullmq:Jobs' }],
    ['listen "a""b"', { on: true, channel: 'a"b' }],
    ['/* for the queue */ LISTEN jobs', { on: true, channel: 'jobs' }],
    ['-- first\nunlisten "jobs"', { on: false, channel: 'jobs' }],
    ['UNLISTEN *', { on: false, channel: '*' }],
  ])('a LISTEN is read from %s', (sql, expected) => {
    expect(listenOf(sql)).toEqual(expected);
  });
  it.each(['select 1', "notify jobs, 'x'", "select 'listen jobs'", '-- listen jobs'])(
    'no LISTEN is read from %s',
    (sql) => {
      expect(listenOf(sql)).toBeUndefined();
    },
  );
});

describe('the texts of the queue library', () => {
  const folder = join(__dirname, '../../../../../node_modules/bullmq/dist/cjs/postgres');
  it('the statements of the queue library pass, migrations included', () => {
    const scripts = jest.requireActual<Record<'SQL_COMMANDS' | 'SQL_MIGRATIONS', Record<string, string>>>(
      join(folder, 'sql-scripts.js'),
    );
    const texts = [...Object.entries(scripts.SQL_COMMANDS), ...Object.entries(scripts.SQL_MIGRATIONS)];
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter(([, sql]) => refusalOf(sql) !== undefined).map(([name]) => name)).toEqual([]);
  });
  it('the statements of the queue library pass when sent manually', () => {
    const sent = readFileSync(join(folder, 'postgres-connection.js'), 'utf8').match(/query\(`[^`]+`/g) ?? [];
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter((text) => refusalOf(text.slice(7, -1)) !== undefined)).toEqual([]);
  });
});
