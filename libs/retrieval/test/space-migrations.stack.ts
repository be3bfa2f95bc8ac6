import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { appRole, Database, type MigrationClass, ownerRole, runMigrations } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { describeOnStack, onThisMachine, startTestServer, type TestServer } from '@acervo/platform-testing';
import { retrievalMigrations } from '../src/migrations';
import { newIds, storeAsLastRelease } from './last-release';

jest.setTimeout(120_000);

const DOCUMENTS = 100_000;
/** Bounds what a statement waits for the lock of a migration and for its index. */
const LONGEST_WAIT_MS = 4_000;
const FIRST_OF_SPACES = 'Spaces1797000000010';

const nameOf = (Migration: MigrationClass): string => new Migration().name;

describeOnStack('the migrations of spaces beside programs of the last release', ['postgres'], () => {
  const groupId = randomUUID();
  const first = retrievalMigrations.findIndex((each) => nameOf(each) === FIRST_OF_SPACES);
  let server: TestServer;
  let database: Database;

  const migrate = (list: readonly MigrationClass[]): Promise<string[]> =>
    runMigrations(server.connection(ownerRole('retrieval')), 'retrieval', migrationsOf('retrieval', list));
  const rows = <R extends object>(sql: string): Promise<readonly R[]> =>
    database.read({ groupId }, (tx) => tx.query<R>(sql, [groupId]));

  beforeAll(async () => {
    server = await startTestServer();
    await migrate(retrievalMigrations.slice(0, first));
    database = new Database(server.connection(appRole('retrieval')));
    for (let placed = 0; placed < DOCUMENTS; placed += 10_000)
      await database.write({ groupId }, (tx) => storeAsLastRelease(tx, newIds(10_000), 1));
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('every statement of a running program succeeds within seconds', async () => {
    const [waits, changing] = [[] as number[], newIds(10)];
    let [isOver, revision] = [false, 1];
    const timed = async (statement: () => Promise<unknown>): Promise<void> => {
      const started = performance.now();
      await statement();
      waits.push(performance.now() - started);
    };
    const running = (async (): Promise<void> => {
      for (; !isOver; await pause(5), revision += 1) {
        await timed(() => database.write({ groupId }, (tx) => storeAsLastRelease(tx, changing, revision)));
        await timed(() => rows(`select document_id from retrieval.document where group_id = $1 and code = 'D'`));
      }
    })();
    const started = performance.now();
    const ran = await migrate(retrievalMigrations);
    const took = performance.now() - started;
    isOver = true;
    await running;
    expect(ran).toEqual(retrievalMigrations.slice(first).map(nameOf));
    const longest = Math.max(...waits);
    process.stdout.write(
      `${ran.length} migrations over ${DOCUMENTS} documents in ${took.toFixed(0)} ms; ${waits.length} statements beside them, the longest ${longest.toFixed(0)} ms\n`,
    );
    expect(longest).toBeLessThan(onThisMachine(LONGEST_WAIT_MS));
    expect(waits.length).toBeGreaterThan(5);
  });

  it('documents from before count as older than every refresh, later facts of either release do not', async () => {
    const [before] = await rows<{ count: number }>(
      `select count(*)::int as count from retrieval.document where group_id = $1 and noted_in is null`,
    );
    expect(before?.count).toBeGreaterThanOrEqual(DOCUMENTS);
    const [added = '', changed = ''] = newIds(2);
    await database.write({ groupId }, (tx) => storeAsLastRelease(tx, [added, changed], 1));
    const notes = (): Promise<readonly { noted: string | null }[]> =>
      rows(`select noted_in::text as noted from retrieval.document where group_id = $1
        and document_id in ('${added}', '${changed}') order by document_id = '${changed}'`);
    const [one, two] = await notes();
    expect([one?.noted, two?.noted]).not.toContain(null);
    await database.write({ groupId }, (tx) => storeAsLastRelease(tx, [changed], 2));
    const [same, later] = await notes();
    expect(same).toEqual(one);
    expect(BigInt(later?.noted ?? 0)).toBeGreaterThan(BigInt(two?.noted ?? 0));
  });
});
