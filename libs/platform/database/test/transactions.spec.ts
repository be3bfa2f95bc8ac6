import {
  Database,
  isConnectionLost,
  type LocalSettings,
  StatementAfterEnd,
  tenantTable,
  type Transaction,
  TransactionAlreadyOpen,
  transactionIsOpen,
} from '../src';
import { failureOf, type Running, startDatabase } from './support';

const MINE = { groupId: '11111111-1111-4111-8111-111111111111' };
const THEIRS = { groupId: '22222222-2222-4222-8222-222222222222' };
let db: Running;
let database: Database;

beforeAll(async () => {
  db = await startDatabase();
  await db.run(
    'chat_owner',
    `create table chat.note (group_id uuid not null, id int, primary key (group_id, id)); ${tenantTable('chat', 'note')}
     create table chat.incoming (id int primary key); grant select, insert on chat.incoming to chat_app`,
  );
  // A busy machine restarts the engine slowly; what is repeated does not depend on it.
  database = new Database(db.server.connection('chat_app'), undefined, 120_000);
  await database.write(MINE, (tx) => add(tx, 1));
  await database.write(THEIRS, (tx) => add(tx, 2));
});
afterAll(async () => {
  await database.close();
  await db.close();
});

const add = (tx: Transaction, id: number): Promise<unknown> =>
  tx.query('insert into chat.note values ($1, $2)', [tx.groupId, id]);
const ids = async (scope: { groupId: string }): Promise<number[]> =>
  (await database.read(scope, (tx) => tx.query<{ id: number }>('select id from chat.note order by id'))).map(
    ({ id }) => id,
  );
const kill = (): void => db.server.cut();

describe('a group', () => {
  it('a group sees its own rows, and none of another', async () => {
    expect([await ids(MINE), await ids(THEIRS)]).toEqual([[1], [2]]);
  });
  it('groups stay separate in concurrent transactions', async () => {
    const seen = await Promise.all(Array.from({ length: 60 }, (_, n) => ids(n % 2 === 0 ? MINE : THEIRS)));
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => [(n % 2) + 1]));
  });
  it('a group cannot write rows of another group', async () => {
    const work = database.write(MINE, (tx) => tx.query('insert into chat.note values ($1, 9)', [THEIRS.groupId]));
    expect(await failureOf(work)).toBe('42501');
  });
  it.each(["'; drop table chat.note; --", '', 'not-a-uuid', `${MINE.groupId}\n`])(
    'a group is named by a UUID, not by %j',
    async (groupId) => {
      await expect(database.read({ groupId }, (tx) => tx.query('select 1'))).rejects.toThrow(TypeError);
    },
  );
  it('a transaction knows its group', async () => {
    expect(await database.read(MINE, (tx) => Promise.resolve(tx.groupId))).toBe(MINE.groupId);
  });
});

describe('a transaction', () => {
  it('a transaction opened to read cannot write', async () => {
    expect(await failureOf(database.read(MINE, (tx) => add(tx, 3)))).toBe('25006');
    expect(await ids(MINE)).toEqual([1]);
  });
  it('a throwing transaction is rolled back and rethrows', async () => {
    const work = database.write(MINE, async (tx) => {
      await add(tx, 4);
      throw new RangeError('as planned');
    });
    await expect(work).rejects.toThrow(new RangeError('as planned'));
    expect(await ids(MINE)).toEqual([1]);
  });
  it('a failed statement rolls back its whole transaction', async () => {
    const work = database.write(MINE, async (tx) => {
      await add(tx, 5);
      await tx.query('select 1 / 0');
    });
    expect(await failureOf(work)).toBe('22012');
    expect(await ids(MINE)).toEqual([1]);
  });
  it('a transaction returns the result of its work', async () => {
    expect(await database.write(MINE, () => Promise.resolve('done'))).toBe('done');
  });
  it('a transaction without a group sees no tenant row', async () => {
    await database.ungrouped(async (tx) => {
      expect(tx.groupId).toBeNull();
      expect(await tx.query('select * from chat.note')).toEqual([]);
      await tx.query('insert into chat.incoming values (1)');
    });
    expect(await database.ungrouped((tx) => tx.query('select id from chat.incoming'))).toEqual([{ id: 1 }]);
    expect(
      await failureOf(database.ungrouped((tx) => tx.query('insert into chat.note values ($1, 1)', [MINE.groupId]))),
    ).toBe('42501');
  });
  it('a nested transaction of any kind is refused', async () => {
    const kinds = [
      (work: () => Promise<unknown>) => database.read(MINE, work),
      (work: () => Promise<unknown>) => database.write(MINE, work),
      (work: () => Promise<unknown>) => database.ungrouped(work),
    ];
    for (const outer of kinds)
      for (const inner of kinds)
        await expect(outer(() => inner(() => Promise.resolve()))).rejects.toThrow(TransactionAlreadyOpen);
  });
  it('an open transaction is detected, also after it failed', async () => {
    const seen = [transactionIsOpen()];
    await database.read(MINE, () => Promise.resolve(seen.push(transactionIsOpen())));
    await database.read(MINE, () => Promise.reject(new Error('x'))).catch(() => undefined);
    expect([...seen, transactionIsOpen()]).toEqual([false, true, false]);
  });
  it('a write on dead connections begins again once, in order', async () => {
    await Promise.all(Array.from({ length: 4 }, () => ids(MINE)));
    kill();
    let times = 0;
    const answers = await database.write(MINE, (tx) => {
      times += 1;
      const count = (name: string): Promise<unknown> =>
        tx.query('select $1::text || count(*) as n from chat.note', [name]);
      return Promise.all(['a', 'b', 'c'].map(count));
    });
    expect([times, answers]).toEqual([1, [[{ n: 'a1' }], [{ n: 'b1' }], [{ n: 'c1' }]]]);
  });
  it('a transaction releases its connection after success and failure', async () => {
    for (let n = 0; n < 20; n += 1)
      await database.write(MINE, () => Promise.reject(new Error('again'))).catch(() => undefined);
    await expect(database.read(MINE, (tx) => tx.query('select 1 as one'))).resolves.toEqual([{ one: 1 }]);
  });
  it.each(['commits', 'rolls back'])('a statement after its transaction %s is refused', async (how) => {
    const transactions: Transaction[] = [];
    const work = database.write(MINE, async (tx) => {
      transactions.push(tx);
      await tx.query('select 1');
      if (how === 'rolls back') throw new Error('again');
    });
    await work.catch(() => undefined);
    await expect(transactions[0]?.query('select 1')).rejects.toThrow(StatementAfterEnd);
  });
});

describe('a read at once', () => {
  const notes = 'select id from chat.note order by id';
  it('a group sees its own rows, and none of another', async () => {
    const seen = await Promise.all([MINE, THEIRS].map((scope) => database.readAtOnce(scope, (tx) => tx.query(notes))));
    expect(seen).toEqual([[{ id: 1 }], [{ id: 2 }]]);
  });
  it('statements sent together are answered together, under the settings of the read', async () => {
    const both = database.readAtOnce(
      MINE,
      (tx) => Promise.all([tx.query('show enable_sort'), tx.prepared('select $1::int as n', [3])]),
      { enable_sort: 'off' },
    );
    expect(await both).toEqual([[{ enable_sort: 'off' }], [{ n: 3 }]]);
  });
  it('a statement that comes after an answer is refused and does not run', async () => {
    const work = database.readAtOnce(MINE, async (tx) => {
      await tx.query(notes);
      return tx.query('select pg_sleep(60)');
    });
    await expect(work).rejects.toThrow(StatementAfterEnd);
  });
  it('a failed statement is the error, and its connection serves the next read', async () => {
    const one = new Database({ ...db.server.connection('chat_app'), max: 1 });
    expect(await failureOf(one.readAtOnce(MINE, (tx) => tx.query('select 1 / 0')))).toBe('22012');
    expect(await failureOf(one.readAtOnce(MINE, (tx) => add(tx, 8)))).toBe('25006');
    expect(await one.readAtOnce(MINE, (tx) => tx.query(notes))).toEqual([{ id: 1 }]);
    expect(await one.readAtOnce(THEIRS, (tx) => tx.query(notes))).toEqual([{ id: 2 }]);
    await one.close();
  });
  it('no group and no setting is left behind on its connection', async () => {
    const one = new Database({ ...db.server.connection('chat_app'), max: 1 });
    await one.readAtOnce(MINE, (tx) => tx.query(notes), { enable_sort: 'off' });
    expect(await one.ungrouped((tx) => tx.query(notes))).toEqual([]);
    expect(await one.ungrouped((tx) => tx.query('show enable_sort'))).toEqual([{ enable_sort: 'on' }]);
    await one.close();
  });
  it('dead connections are replaced', async () => {
    await Promise.all(Array.from({ length: 4 }, () => ids(MINE)));
    kill();
    expect(await database.readAtOnce(MINE, (tx) => tx.query(notes))).toEqual([{ id: 1 }]);
  });
});

describe('a setting', () => {
  const show = (tx: Transaction): Promise<unknown> => tx.query('show enable_seqscan');
  it('an allowed setting lasts for its transaction only', async () => {
    expect(await database.read(MINE, show, { enable_seqscan: 'off' })).toEqual([{ enable_seqscan: 'off' }]);
    expect(await database.read(MINE, show)).toEqual([{ enable_seqscan: 'on' }]);
  });
  it('an allowed setting of an extension can be set', async () => {
    await database.read(MINE, show, { 'hnsw.iterative_scan': 'relaxed_order', 'hnsw.ef_search': '80' });
  });
  it.each([
    [{ role: 'postgres' }],
    [{ search_path: 'auth' }],
    [{ 'app.group_id': THEIRS.groupId }],
    [{ enable_seqscan: "off'; select 1; --" }],
  ])('a setting outside the list, or malformed, is refused: %j', async (local) => {
    await expect(database.read(MINE, show, local as LocalSettings)).rejects.toThrow(TypeError);
  });
});

describe('a refused begin', () => {
  it.each(['read', 'readAtOnce', 'write'] as const)(
    'a refused begin is the error, and nothing is done: %s',
    async (how) => {
      const insert = (tx: Transaction): Promise<unknown> => add(tx, 77).catch(() => 'swallowed');
      await expect(database[how](MINE, insert, { statement_timeout: 'soon' })).rejects.toThrow('statement_timeout');
      expect(await ids(MINE)).not.toContain(77);
    },
  );
});

describe('a lost connection', () => {
  it('a lost connection repeats a read on the restarted engine', async () => {
    let attempts = 0;
    const found = await database.read(MINE, async (tx) => {
      attempts += 1;
      await tx.query('select 1');
      if (attempts === 1) kill();
      return tx.query('select id from chat.note, pg_sleep(0.2)');
    });
    expect({ attempts, found }).toEqual({ attempts: 2, found: [{ id: 1 }] });
  });
  it('a connection lost between two statements repeats the read', async () => {
    let attempts = 0;
    await database.read(MINE, async (tx) => {
      attempts += 1;
      await tx.query('select 1');
      if (attempts === 1) kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return tx.query('select 1');
    });
    expect(attempts).toBe(2);
  });
  it('a connection lost twice fails the read', async () => {
    let attempts = 0;
    const work = database.read(MINE, async (tx) => {
      attempts += 1;
      await tx.query('select 1');
      kill();
      return tx.query('select pg_sleep(0.2)');
    });
    expect(await work.catch(isConnectionLost)).toBe(true);
    expect(attempts).toBe(2);
  });
  it('a lost connection fails a write, which leaves no changes', async () => {
    let attempts = 0;
    const work = database.write(MINE, async (tx) => {
      attempts += 1;
      await add(tx, 6);
      kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await add(tx, 7);
    });
    expect(await work.catch(isConnectionLost)).toBe(true);
    expect(attempts).toBe(1);
    // The engine is started again, which takes a busy machine longer than a read waits for it.
    const found = (): Promise<number[]> =>
      ids(MINE).catch((error: unknown) => (isConnectionLost(error) ? found() : Promise.reject(error)));
    expect(await found()).toEqual([1]);
  });
  it('a lost connection differs from an error of the statement', async () => {
    const wrong = await database.read(MINE, (tx) => tx.query('select nothing')).catch((error: unknown) => error);
    expect(isConnectionLost(wrong)).toBe(false);
  });
});

describe('a transaction that the engine aborts', () => {
  const aborted = (code: string): string => `do $$ begin raise exception using errcode = '${code}'; end $$`;
  /** Runs work that is aborted so many times; answers how often it began, and its result or the code of its error. */
  const outcomeOf = async (how: 'read' | 'write', code: string, times: number) => {
    let attempts = 0;
    const work = database[how](MINE, async (tx) => {
      attempts += 1;
      if (attempts <= times) await tx.query(aborted(code));
      return tx.query('select 1 as one');
    });
    const result = await work.catch((error: unknown) => (error as { code?: string }).code);
    return { attempts, result };
  };

  it.each(['40P01', '40001'])('a read that is aborted with %s is repeated once', async (code) => {
    expect(await outcomeOf('read', code, 1)).toEqual({ attempts: 2, result: [{ one: 1 }] });
    expect(await outcomeOf('read', code, 2)).toEqual({ attempts: 2, result: code });
  });
  it.each(['40P01', '40001'])('a write that is aborted with %s is not repeated', async (code) => {
    expect(await outcomeOf('write', code, 1)).toEqual({ attempts: 1, result: code });
  });
  it('a read that fails for another reason is not repeated', async () => {
    expect(await outcomeOf('read', '22012', 1)).toEqual({ attempts: 1, result: '22012' });
  });
});
