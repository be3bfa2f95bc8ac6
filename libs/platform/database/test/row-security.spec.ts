import { tenantTable } from '../src';
import { failureOf, type Running, startDatabase } from './support';

const MINE = '11111111-1111-4111-8111-111111111111';
const THEIRS = '22222222-2222-4222-8222-222222222222';
let db: Running;

beforeAll(async () => {
  db = await startDatabase();
  await db.run(
    'chat_owner',
    `create table chat.secret (group_id uuid not null, id int, primary key (group_id, id)); ${tenantTable('chat', 'secret')}`,
  );
  for (const group of [MINE, THEIRS])
    await db.run(
      'chat_app',
      `begin; select set_config('app.group_id', '${group}', true);
      insert into chat.secret select '${group}', n from generate_series(1, 10) n; commit`,
    );
});
afterAll(() => db.close());

const whoAndWhat = `select current_user as who, current_setting('is_superuser') as super,
  (select count(*)::int from chat.secret) as rows`;
const BOUND = [{ who: 'chat_app', super: 'off', rows: 0 }];

describe('row level security', () => {
  it('a select without a group sees no row', async () => {
    expect(await db.run('chat_app', 'select * from chat.secret')).toEqual([]);
    expect(await db.run('chat_owner', 'select * from chat.secret')).toEqual([]);
  });
  it('a transaction sees the rows of its group, none after it', async () => {
    const client = await db.client('chat_app');
    await client.query(`begin; select set_config('app.group_id', '${MINE}', true)`);
    const { rows } = await client.query<{ group_id: string }>('select group_id from chat.secret');
    expect(rows.map(({ group_id }) => group_id)).toEqual(Array<string>(10).fill(MINE));
    await client.query('commit');
    expect((await client.query(whoAndWhat)).rows).toEqual(BOUND);
  });
  it('writing a row of another group is refused', async () => {
    const client = await db.client('chat_app');
    await client.query(`begin; select set_config('app.group_id', '${MINE}', true)`);
    expect(await failureOf(client.query(`insert into chat.secret values ('${THEIRS}', 99)`))).toBe('42501');
    await client.query('rollback');
  });
  it('update and delete reach no row of another group', async () => {
    const client = await db.client('chat_app');
    await client.query(`begin; select set_config('app.group_id', '${MINE}', true)`);
    expect((await client.query(`delete from chat.secret where group_id = '${THEIRS}'`)).rowCount).toBe(0);
    expect((await client.query('delete from chat.secret')).rowCount).toBe(10);
    await client.query('rollback');
  });
});

describe('a setting', () => {
  it('SET LOCAL is reset after the transaction', async () => {
    const client = await db.client('chat_app');
    const show = "select current_setting('enable_seqscan') as s, current_setting('search_path') as p";
    const before = await db.run('chat_app', show);
    await client.query('begin; set local enable_seqscan = off; set local search_path to chat');
    expect((await client.query(show)).rows).toEqual([{ s: 'off', p: 'chat' }]);
    await client.query('commit');
    expect(await db.run('chat_app', show)).toEqual(before);
  });
  it('a setting does not leak between alternating connections', async () => {
    const [one, two] = await Promise.all([db.client('chat_app'), db.client('chat_app')]);
    const group = async (client: typeof one): Promise<unknown> =>
      (await client.query("select coalesce(current_setting('app.group_id', true), '') as g")).rows[0];
    for (let n = 0; n < 20; n += 1) {
      await one.query(`begin; select set_config('app.group_id', '${MINE}', true); commit`);
      expect(await Promise.all([group(one), group(two)])).toEqual([{ g: '' }, { g: '' }]);
    }
  });
  it('the isolation level can be set before the first statement', async () => {
    const client = await db.client('chat_app');
    await client.query('begin');
    await client.query('set transaction isolation level serializable');
    expect((await client.query('show transaction_isolation')).rows).toEqual([
      { transaction_isolation: 'serializable' },
    ]);
    await client.query('commit');
  });
  it('a setting may name the application, as drivers do', async () => {
    const client = await db.client('chat_app');
    await client.query("select set_config('application_name', $1, false)", ['worker']);
    await client.query("set application_name = 'worker'");
  });
});
