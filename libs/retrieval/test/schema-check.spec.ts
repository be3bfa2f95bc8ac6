import { randomUUID } from 'node:crypto';
import { keyTables } from '@acervo/platform-calls';
import { appRole, catalogueViolations, Database, ownerRole } from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import { handOver } from './documents';
import { openRetrieval, type Retrieval } from './support';

const [groupId, other] = [randomUUID(), randomUUID()];
let retrieval: Retrieval;
let owner: Database;

beforeAll(async () => {
  retrieval = await openRetrieval();
  for (const each of [groupId, other]) await handOver(retrieval, { groupId: each, texts: ['Una nota.'] });
  owner = new Database(retrieval.db.connection(ownerRole('retrieval')));
});
afterAll(async () => {
  await owner.close();
  await retrieval.close();
});

const partitions = (): Promise<Record<string, unknown>[]> =>
  retrieval.db.asOwner(
    'retrieval',
    `select relname as name from pg_class where relispartition and relkind = 'r' and relnamespace = 'retrieval'::regnamespace
     order by relname`,
  );

describe('the schema of retrieval', () => {
  it('each group has a partition in both legs', async () => {
    expect((await partitions()).map(({ name }) => name)).toEqual([
      'chunk_1',
      'chunk_2',
      'vector_384_1',
      'vector_384_2',
    ]);
  });

  it('every table of a group has row security, partitions included', async () => {
    const violations = await owner.ungrouped((tx) =>
      catalogueViolations((sql, params) => tx.query(sql, params), {
        schema: 'retrieval',
        appRole: appRole('retrieval'),
        notTenant: [...messagingTables, ...keyTables, 'migrations'],
      }),
    );
    expect(violations).toEqual([]);
  });

  it.each([
    'document',
    'live',
    'embedding_space',
    'bucket_catalogue',
    'chunk',
    'vector_384',
    'chunk_1',
    'vector_384_1',
    'space',
    'space_counter',
    'space_member',
  ])('without a group %s shows no row, not even to its owner', async (table) => {
    for (const database of [owner, retrieval.database])
      expect(await database.ungrouped((tx) => tx.query(`select group_id from retrieval.${table}`))).toEqual([]);
  });

  it('a group sees only its own chunks in every partition', async () => {
    const seen = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ name: string }>(
        `select 'chunk_1' as name from retrieval.chunk_1 union all select 'chunk_2' from retrieval.chunk_2`,
      ),
    );
    expect(seen).toEqual([{ name: 'chunk_1' }]);
  });

  it('no group can write rows of another', async () => {
    const foreign = retrieval.database.write({ groupId }, (tx) =>
      tx.query(
        `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count) values ($1, $2, 1, 1, 1, 1)`,
        [other, randomUUID()],
      ),
    );
    await expect(foreign).rejects.toThrow(/row-level security/);
  });
});
