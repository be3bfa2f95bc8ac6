import { checkedView, readView } from './view-statement';
import { templateView } from './view-template';
import { type Refusal, ViewRefused } from './view.errors';

/** What a text is refused for; `accepted` where it is not. */
const outcomeOf = async (text: string): Promise<Refusal | 'accepted'> => {
  try {
    await readView(text);
    return 'accepted';
  } catch (error) {
    if (error instanceof ViewRefused) return error.refusal;
    throw error;
  }
};

const FROM = 'from auth.published_function f';
const of = (target: string): string => `select ${target} as x ${FROM}`;
const where = (condition: string): string => `select f.code ${FROM} where ${condition}`;

const hostile: readonly (readonly [Refusal, string])[] = [
  // More than one statement, or none.
  ['STATEMENT', `${of('f.code')}; drop table auth.app_user`],
  ['STATEMENT', `${of('f.code')}; ${of('f.name')}`],
  ['STATEMENT', `${of('f.code')} /* ; */ ; /**/ delete from auth.password`],
  ['STATEMENT', `-- ${of('f.code')}`],
  ['STATEMENT', ';'],
  ['SYNTAX', `${of('f.code')} -- \n drop table auth.app_user`],
  ['SYNTAX', ''],
  ['SYNTAX', 'not a statement'],
  ['SYNTAX', `${of("'")}`],
  ['TEXT', `${of('f.code')}\0; drop table auth.app_user`],
  ['TEXT', `${of('f.code')}\u202E`],
  // Statements that are no SELECT.
  ['NODE', `do $$ begin perform pg_sleep(60); end $$`],
  ['NODE', `copy auth.password to 'x.csv'`],
  ['NODE', `copy (select 1) to program 'id'`],
  ['NODE', `insert into auth.installation values (1)`],
  ['NODE', `update auth.app_user set email = 'x'`],
  ['NODE', `delete from auth.api_key`],
  ['NODE', `truncate auth.session`],
  ['NODE', `create table x (id int)`],
  ['NODE', `create function x() returns int language sql as 'select 1'`],
  ['NODE', `set role postgres`],
  ['NODE', `set app.group_id = ''`],
  ['NODE', `begin`],
  ['NODE', `call auth.x()`],
  ['NODE', `explain analyze ${of('f.code')}`],
  ['NODE', `prepare x as select 1`],
  ['NODE', `listen x`],
  ['NODE', `load 'x'`],
  ['NODE', `declare c cursor for select 1`],
  ['NODE', `merge into auth.app_user u using auth.entity e on true when matched then delete`],
  ['NODE', `refresh materialized view x`],
  ['NODE', `vacuum`],
  // Clauses that write, lock, or read more than one SELECT.
  ['FIELD', `select f.code into x ${FROM}`],
  ['FIELD', `select f.code ${FROM} for update`],
  ['FIELD', `select f.code ${FROM} for share nowait`],
  ['FIELD', `with d as (delete from auth.api_key returning key_id) select f.code ${FROM}`],
  ['FIELD', `with recursive r as (select 1 union all select 1 from r) select f.code ${FROM}`],
  ['FIELD', `${of('f.code')} union select hash from auth.password`],
  ['FIELD', `values (1), (2)`],
  ['NODE', `table auth.published_function`],
  ['FIELD', `select distinct f.code ${FROM}`],
  ['FIELD', `select f.code ${FROM} offset 5`],
  ['FIELD', `select f.code ${FROM} window w as (order by f.code)`],
  ['VALUE', `select f.code ${FROM} order by f.code fetch first 1 row with ties`],
  ['FIELD', `select 1`],
  ['NODE', `select (select hash from auth.password limit 1) as x ${FROM}`],
  ['NODE', where('exists (select from auth.password)')],
  ['NODE', where('f.code in (select email from auth.app_user)')],
  ['VALUE', where('f.code = any (array(select email from auth.app_user))')],
  ['NODE', `select s.code from (select code from auth.published_function) s`],
  ['NODE', `select s.code from lateral (select 1 as code) s`],
  ['NODE', `select s.code from generate_series(1, 1000000000) s(code)`],
  ['NODE', `select s.code from pg_ls_dir('/') s(code)`],
  ['NODE', `select f.code from auth.published_function f tablesample system (1)`],
  ['NODE', `select s.x from xmltable('/a' passing '<a/>' columns x text) s`],
  ['SIZE', `select f.code from auth.published_function f, auth.published_entity e`],
  ['FIELD', `select f.code from auth.published_function f cross join auth.published_entity e`],
  ['FIELD', `select f.code from auth.published_function f natural join auth.published_entity e`],
  ['FIELD', `select f.code from auth.published_function f join auth.published_entity e using (code)`],
  ['VALUE', `select f.code from auth.published_function f full join auth.published_entity e on e.code = f.code`],
  // Relations and names.
  ['RELATION', `select f.hash from auth.password f`],
  ['RELATION', `select f.secret_hash from auth.api_key f`],
  ['RELATION', `select f.rolname from pg_catalog.pg_authid f`],
  ['RELATION', `select f.table_name from information_schema.tables f`],
  ['RELATION', `select f.code from ingestion.published_function f`],
  ['RELATION', `select f.code from public.published_function f`],
  ['RELATION', `select f.code from auth.constructor f`],
  ['FIELD', `select f.code from published_function f`],
  ['FIELD', `select published_function.code from auth.published_function`],
  ['FIELD', `select f.code from other.auth.published_function f`],
  ['FIELD', `select f.code from only auth.published_function f`],
  ['NAME', `select f.code from auth."Published_function" f`],
  ['NAME', `select f.code from "Auth".published_function f`],
  ['RELATION', `select f.hash from U&"auth"."password" f`],
  ['RELATION', `select f.hash from auth.U&"\\0070assword" f`],
  ['RELATION', `select f.hash from auth.U&"!0070assword" uescape '!' f`],
  ['NAME', `select f.code from auth.published_function f join auth.published_entity f on f.code = f.code`],
  ['NAME', `select f.code as "x; drop table y" ${FROM}`],
  ['NAME', `select "F".code from auth.published_function "F"`],
  ['NAME', `select f.code, f.code ${FROM}`],
  ['NAME', `select count(*) ${FROM}`],
  ['NODE', `select * ${FROM}`],
  ['COLUMN', `select f as x ${FROM}`],
  ['COLUMN', `select code ${FROM}`],
  ['NODE', `select f.* ${FROM}`],
  ['COLUMN', of('f.ctid')],
  ['COLUMN', of('f.tableoid')],
  ['COLUMN', of('g.code')],
  ['SIZE', of('auth.published_function.code')],
  ['NODE', of('(f).code')],
  ['NAME', `select f.a from auth.published_function f(a)`],
  // Functions, operators, values.
  ['FUNCTION', of('pg_sleep(60)')],
  ['FUNCTION', of(`pg_read_file('/etc/passwd')`)],
  ['FUNCTION', of(`pg_terminate_backend(1)`)],
  ['FUNCTION', of(`U&"\\0070g_sleep"(60)`)],
  ['FUNCTION', of(`"pg_sleep"(60)`)],
  ['FUNCTION', of(`set_config('app.group_id', '', false)`)],
  ['FUNCTION', of(`current_setting('app.group_id')`)],
  ['FUNCTION', of(`lo_import('/etc/passwd')`)],
  ['FUNCTION', of(`lo_get(1)`)],
  ['FUNCTION', of(`dblink('', 'select 1')`)],
  ['FUNCTION', of(`query_to_xml('select 1', true, true)`)],
  ['FUNCTION', of(`nextval('auth.global_role_number')`)],
  ['FUNCTION', of(`repeat('x', 1000000000)`)],
  ['FUNCTION', of(`has_table_privilege('auth.password', 'select')`)],
  ['FUNCTION', of(`generate_series(1, 1000000000)`)],
  ['FUNCTION', of(`unnest(f.code)`)],
  ['SIZE', of(`pg_catalog.count(f.code)`)],
  ['SIZE', of(`auth.lower(f.code)`)],
  ['FIELD', of(`count(f.code) over ()`)],
  ['FIELD', of(`count(f.code) filter (where true)`)],
  ['FIELD', of(`count(variadic f.code)`)],
  ['NODE', of(`'auth.password'::regclass`)],
  ['NODE', of(`regclass 'auth.password'`)],
  ['NODE', of(`cast('auth.password' as regclass)`)],
  ['NODE', of(`f.code collate "C"`)],
  ['NODE', of('current_user')],
  ['NODE', of('array[f.code]')],
  ['NODE', of('row(f.code, f.name)')],
  ['NODE', of('$1')],
  ['NODE', of('f.code[1]')],
  ['NODE', of(`case when true then 1 end`)],
  ['NODE', of('greatest(f.code, f.name)')],
  ['NODE', of('xmlelement(name a)')],
  ['NODE', of(`json_object('a': f.code)`)],
  ['NODE', `select f.code ${FROM} group by rollup (f.code)`],
  ['OPERATOR', where(`f.code ~ '(a+)+$'`)],
  ['OPERATOR', where(`f.code ~* 'a'`)],
  ['OPERATOR', where(`1 / 0 = 1`)],
  ['SIZE', where(`f.code operator(pg_catalog.=) 'a'`)],
  ['VALUE', where(`f.code similar to 'a'`)],
  ['VALUE', where(`nullif(f.code, 'a') is null`)],
  ['VALUE', where(`f.code is distinct from 'a'`)],
  ['FIELD', where('f.code = null')],
  ['FIELD', where('f.position > 1.5')],
  ['VALUE', where(`f.code = E'\\x01'`)],
  ['VALUE', where(`f.code = '${'x'.repeat(501)}'`)],
  ['FIELD', where(`f.code = b'01'`)],
  ['SIZE', where(`f.code like 'a' escape 'b'`)],
  ['VALUE', `select f.code ${FROM} limit 10001`],
  ['NODE', `select f.code ${FROM} limit length('x')`],
  ['FIELD', `select f.code ${FROM} limit all`],
  ['VALUE', `select f.code ${FROM} order by f.code using >`],
  // Size and depth.
  ['TEXT', where(`f.code in (${Array.from({ length: 2_000 }, () => '1').join(', ')})`)],
  ['SIZE', where(`f.position in (${Array.from({ length: 101 }, () => '1').join(', ')})`)],
  ['SIZE', where(Array.from({ length: 101 }, () => `f.position = 1`).join(' or '))],
  ['SIZE', `select ${Array.from({ length: 51 }, (_, at) => `f.code as c${at}`).join(', ')} ${FROM}`],
  ['DEPTH', where(`${'not '.repeat(900)}true`)],
  ['DEPTH', of(`${'lower('.repeat(40)}f.code${')'.repeat(40)}`)],
  ['DEPTH', of(`f.code${` || 'x'`.repeat(40)}`)],
  ['NODE', of(`${'(select '.repeat(400)}1${')'.repeat(400)}`)],
  ['SYNTAX', of(`${'a['.repeat(1_900)}`)],
  [
    'SIZE',
    `select a.code from auth.published_area a ${Array.from({ length: 6 }, (_, at) => `join auth.published_area b${at} on b${at}.code = a.code`).join(' ')}`,
  ],
];

describe('a proposed view', () => {
  it.each(hostile.map(([refusal, text]) => [refusal, JSON.stringify(text).slice(0, 120), text] as const))(
    'is refused for %s: %s',
    async (refusal, _start, text) => {
      expect(await outcomeOf(text)).toBe(refusal);
    },
  );

  it('at least sixty hostile forms are tried', () => {
    expect(new Set(hostile.map(([, text]) => text)).size).toBeGreaterThanOrEqual(60);
  });

  it.each([
    of('f.code'),
    `select f.code /* the code */ ${FROM} -- all`,
    `select f.profile, count(*) as n ${FROM} group by f.profile having count(*) > 1 order by count(*) desc limit 10`,
    where(`f.code like 'DOC%' and f.position between 1 and 9 and not (f.name is null or f.alias in ('a', 'b'))`),
    where(`coalesce(lower(f.alias), '') <> 'it''s \\ "quoted" $$'`),
    `select e.name, a.name as area from auth.published_entity e left join auth.published_area a on a.entity_code = e.code`,
  ])('is accepted and keeps its meaning when written again: %s', async (text) => {
    const { tree, text: written } = await readView(text);
    expect((await readView(written)).tree).toEqual(tree);
  });

  it('is stored without comments and escapes of its text', async () => {
    const { text } = await readView(`select f.code from U&"auth".U&"published\\005Ffunction" f /* hidden */`);
    expect(text.replaceAll(/\s+/g, ' ')).toBe('SELECT f.code FROM auth.published_function AS f');
  });
});

describe('a stored tree', () => {
  it.each([null, [], 'select 1', {}, { SelectStmt: null }, { SelectStmt: {}, RawStmt: {} }, { __proto__: {} }])(
    'is refused where it is no parse tree: %j',
    async (tree) => {
      await expect(checkedView(tree)).rejects.toThrow(ViewRefused);
    },
  );

  it('is refused where a name was exchanged', async () => {
    const { tree } = await readView(of('f.code'));
    const exchanged: unknown = JSON.parse(JSON.stringify(tree).replace('published_function', 'password'));
    await expect(checkedView(exchanged)).rejects.toMatchObject({ refusal: 'RELATION' });
  });
});

describe('the template of a function', () => {
  it.each(['DOCUMENTS', `'; drop table x; --`, String.raw`a\'b`, '"', '$$', '/*'])(
    'names the code %s as a literal',
    async (code) => {
      const { tree, columns } = await templateView(code);
      expect(columns).toEqual(['codigo', 'nombre', 'operacion', 'roles']);
      expect(JSON.stringify(tree)).toContain(JSON.stringify({ sval: { sval: code } }));
    },
  );

  it('is the same each time', async () => {
    expect((await templateView('DOCUMENTS')).text).toBe((await templateView('DOCUMENTS')).text);
  });
});
