import { tenantTable } from '../src';
import { query } from '../src/embedded/wire';
import { ESCAPES } from './escapes';
import { failureOf, rawClient, type Running, startDatabase } from './support';

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

describe('the role of a connection', () => {
  it.each(ESCAPES)('a role is not left by %s', async (sql) => {
    const client = await db.client('chat_app');
    expect(await failureOf(client.query(sql))).toBe('42501');
    expect((await client.query(whoAndWhat)).rows).toEqual(BOUND);
    await client.end();
  });
  it.each(ESCAPES)('a role is not left by %s in a prepared statement', async (sql) => {
    const client = await db.client('chat_app');
    expect(await failureOf(client.query({ name: 'escape', text: sql }))).toBe('42501');
    expect((await client.query(whoAndWhat)).rows).toEqual(BOUND);
    await client.end();
  });
  it.each([
    '-c role=postgres',
    '-c ROLE=postgres',
    '-c session_authorization=postgres',
    '-c is_superuser=on',
    '-c search_path=chat,public;\\ set\\ role\\ postgres',
    "-c search_path=a';\\ set\\ role\\ postgres;\\ --",
  ])('a role is not left by the start-up option %s', async (options) => {
    const answer = db.client('chat_app', { options }).then(async (client) => (await client.query(whoAndWhat)).rows);
    const [found] = await answer.catch(() => BOUND);
    expect(found).toEqual(BOUND[0]);
  });
  it('a role is not left by a text built at run time', async () => {
    const sql = `do $$ begin execute 'set ro' || 'le postgres'; end $$`;
    expect(await failureOf(db.run('chat_app', sql))).toBe('42501');
  });
  it('a connection that became superuser is closed before the answer arrives', async () => {
    for (const opening of ['', 'begin; ']) {
      const raw = await rawClient(db.server.connection('chat_app'));
      raw.send(
        query(
          `${opening} do $$ begin execute 'set session author' || 'ization postgres'; end $$; select * from chat.secret`,
        ),
      );
      expect(await raw.answer(() => false)).toBe('');
      expect(raw.closed()).toBe(true);
      expect(db.events.map(({ event }) => event)).toContain('superuser');
      expect(await db.run('chat_app', whoAndWhat)).toEqual(BOUND);
    }
  });
  it('settings changed at run time do not reach other connections', async () => {
    await db.run('chat_app', `do $$ begin execute 'set enable_' || 'sort = off'; end $$`);
    expect(await db.run('chat_app', 'show enable_sort')).toEqual([{ enable_sort: 'on' }]);
  });
  it('the role is restored whenever the session changes owners', async () => {
    const roles = ['chat_app', 'chat_owner', 'auth_app', 'relay', 'queue'];
    const clients = await Promise.all(roles.map((role) => db.client(role)));
    const seen = await Promise.all(
      clients.map(async (client, n) => {
        let right = 0;
        for (let round = 0; round < 40; round += 1) {
          const { rows } = await client.query<{ who: string }>('select current_user as who');
          if (rows[0]?.who === roles[n]) right += 1;
        }
        return right;
      }),
    );
    expect(seen).toEqual(roles.map(() => 40));
  });
  it('a role without grants may do nothing in another schema', async () => {
    expect(await failureOf(db.run('auth_app', 'select * from chat.secret'))).toBe('42501');
    expect(await failureOf(db.run('chat_app', 'create table chat.mine (id int)'))).toBe('42501');
    expect(await failureOf(db.run('chat_app', 'create table public.mine (id int)'))).toBe('42501');
  });
});
