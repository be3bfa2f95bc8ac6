import type { Client } from 'pg';
import { type Running, startDatabase, until } from './support';

let db: Running;

beforeAll(async () => {
  db = await startDatabase();
});
afterAll(() => db.close());

describe('notifications', () => {
  const listener = async (sql: string): Promise<{ client: Client; heard: string[] }> => {
    const client = await db.client('chat_app');
    const heard: string[] = [];
    client.on('notification', ({ channel, payload }) => heard.push(`${channel}:${payload}`));
    await client.query(sql);
    return { client, heard };
  };
  it('notifications reach the listeners of their channel and no other', async () => {
    const listeners = await Promise.all(['listen jobs', 'LISTEN "jobs"', 'listen Jobs', 'listen others'].map(listener));
    await db.run('chat_owner', "select pg_notify('jobs', 'one'), pg_notify('silence', 'x')");
    await db.run('chat_owner', "notify jobs, 'two'");
    await until(() => listeners.slice(0, 3).every(({ heard }) => heard.length === 2));
    expect(listeners.map(({ heard }) => heard.join())).toEqual([...Array<string>(3).fill('jobs:one,jobs:two'), '']);
    for (const { client } of listeners) await client.end();
  });
  it('notifications arrive with the commit, never after a rollback', async () => {
    const { heard } = await listener('listen later');
    const sender = await db.client('chat_app');
    await sender.query("begin; notify later, 'lost'; rollback");
    await sender.query("begin; notify later, 'sent'");
    expect(heard).toEqual([]);
    await sender.query('commit');
    await until(() => heard.length > 0);
    expect(heard).toEqual(['later:sent']);
  });
  it('notifications continue for others when one connection leaves', async () => {
    const [stays, stops, leaves] = await Promise.all(['listen bell', 'listen bell', 'listen bell'].map(listener));
    await stops?.client.query({ text: 'unlisten *', name: 'by-name' });
    await leaves?.client.query('unlisten "bell"');
    await leaves?.client.end();
    await db.run('chat_app', "notify bell, 'x'");
    await until(() => stays?.heard.length === 1);
    expect([stops?.heard, leaves?.heard]).toEqual([[], []]);
  });
});
