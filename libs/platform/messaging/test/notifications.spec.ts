import { appRole } from '@acervo/platform-database';
import type { TestDatabase } from '@acervo/platform-testing';
import { Notifications } from '../src';
import { openMessaging, until } from './support';

let server: TestDatabase;
beforeAll(async () => {
  server = await openMessaging();
});
afterAll(() => server.close());

const notify = (channel: string, payload: string): Promise<unknown> =>
  server.asOwner('ingestion', `select pg_notify('${channel}', '${payload}')`);

describe('notifications', () => {
  it('every channel of a process is heard over one connection, until its listener stops', async () => {
    const notifications = new Notifications(server.connection(appRole('ingestion')));
    const heard = { one: [] as string[], two: [] as string[] };
    const off = [
      notifications.on('test_one', (payload) => void heard.one.push(payload)),
      notifications.on('test_two', (payload) => void heard.two.push(payload)),
    ];
    await until('a notification is heard', async () => {
      await notify('test_one', 'a');
      await notify('test_two', 'b');
      return heard.one.length > 0 && heard.two.length > 0;
    });
    expect([new Set(heard.one), new Set(heard.two)]).toEqual([new Set(['a']), new Set(['b'])]);
    await off[0]?.();
    const before = heard.one.length;
    await until('a notification is heard', async () => {
      await notify('test_one', 'late');
      await notify('test_two', 'late');
      return heard.two.includes('late');
    });
    expect(heard.one).toHaveLength(before);
    await off[1]?.();
  });
  it('a listener that comes later is heard over the open connection', async () => {
    const notifications = new Notifications(server.connection(appRole('ingestion')));
    const heard: string[] = [];
    const off = [notifications.on('test_first', () => undefined)];
    await new Promise((resolve) => setTimeout(resolve, 200));
    off.push(notifications.on('test_second', (payload) => void heard.push(payload)));
    await until('a notification is heard', async () => {
      await notify('test_second', 'c');
      return heard.length > 0;
    });
    for (const stop of off) await stop();
  });
});
