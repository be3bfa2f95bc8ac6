import { effectOf } from './statement-effect';

describe('the effect of a text', () => {
  it.each([
    'select 1',
    'select id from chat.note where group_id = $1 and text = any($2::text[]) order by id limit 5',
    'insert into chat.note (group_id, id) values ($1, $2) on conflict (group_id, id) do update set id = excluded.id',
    'with gone as (delete from chat.note where id = $1 returning *) insert into chat.other (id) select id from gone',
    'select t.a from unnest($1::int[], $2::text[]) as t (a, b)',
    'select t.a from unnest($1::int[]) with ordinality t (a, n)',
    "select pg_notify('channel', '') from (select count(*) from chat.note) done",
    "begin read only; select set_config('app.group_id', '7f1e', true); set local enable_sort = 'off';",
    "select set_config('app.group_id', $1, true)",
    'set transaction isolation level repeatable read',
    'commit',
    'update "order" set a = 1',
    "select 'query_to_xml(''select 1'')' as text -- ts_stat('x')",
    'select pg_catalog.lower(name) from chat.note',
    'values (1), (2)',
    '(select 1) union all (select 2)',
    "select c.id from retrieval.chunk_1 c order by c.terms <@> to_bm25query($1::text, 'retrieval.bm25_1') limit 5",
  ])('%s leaves nothing behind', (sql) => {
    expect(effectOf(sql)).toBe('plain');
  });
  it.each([
    "select query_to_xml('select 1', true, true, '')",
    'select word from ts_stat($1)',
    "select pg_catalog.ts_rewrite('a'::tsquery, $1)",
    'select add_job($1, $2)',
    'select chat.lower(name) from chat.note',
    'select chat . lower (name) from chat.note',
    'select "lower"(name) from chat.note',
    'select U&"l\\006fwer" (\'A\')',
    'select pg_try_advisory_lock(1)',
    "select set_config('application_name', $1, false)",
    "select set_config('search_path', 'auth', true)",
    "select ' set_config(', 'app.x', ts_stat('select 1') , '$1, true)'",
    'set local search_path = auth',
    "set application_name = 'psql'",
    'update u&"pg_setting\\0073" set setting = $1 where name = $2',
    "merge into pg_settings s using (select 1) one on true when matched then update set setting = 'x'",
    'vacuum (analyze) chat.note',
    'analyze chat.note',
    'select a operator(chat.=) b from chat.note',
    "select 'a' 'b', /* lower( */ fold (name) from chat.note",
  ])('%s may leave settings behind', (sql) => {
    expect(effectOf(sql)).toBe('calls');
  });
  it.each([
    'do $$ begin perform 1; end $$',
    'create temporary table note (id int)',
    'create function pg_temp.f() returns int language sql as $$ select 1 $$',
    'create trigger t before insert on note execute function f()',
    'select 1 into temporary note',
    'with a as (select 1) select * into note from a',
    'prepare one as select 1',
    'execute one',
    'call work()',
    'explain analyze select 1',
    'declare c cursor with hold for select 1',
    'copy chat.note from stdin',
    'select 1; alter table chat.note add column a int',
    'begin; do $$ begin end $$; commit',
    `select ${'1 + '.repeat(10_000)} 1`,
  ])('%s may define code', (sql) => {
    expect(effectOf(sql)).toBe('defines');
  });
});
