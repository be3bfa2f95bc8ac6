import { Overloaded } from '@acervo/contracts';
import { Database, TransactionAlreadyOpen } from '../src';
import { type Running, startDatabase } from './support';

const [FLOOD, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

let db: Running;
let database: Database;
beforeAll(async () => {
  db = await startDatabase();
  database = new Database({ ...db.server.connection('chat_app'), max: 4, mostWaiting: 6 });
});
afterAll(async () => {
  await database.close();
  await db.close();
});

describe('a bounded pool', () => {
  it('another group gets the next connection of a pool that one group fills', async () => {
    let [open, most, begun] = [0, 0, 0];
    let answered = (): void => undefined;
    const otherIsAnswered = new Promise<void>((resolve) => (answered = resolve));
    // The embedded engine has one session: the other group waits for transactions that came before it alone.
    const slowRead = (): Promise<void> =>
      database.read({ groupId: FLOOD }, async (tx) => {
        most = Math.max(most, (open += 1));
        await tx.query('select 1');
        if ((begun += 1) > 4) await otherIsAnswered;
        open -= 1;
      });
    const flood = Array.from({ length: 40 }, () =>
      slowRead()
        .then(() => 'done')
        .catch((error: unknown) => error),
    );
    await database.read({ groupId: OTHER }, (tx) => tx.query('select 1'));
    answered();
    const outcomes = await Promise.all(flood);
    expect(most).toBe(4);
    // Ten were admitted or waited; the last of them left its place in the queue to the other group.
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(9);
    expect(outcomes.filter((outcome) => outcome instanceof Overloaded)).toHaveLength(31);
  });
  it('a single statement without a group returns its rows', async () => {
    expect(await database.ungroupedStatement('select $1::int as n', [7])).toEqual([{ n: 7 }]);
    await expect(database.read({ groupId: OTHER }, () => database.ungroupedStatement('select 1', []))).rejects.toThrow(
      TransactionAlreadyOpen,
    );
  });
});
