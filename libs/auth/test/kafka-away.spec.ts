import { createServer } from 'node:net';
import { locationsDeleted } from '@acervo/contracts';
import { type RunningServer, serve } from '@acervo/platform-http';
import { until } from '@acervo/platform-testing';
import { RunningAuth } from './support/auth';

/** A port without a listener. */
const silentPort = async (): Promise<number> => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe('a service that starts while Kafka is away', () => {
  let auth: RunningAuth;
  let internal: RunningServer;
  let working: Promise<void>;
  let isWorking = false;

  const probe = async (path: string): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`http://127.0.0.1:${internal.port}${path}`);
    return { status: answer.status, body: await answer.json() };
  };

  beforeAll(async () => {
    const brokers = `127.0.0.1:${await silentPort()}`;
    auth = await RunningAuth.start({ ACERVO_EVENTS: 'kafka', ACERVO_KAFKA_BROKERS: brokers });
    internal = await serve('internal', auth.service.handler, '127.0.0.1', 0);
    working = auth.service.startWork();
    void working.then(() => (isWorking = true));
  });

  it('a service without Kafka answers and reports the limitation', async () => {
    expect(await auth.logIn()).not.toBe('');
    expect(await probe('/health/live')).toMatchObject({ status: 200 });
    await until('the service is ready', async () => (await probe('/health/ready')).status === 200);
    expect((await probe('/health/ready')).body).toEqual({
      ready: true,
      checks: expect.objectContaining({ database: true, kafka: false }) as object,
    });
  });

  it('events that arrived earlier are handled without Kafka', async () => {
    const { groupId } = auth.group;
    const payload = JSON.stringify({ rootCode: 'L1', codes: ['L1'] });
    await auth.server.asOwner(
      'auth',
      `insert into auth.incoming (group_id, topic, event_key, payload, cause) values ($1, $2, 'L1', $3, 'test')`,
      [groupId, locationsDeleted.topic, payload],
    );
    const handled = (): Promise<unknown[]> => auth.server.asOwner('auth', 'select from auth.inbox');
    await until('the event is handled', async () => (await handled()).length > 0);
    expect(await handled()).toHaveLength(1);
    expect(isWorking).toBe(false);
  });

  it('a service that waits for Kafka stops on request', async () => {
    await internal.close();
    await auth.close();
    await expect(working).resolves.toBeUndefined();
  });
});
