import { Client, Pool } from 'pg';
import { openPool, poolConfig } from '../src';
import {
  bind,
  execute,
  failureOf,
  flush,
  parse,
  pause,
  rawClient,
  type Running,
  socketTo,
  startDatabase,
  sync,
  until,
} from './support';

/** Longer than a stall of the machine while a transaction is active. */
const IDLE_MS = 5_000;
let db: Running;

beforeAll(async () => {
  db = await startDatabase({ idleInTransactionMs: IDLE_MS });
  await db.run(
    'chat_owner',
    'create table chat.note (id int primary key, text text); grant select, insert, update, delete on chat.note to chat_app',
  );
});
afterAll(() => db.close());

const notes = async (): Promise<unknown[]> => db.run('chat_app', 'select id from chat.note order by id');
const withPool = async <T>(max: number, work: (pool: Pool) => Promise<T>): Promise<T> => {
  const pool = openPool({ ...db.server.connection('chat_app'), max });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

describe('a start-up', () => {
  it('a request for encryption is declined and the start-up continues', async () => {
    const socket = socketTo(db.server.connection('chat_app'));
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const output = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(output.toString()).toBe('N');
    socket.destroy();
  });
  it('a request to cancel ends without an answer', async () => {
    const socket = socketTo(db.server.connection('chat_app'));
    socket.write(Buffer.concat([Buffer.from([0, 0, 0, 16, 4, 210, 22, 46]), Buffer.alloc(8)]));
    await new Promise((resolve) => socket.once('close', resolve).resume());
  });
  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['a password that begins like the right one', { password: 'prefix' }],
    ['an empty password', { password: '' }],
    ['an unknown role', { user: 'nobody' }],
    ['the superuser of the engine', { user: 'postgres' }],
  ])('a login with %s is refused with 28P01', async (_, wrong) => {
    const right = db.server.connection('chat_app');
    const password = 'password' in wrong && wrong.password === 'prefix' ? right.password.slice(0, -1) : right.password;
    const client = new Client({ ...poolConfig(right), password, ...('user' in wrong ? wrong : {}) });
    if ('password' in wrong && wrong.password !== 'prefix') client.password = wrong.password;
    client.on('error', () => undefined);
    expect(await failureOf(client.connect())).toBe('28P01');
  });
  it('settings of the start-up packet apply to their connection only', async () => {
    const with5 = await db.client('chat_app', { options: '-c search_path=chat,public -c app.colour=light\\ blue' });
    const without = await db.client('chat_app');
    const show = "select current_setting('search_path') as path, current_setting('app.colour', true) as colour";
    for (let round = 0; round < 3; round += 1) {
      expect((await with5.query(show)).rows).toEqual([{ path: 'chat, public', colour: 'light blue' }]);
      const [other] = (await without.query<{ path: string; colour: string | null }>(show)).rows;
      expect(other?.path).not.toContain('chat');
      expect(other?.colour ?? '').toBe('');
    }
    expect((await with5.query('select count(*)::int as n from note')).rows).toEqual([{ n: 0 }]);
  });
  it('the multiplexer survives a client that sends garbage', async () => {
    for (const nonsense of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(64), Buffer.alloc(64, 0xff)]) {
      const socket = socketTo(db.server.connection('chat_app')).on('error', () => undefined);
      socket.write(nonsense);
      await new Promise((resolve) => socket.once('close', resolve).resume());
    }
    expect(await db.run('chat_app', 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('many connections', () => {
  it('1,000 concurrent queries get the right answers', async () => {
    await withPool(20, async (pool) => {
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, async (_, n) => {
          const { rows } = await pool.query<{ n: number }>(`select $1::int as n, pg_sleep(0)`, [n]);
          return rows[0]?.n === n;
        }),
      );
      expect(answers.filter(Boolean)).toHaveLength(1_000);
    });
  });
  it('connections use equal statement names for different texts', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => db.client('chat_app')));
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        clients.map((client, n) =>
          client
            .query({ name: 'same', text: `select ${n} + $1::int as n`, values: [round] })
            .then(({ rows }) => rows[0]),
        ),
      );
      expect(answers).toEqual(clients.map((_, n) => ({ n: n + round })));
    }
    await Promise.all(clients.map((client) => client.end()));
  });
  it('closed connections leave no prepared statement', async () => {
    const leaving = await db.client('chat_app');
    await leaving.query({ name: 'odd "name"', text: 'select 1' });
    await leaving.end();
    await until(async () => {
      const rows = await db.run<{ name: string }>('chat_app', 'select name from pg_prepared_statements');
      return rows.every(({ name }) => !name.includes('odd'));
    });
  });
  it('a pipelined batch stays together up to its Sync', async () => {
    const raw = await rawClient(db.server.connection('chat_app'));
    raw.send(parse('', "select set_config('app.group_id', 'mine', true)"), bind('', ''), execute(''));
    const others = Array.from({ length: 5 }, () =>
      db.run('chat_app', "select set_config('app.group_id', 'theirs', true)"),
    );
    raw.send(parse('', "select 1 / (current_setting('app.group_id') = 'mine')::int"), bind('', ''), execute(''), sync);
    expect(await raw.answer((output) => output.endsWith('Z'))).toBe('12DC12DCZ');
    await Promise.all(others);
    raw.end();
  });
  it('connections wait for the Sync of a flushed batch', async () => {
    const raw = await rawClient(db.server.connection('chat_app'));
    raw.send(parse('one', 'select 1'), bind('p', 'one'), execute('p'), flush);
    expect(await raw.answer((output) => output.endsWith('C'))).toBe('12DC');
    let served = false;
    const other = db.run('chat_app', 'select 1').then(() => (served = true));
    await pause(100);
    expect(served).toBe(false);
    raw.send(sync);
    expect(await raw.answer((output) => output.endsWith('Z'))).toBe('Z');
    await other;
    raw.end();
  });
  it('a closed connection with a flushed failing batch blocks no other', async () => {
    const raw = await rawClient(db.server.connection('chat_app'));
    raw.send(parse('', 'select 1 / 0'), bind('', ''), execute(''), flush);
    expect(await raw.answer((output) => output.includes('E'))).toContain('E');
    raw.end();
    expect(await db.run('chat_app', 'select 2 as n')).toEqual([{ n: 2 }]);
  });
});

describe('a transaction on the wire', () => {
  it('a transaction is rolled back when its client disconnects', async () => {
    const client = await db.client('chat_app');
    await client.query('begin; insert into chat.note values (1, null)');
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect(await notes()).toEqual([]);
  });
  it('an idle transaction is rolled back and its connection closed', async () => {
    const short = await startDatabase({ idleInTransactionMs: 200 });
    await short.run('chat_owner', 'create table chat.note (id int)');
    const client = await short.client('chat_owner');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('begin; insert into chat.note values (2)');
    const waiting = short.run('chat_owner', 'select id from chat.note');
    await ended;
    expect(await waiting).toEqual([]);
    const { events } = short;
    await short.close();
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'idle-in-transaction',
        details: expect.objectContaining({ role: 'chat_owner' }) as object,
      }),
    );
  });
  it('an active transaction is not interrupted', async () => {
    const client = await db.client('chat_app');
    await client.query('begin');
    for (let n = 0; n < 6; n += 1) {
      await pause(IDLE_MS / 5);
      await client.query('select 1');
    }
    await client.query('rollback');
  });
  it('a transaction fails as a whole after an error', async () => {
    const client = await db.client('chat_app');
    await client.query('begin; insert into chat.note values (3, null)');
    expect(await failureOf(client.query('select 1 / 0'))).toBe('22012');
    expect(await failureOf(client.query('insert into chat.note values (4, null)'))).toBe('25P02');
    expect((await client.query('commit')).command).toBe('ROLLBACK');
    expect(await notes()).toEqual([]);
  });
  it('a refused statement fails its transaction in both protocols', async () => {
    for (const params of [undefined, []]) {
      const client = await db.client('chat_app');
      await client.query('begin; insert into chat.note values (5, null)');
      expect(
        await failureOf(client.query({ text: 'set enable_sort = off', values: params, name: params && 'x' })),
      ).toBe('42501');
      expect(await failureOf(client.query('select 1'))).toBe('25P02');
      await client.query('rollback');
      expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    }
    expect(await notes()).toEqual([]);
  });
  it('a refused batch is skipped up to its Sync, flushed or not', async () => {
    const raw = await rawClient(db.server.connection('chat_app'));
    const refused = [parse('', 'set enable_sort = off'), bind('', ''), execute('')];
    const late = [parse('', 'insert into chat.note values (6, null)'), bind('', ''), execute('')];
    raw.send(...refused, ...late, sync);
    expect(await raw.answer((output) => output.endsWith('Z'))).toBe('EZ');
    raw.send(...refused, flush);
    expect(await raw.answer((output) => output.includes('E'))).toBe('E');
    raw.send(...late, flush, sync);
    expect(await raw.answer((output) => output.endsWith('Z'))).toBe('Z');
    expect(await notes()).toEqual([]);
    raw.end();
  });
});
