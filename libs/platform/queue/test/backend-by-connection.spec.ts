import { createRedisBackend, getDefaultBackendFactory, PostgresQueueBackend, Queue, RedisQueueBackend } from 'bullmq';
import { Pool } from 'pg';
import { backendByConnection } from '../src';

// Port 9 of the loopback refuses connections: nothing here needs an engine.
const redis = { host: '127.0.0.1', port: 9, lazyConnect: true, retryStrategy: () => null };

describe('the backend of a queue', () => {
  const queues: Queue[] = [];
  const open = (connection: Queue['opts']['connection']): unknown => {
    const queue = new Queue('ingestion', { connection, skipMetasUpdate: true });
    queue.on('error', () => undefined);
    queues.push(queue);
    return queue.getBackend();
  };
  const connectionOf = (how: Parameters<typeof createRedisBackend>[2]): Record<string, unknown> => {
    const backend = backendByConnection('ingestion', { connection: redis }, how);
    backend.on('error', () => undefined);
    const { opts } = (backend as unknown as { readonly connection: { readonly opts: Record<string, unknown> } })
      .connection;
    void backend.close(true);
    return opts;
  };
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.close();
  });

  it('one factory chooses the backend for the whole process', () => {
    expect(getDefaultBackendFactory()).toBe(backendByConnection);
  });

  it('a pool selects PostgreSQL', async () => {
    const pool = new Pool({ host: '127.0.0.1', port: 9 });
    expect(open(pool)).toBeInstanceOf(PostgresQueueBackend);
    await pool.end();
  });

  it('an address selects Redis', () => {
    expect(open(redis)).toBeInstanceOf(RedisQueueBackend);
  });

  it('two backends in one process each keep their own connection', async () => {
    const pool = new Pool({ host: '127.0.0.1', port: 9 });
    const opened = [open(pool), open(redis), open(pool)];
    expect(opened.map((backend) => backend instanceof PostgresQueueBackend)).toEqual([true, false, true]);
    await pool.end();
  });

  it('an absent Redis fails a queue and delays a worker', () => {
    expect(connectionOf({})).toMatchObject({ commandTimeout: 2_000, maxRetriesPerRequest: 1 });
    expect(connectionOf({ withBlockingConnection: true })).toMatchObject({ maxRetriesPerRequest: null });
    expect(connectionOf({ withBlockingConnection: true })).not.toHaveProperty('commandTimeout');
  });
});
