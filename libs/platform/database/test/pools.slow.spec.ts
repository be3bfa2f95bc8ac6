import { setTimeout as pause } from 'node:timers/promises';
import { Database, tenantTable, type Transaction } from '../src';
import { type Running, startDatabase } from './support';

const OPERATIONS = Number(process.env['ACERVO_BENCH_OPERATIONS'] ?? 2_000);
const WORKERS = 50;
const GROUPS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

let db: Running;
let database: Database;
beforeAll(async () => {
  db = await startDatabase();
  await db.run(
    'chat_owner',
    `create table chat.note (group_id uuid not null, id bigint generated always as identity, text text not null, primary key (group_id, id));
     ${tenantTable('chat', 'note')}`,
  );
  database = new Database({ ...db.server.connection('chat_app'), max: 2 });
  for (const groupId of GROUPS)
    await database.write({ groupId }, (tx) =>
      tx.query(`insert into chat.note (group_id, text) values ($1, 'first')`, [groupId]),
    );
});
afterAll(async () => {
  await database.close();
  await db.close();
});

/** Numbers that are the same in every run. */
const numbers = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

class Abandoned extends Error {}

/** Rows that a transaction sees of other groups, read without a predicate: row security is all that is between. */
const foreign = async (tx: Transaction): Promise<number> => {
  const [row] = await tx.query<{ own: number; others: number }>(
    'select count(*) filter (where group_id = $1)::int as own, count(*) filter (where group_id <> $1)::int as others from chat.note',
    [tx.groupId],
  );
  // Its own rows must be visible: a transaction without its group would see none.
  if ((row?.own ?? 0) === 0) throw new Error('A transaction sees nothing of its own group.');
  return row?.others ?? 0;
};

type Ending = 'read' | 'commit' | 'throw' | 'fail' | 'ungrouped';

const operation = async (groupId: string, ending: Ending, random: () => number): Promise<number> => {
  if (ending === 'ungrouped') return database.ungrouped(async (tx) => (await tx.query('select from chat.note')).length);
  if (ending === 'read') return database.read({ groupId }, foreign);
  let seen = 0;
  const work = async (tx: Transaction): Promise<void> => {
    await tx.prepared('insert into chat.note (group_id, text) values ($1, $2)', [groupId, groupId]);
    if (random() < 0.3) await pause(1);
    seen = await foreign(tx);
    await tx.query('delete from chat.note where group_id = $1 and id > 100', [groupId]);
    if (ending === 'throw') throw new Abandoned();
    if (ending === 'fail') await tx.query('select 1 / 0');
  };
  await database.write({ groupId }, work).catch((error: unknown) => {
    if (ending === 'commit') throw error;
  });
  return seen;
};

describe('a pool of two connections', () => {
  it(
    `none of ${OPERATIONS} transactions sees the group of another`,
    async () => {
      const random = numbers(7);
      const endings: readonly Ending[] = ['read', 'read', 'commit', 'throw', 'fail', 'ungrouped'];
      let [left, seen] = [OPERATIONS, 0];
      const counts: Partial<Record<Ending, number>> = {};
      const worker = async (index: number): Promise<void> => {
        while (left-- > 0) {
          const ending = endings[Math.floor(random() * endings.length)] ?? 'read';
          counts[ending] = (counts[ending] ?? 0) + 1;
          seen += await operation(GROUPS[index % 2] ?? GROUPS[0], ending, random);
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, (_, index) => worker(index)));
      expect(seen).toBe(0);
      for (const ending of endings) expect(counts[ending]).toBeGreaterThan(0);
    },
    30_000 + OPERATIONS * 20,
  );
});
