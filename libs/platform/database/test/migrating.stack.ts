import { Client } from 'pg';
import { poolConfig, Provisioner, ranMigrations, runMigrations, sqlMigration } from '../src';
import { pause, type Running, startDatabase } from './support';

let db: Running;
beforeAll(async () => {
  db = await startDatabase();
  await db.run('chat_owner', 'create table chat.busy (id int); grant select on chat.busy to chat_app');
});
afterAll(() => db.close());

const owner = (): ReturnType<Running['server']['connection']> => db.server.connection('chat_owner');

describe('a migration beside running programs', () => {
  it('two migrators of one schema run each migration once', async () => {
    const slow = sqlMigration('Slow1890000000001', 'select pg_sleep(1); create table chat.slow (id int)', {
      kind: 'expand',
    });
    const ran = await Promise.all([1, 2, 3].map(() => runMigrations(owner(), 'chat', [slow])));
    expect(ran.flat()).toEqual(['Slow1890000000001']);
    expect(await ranMigrations(owner(), 'chat')).toHaveLength(1);
  });

  it('statements wait seconds at most behind a migration that waits for a lock', async () => {
    const busy = await db.client('chat_app');
    await busy.query('begin; select * from chat.busy');
    const wider = sqlMigration('Wider1890000000002', 'alter table chat.busy add column name text', { kind: 'expand' });
    const migrated = runMigrations(owner(), 'chat', [wider]);
    const { max: _max, ...login } = poolConfig(db.server.connection('chat_app'));
    const reader = new Client(login);
    await reader.connect();
    const waits: number[] = [];
    for (const began = Date.now(); Date.now() - began < 6_000; await pause(20)) {
      const asked = Date.now();
      await reader.query('select * from chat.busy');
      waits.push(Date.now() - asked);
    }
    await busy.query('commit');
    expect(await migrated).toEqual(['Wider1890000000002']);
    await reader.end();
    expect(Math.max(...waits)).toBeGreaterThan(500);
    expect(Math.max(...waits)).toBeLessThan(4_000);
    expect(waits.length).toBeGreaterThan(10);
  });
});

describe('an index of a table with rows', () => {
  it('waits seconds at most for writers, and is created at a later attempt', async () => {
    await db.run('chat_owner', 'create table chat.written (id int); grant insert on chat.written to chat_app');
    const provisioner = new Provisioner(owner());
    const index = { schema: 'chat', table: 'written', name: 'written_id', using: 'btree (id)' };
    const writer = await db.client('chat_app');
    await writer.query('begin; insert into chat.written values (1)');
    const attempts = [await provisioner.ensureIndex(index)];
    await writer.query('commit');
    for (let again = 0; again < 2; again += 1) attempts.push(await provisioner.ensureIndex(index));
    await provisioner.close();
    expect(attempts).toEqual([false, true, true]);
  });
});
