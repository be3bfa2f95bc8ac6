import { Queue } from 'bullmq';
import { Client } from 'pg';
import { openPool, QUEUE_ROLE, QUEUE_SCHEMA } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { backendByConnection, migrateQueue } from '../src';

let server: TestDatabase;
beforeAll(async () => {
  server = await openTestDatabase({});
  await migrateQueue(server.connection(QUEUE_ROLE));
});
afterAll(() => server.close());

describe('the schema of the job tables', () => {
  it('a migration with nothing to do is one statement', async () => {
    const sent = jest.spyOn(Client.prototype, 'query');
    await migrateQueue(server.connection(QUEUE_ROLE));
    const texts = sent.mock.calls.map(([text]) => String(text));
    sent.mockRestore();
    expect(texts).toEqual([expect.stringContaining('MAX(version)')]);
  });

  it('queues that share a pool check the schema once', async () => {
    const pool = openPool({ ...server.connection(QUEUE_ROLE), max: 4 }, QUEUE_SCHEMA);
    let checkouts = 0;
    pool.on('acquire', () => (checkouts += 1));
    const queues = ['a', 'b', 'c', 'd'].map(
      (name) => new Queue(name, { connection: pool, skipMetasUpdate: true }, backendByConnection),
    );
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
    for (const queue of queues) await queue.close();
    await pool.end();
    expect(checkouts).toBe(1);
  });
});
