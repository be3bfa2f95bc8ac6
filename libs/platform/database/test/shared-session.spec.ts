import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { Database, type EngineRuns, EmbeddedDatabase, RUN_KINDS, runsSince, tenantTable } from '../src';
import { cstring, message, query } from '../src/embedded/wire';
import { bind, execute, failureOf, freshDirectory, parse, rawClient, socketTo, sync, until } from './support';

/** The unit of the blocks of a file. */
const BLOCK_BYTES = 512;
const GROUP = { groupId: '11111111-1111-4111-8111-111111111111' };
const events: string[] = [];
let server: EmbeddedDatabase;
let database: Database;

beforeAll(async () => {
  server = await EmbeddedDatabase.start({ directory: freshDirectory(), log: (event) => void events.push(event) });
  const owner = new Database(server.connection('chat_owner'));
  await owner.ungrouped((tx) =>
    tx.query(`create table chat.note (group_id uuid not null, id int, primary key (group_id, id));
      ${tenantTable('chat', 'note')}`),
  );
  await owner.close();
  database = new Database({ ...server.connection('chat_app'), max: 1 });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

/** How often the engine ran for some work. */
const runsOf = async (work: () => Promise<unknown>): Promise<EngineRuns> => {
  const before = await server.runs();
  await work();
  return runsSince(before, await server.runs());
};

const readNotes = (): Promise<unknown> =>
  database.read(GROUP, (tx) => tx.prepared('select id from chat.note where group_id = $1', [GROUP.groupId]));

const asked = async (sql: string): Promise<number> => {
  const one = new Database({ ...server.connection('chat_app'), max: 1 });
  try {
    return (await runsOf(() => one.ungroupedStatement(sql, []))).question;
  } finally {
    await one.close();
  }
};

describe('the cost of a transaction', () => {
  it('a known transaction of the same role changes no role and asks nothing', async () => {
    await readNotes();
    await readNotes();
    expect(await runsOf(readNotes)).toMatchObject({ role: 0, question: 0, cleaning: 0 });
  });
  it('a known read at once runs the engine once', async () => {
    const read = (): Promise<unknown> =>
      database.readAtOnce(GROUP, (tx) => tx.prepared('select id from chat.note where group_id = $1', [GROUP.groupId]));
    await read();
    await read();
    const { statements, role, question } = await runsOf(async () => {
      for (let round = 0; round < 20; round += 1) await read();
    });
    expect({ statements, role, question }).toEqual({ statements: 20, role: 0, question: 0 });
  });
  it('a text is asked about the first time a role sends it', async () => {
    const sql = 'select 2 as first_time';
    expect([await asked(sql), await asked(sql)]).toEqual([1, 0]);
  });
  it('a text that another role sent is asked about again', async () => {
    const sql = 'select 3 as first_time';
    await asked(sql);
    const other = new Database(server.connection('auth_app'));
    expect((await runsOf(() => other.ungroupedStatement(sql, []))).question).toBe(1);
    await other.close();
  });
  it('a call of an unlisted function is asked about each time', async () => {
    const sql = "select word from ts_stat('select ''a b''::tsvector')";
    expect([await asked(sql), await asked(sql)]).toEqual([1, 1]);
  });
  it('the statements of a transaction that arrive together run together', async () => {
    const four = (): Promise<unknown> =>
      database.read(GROUP, (tx) => Promise.all([1, 2, 3, 4].map((n) => tx.prepared('select $1::int as n', [n]))));
    await four();
    const { statements } = await runsOf(async () => {
      for (let round = 0; round < 10; round += 1) await four();
    });
    expect(statements).toBeLessThanOrEqual(40);
  });
});

describe('a definition', () => {
  it('every text is asked about again after a role defines something', async () => {
    const sql = 'select 4 as first_time';
    await asked(sql);
    expect(await asked(sql)).toBe(0);
    const owner = new Database(server.connection('auth_owner'));
    await owner.ungrouped((tx) => tx.query('create table auth.some (id int)'));
    await owner.close();
    expect([await asked(sql), await asked(sql)]).toEqual([1, 0]);
  });
  it('a trigger behind a known text makes no role superuser', async () => {
    const pool = new Database({ ...server.connection('ingestion_app'), max: 1 });
    const insert = (): Promise<unknown> => pool.ungroupedStatement('insert into note values (1)', []);
    await pool.ungrouped((tx) => tx.query('create temporary table note (id int)'));
    await insert();
    await pool.ungrouped((tx) =>
      tx.query(`create function pg_temp.leave() returns trigger language plpgsql as $$
        begin execute 'set session author' || 'ization postgres'; return new; end $$;
        create trigger leave before insert on note execute function pg_temp.leave();`),
    );
    const attempt = new Database({ ...server.connection('ingestion_app'), max: 1 });
    await attempt.ungrouped((tx) => tx.query('insert into note values (1)')).catch(() => undefined);
    expect(events).toContain('superuser');
    const who = 'select current_user::text as who, current_setting($1) as super';
    expect(await attempt.ungroupedStatement(who, ['is_superuser'])).toEqual([{ who: 'ingestion_app', super: 'off' }]);
    await Promise.all([attempt.close(), pool.close()]);
  });
  it('a superuser behind a failed transaction is found at its end', async () => {
    const raw = await rawClient(server.connection('retrieval_app'));
    raw.send(query('rollback'));
    await raw.answer((letters) => letters.endsWith('Z'));
    raw.send(
      query(`begin; do $$ begin execute 'set session author' || 'ization postgres'; end $$; commit; begin; select 1/0`),
    );
    await raw.answer((letters) => letters.endsWith('Z'));
    raw.send(query('rollback'));
    expect(await raw.answer(() => false)).toBe('');
    expect(raw.closed()).toBe(true);
  });
});

describe('what a role leaves behind', () => {
  const setting = "select current_setting('enable_sort') as sort, current_setting('application_name') as name";
  const seenBy = async (role: string): Promise<unknown> => {
    const one = new Database(server.connection(role));
    try {
      return (await one.ungroupedStatement<{ sort: string; name: string }>(setting, []))[0];
    } finally {
      await one.close();
    }
  };
  it.each(['chat_app', 'operations_app'])('no setting of a connection reaches another one of %s', async (role) => {
    const clean = await seenBy(role);
    const leaving = new Database(server.connection('operations_app'));
    await leaving.ungrouped((tx) => tx.query(`do $$ begin execute 'set enable_' || 'sort = off'; end $$`));
    expect(await seenBy(role)).toEqual(clean);
    await leaving.ungroupedStatement("select set_config('application_name', 'left', false)", []);
    expect(await seenBy(role)).toEqual(clean);
    await leaving.close();
  });
  it('settings of the start-up packet separate connections of one role', async () => {
    const [unsorted, other] = await Promise.all([
      rawClient(server.connection('chat_app'), { options: '-c enable_sort=off' }),
      rawClient(server.connection('chat_app')),
    ]);
    for (let round = 0; round < 2; round += 1)
      for (const [client, rows] of [
        [unsorted, 'TDCZ'],
        [other, 'TCZ'],
      ] as const) {
        client.send(query("select 1 where current_setting('enable_sort') = 'off'"));
        expect(await client.answer((letters) => letters.endsWith('Z'))).toBe(rows);
      }
    unsorted.end();
    other.end();
  });
  it('the unnamed statement of a role is not there for another role', async () => {
    const [first, second] = [
      await rawClient(server.connection('chat_app')),
      await rawClient(server.connection('auth_app')),
    ];
    first.send(parse('', "select 'mine'"), sync);
    expect(await first.answer((letters) => letters.endsWith('Z'))).toBe('1Z');
    second.send(bind('', ''), execute(''), sync);
    expect(await second.answer((letters) => letters.endsWith('Z'))).toBe('EZ');
    first.end();
    second.end();
  });
  it('a transaction of a lost connection is not continued by its role', async () => {
    const raw = await rawClient(server.connection('chat_app'));
    raw.send(
      query(
        `begin; select set_config('app.group_id', '${GROUP.groupId}', true); insert into chat.note values ('${GROUP.groupId}', 9)`,
      ),
    );
    await raw.answer((letters) => letters.endsWith('Z'));
    raw.end();
    expect(await readNotes()).toEqual([]);
    const group = "select current_setting('app.group_id', true) as id";
    expect([[{ id: '' }], [{ id: null }]]).toContainEqual(await database.ungroupedStatement(group, []));
  });
});

describe('a prepared statement on the wire', () => {
  const leave = `do $$ begin execute 'set session author' || 'ization postgres'; end $$`;
  it('a name whose second text is refused by the engine is asked about', async () => {
    const raw = await rawClient(server.connection('relay'));
    raw.send(parse('s', leave), sync);
    await raw.answer((letters) => letters.endsWith('Z'));
    raw.send(parse('s', 'select 1'), sync);
    expect(await raw.answer((letters) => letters.endsWith('Z'))).toBe('EZ');
    raw.send(bind('', 's'), execute(''), sync);
    expect(await raw.answer(() => false)).toBe('');
    expect(raw.closed()).toBe(true);
  });
  it('a name whose closing was skipped is asked about', async () => {
    const raw = await rawClient(server.connection('queue'));
    raw.send(parse('s', leave), sync);
    await raw.answer((letters) => letters.endsWith('Z'));
    raw.send(bind('', 'absent'), message('C', Buffer.from('S'), cstring('s')), sync, parse('s', 'select 1'), sync);
    await raw.answer((letters) => letters.endsWith('ZEZ'));
    raw.send(bind('', 's'), execute(''), sync);
    expect(await raw.answer(() => false)).toBe('');
    expect(raw.closed()).toBe(true);
  });
});

describe('pipelined batches', () => {
  it('nothing of a transaction is committed behind a text that left the role', async () => {
    const raw = await rawClient(server.connection('chat_app'));
    raw.send(
      query('begin'),
      query(`do $$ begin execute 'set session author' || 'ization postgres'; end $$`),
      query(`insert into chat.note values ('${GROUP.groupId}', 7)`),
      query('commit'),
    );
    await raw.answer(() => false);
    expect(raw.closed()).toBe(true);
    expect(await readNotes()).toEqual([]);
  });
  it('pipelined transactions get one answer each, in their order', async () => {
    const raw = await rawClient(server.connection('chat_app'));
    const one = [query('begin'), parse('', 'select 1'), bind('', ''), execute(''), sync, query('commit')];
    raw.send(...one, query('begin'), query('select 1/0'), query('select 1'), query('rollback'), ...one);
    expect(await raw.answer((letters) => letters.endsWith('CZ12DCZCZ') && letters.length > 20)).toBe(
      'CZ12DCZCZCZEZEZCZCZ12DCZCZ',
    );
    raw.end();
  });
});

describe('the log of changes', () => {
  it('checkpoints keep the log short while the engine runs', async () => {
    const owner = new Database(server.connection('chat_owner', 'background'));
    await owner.ungrouped((tx) => tx.query('create table chat.filling (text text)'));
    const fill = `insert into chat.filling select repeat(md5(n::text), 30) from generate_series(1, 10000) n`;
    for (let part = 0; part < 4; part += 1) {
      // A checkpoint may come while the log still grows; without further growth no other one follows it.
      const { checkpoint } = await server.runs();
      for (let round = 0; round < 4; round += 1) {
        await owner.ungrouped((tx) => tx.query(fill));
        await owner.ungrouped((tx) => tx.query('truncate chat.filling'));
      }
      await until(async () => (await server.runs()).checkpoint > checkpoint);
    }
    await owner.close();
    expect((await server.runs()).checkpoint).toBeGreaterThan(0);
    // What checkpoints made needless is deleted: the file in use is left, and the one before it.
    const log = join(server.connection('chat_app').host, 'cluster', 'pg_wal');
    // A file may be deleted between the list and the look at it.
    const files = (): readonly Stats[] =>
      readdirSync(log).flatMap((name) => {
        const file = statSync(join(log, name), { throwIfNoEntry: false });
        return file?.isFile() === true ? [file] : [];
      });
    await until(() => files().length <= 2);
    // Its place on the disk is not reserved.
    const [taken, whole] = files().reduce(([blocks, bytes], file) => [blocks + file.blocks, bytes + file.size], [0, 0]);
    expect(taken * BLOCK_BYTES).toBeLessThan(whole);
    const one = 'select current_user::text as who';
    expect(await database.ungroupedStatement(one, [])).toEqual([{ who: 'chat_app' }]);
  });
});

describe('the Unix socket', () => {
  it('only its user can use the socket, and the password is checked', async () => {
    const { host, port } = server.connection('chat_app');
    expect(statSync(join(host, `.s.PGSQL.${port}`)).mode & 0o777).toBe(0o600);
    const wrong = new Database({ ...server.connection('chat_app'), password: 'wrong' });
    expect(await failureOf(wrong.ungroupedStatement('select 1', []))).toBe('28P01');
    await wrong.close();
  });
  it('a data directory with a long path has its socket elsewhere', async () => {
    const directory = join(freshDirectory(), 'a'.repeat(100), 'b'.repeat(100));
    const far = await EmbeddedDatabase.start({ directory });
    const { host } = far.connection('chat_app');
    expect(host).not.toContain(directory);
    expect(statSync(host).mode & 0o777).toBe(0o700);
    const one = new Database(far.connection('chat_app'));
    expect(await one.ungroupedStatement('select 1 as one', [])).toEqual([{ one: 1 }]);
    await one.close();
    await far.stop();
    expect(() => statSync(host)).toThrow('ENOENT');
  });
  it('the engine answers on loopback as well', async () => {
    const loopback = new Database(server.loopback('chat_app'));
    expect(await loopback.ungroupedStatement('select 1 as one', [])).toEqual([{ one: 1 }]);
    await loopback.close();
    const socket = socketTo(server.loopback('chat_app'));
    await until(() => !socket.connecting);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });
});

describe('the report of runs', () => {
  it('a restarted engine reports what it ran itself, whatever the one before ran', async () => {
    const increases: EngineRuns[] = [];
    const watched = await EmbeddedDatabase.start({
      directory: freshDirectory(),
      onRuns: (increase) => void increases.push(increase),
    });
    const one = new Database({ ...watched.connection('chat_app'), max: 1 });
    const other = new Database({ ...watched.connection('auth_app'), max: 1 });
    const ask = (database: Database): Promise<unknown> => database.readAtOnce(GROUP, (tx) => tx.query('select 1'));
    for (let round = 0; round < 5; round += 1) await Promise.all([ask(one), ask(other)]);
    const first = await watched.runs();
    const { pid } = watched;
    process.kill(pid ?? 0, 'SIGKILL');
    await until(() => watched.pid !== pid);
    const reports = increases.length;
    for (let round = 0; round < 4 * first.statements; round += 1) await ask(one);
    const second = await watched.runs();
    expect(second.statements).toBeGreaterThan(first.statements);
    expect(second.role).toBeLessThan(first.role);
    const ofSecond = increases.slice(reports);
    const sum = (kind: (typeof RUN_KINDS)[number]): number => ofSecond.reduce((all, each) => all + each[kind], 0);
    expect(Object.fromEntries(RUN_KINDS.map((kind) => [kind, sum(kind)]))).toEqual(second);
    await Promise.all([one.close(), other.close()]);
    await watched.stop();
  });
});
