import { Job, Queue, Worker } from 'bullmq';
import { Client } from 'pg';
import { openPool, QUEUE_ROLE, QUEUE_SCHEMA } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase, until } from '@acervo/platform-testing';
import { backendByConnection, migrateQueue } from '../src';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const LOCK_MS = 300;
const WORKER = { autorun: false, stalledInterval: 400, lockDuration: LOCK_MS, skipLockRenewal: true } as const;
const SEARCH = 'move_stalled_jobs_to_wait';
const LOOK = "state = 'active'";

let server: TestDatabase;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  server = await openTestDatabase({});
  await migrateQueue(server.connection(QUEUE_ROLE));
  pool = openPool({ ...server.connection(QUEUE_ROLE), max: 4 }, QUEUE_SCHEMA);
});
afterAll(async () => {
  await pool.end();
  await server.close();
});

const openWorker = (name: string, work: (job: Job) => Promise<void>) =>
  new Worker(name, work, { connection: pool, ...WORKER }, backendByConnection);

/** How many statements contain each of these texts while `work` runs. */
const counted = async (texts: readonly string[], work: () => Promise<void>): Promise<number[]> => {
  const sent = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const textOf = (query: unknown): string =>
      typeof query === 'string' ? query : String((query as { readonly text?: string }).text);
    const all = sent.mock.calls.map(([query]) => textOf(query));
    return texts.map((text) => all.filter((each) => each.includes(text)).length);
  } finally {
    sent.mockRestore();
  }
};

describe('the search for stalled jobs', () => {
  it('idle workers of a pool share one look, and none of them searches', async () => {
    const backends = NAMES.map((name) =>
      backendByConnection(name, { connection: pool }, { withBlockingConnection: true }),
    );
    const [searches, looks] = await counted([SEARCH, LOOK], async () => {
      await Promise.all(backends.map((backend) => backend.moveStalledJobsToWait()));
    });
    expect({ searches, looks }).toEqual({ searches: 0, looks: 1 });
  });

  it('a job whose worker died is worked by another one', async () => {
    const name = 'orphaned';
    const queue = new Queue(name, { connection: pool, skipMetasUpdate: true }, backendByConnection);
    const dead = openWorker(name, () => new Promise(() => undefined));
    await queue.add('work', {});
    void dead.run();
    await until('the job is in work', async () => (await queue.getActiveCount()) === 1);
    const done: string[] = [];
    const other = openWorker(name, ({ id }) => (done.push(String(id)), Promise.resolve()));
    void other.run();
    await until('the job is done', () => done.length === 1);
    await Promise.all([dead.close(true), other.close()]);
    await queue.close();
  });
});
