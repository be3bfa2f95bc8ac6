import {
  Database,
  isConnectionLost,
  type LocalSettings,
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
  database = new Database(db.server.connection('chat_app'));
  await database.write(MINE, (tx) => add(tx, 1));
  await database.write(THEIRS, (tx) => add(tx, 2));
}, 60_000);
afterAll(async () => {
  await database.close();
  await db.close();
}, 30_000);

const add = (tx: Transaction, id: number): Promise<unknown> =>
  tx.query('insert into chat.note values ($1, $2)', [tx.groupId, id]);
const ids = async (scope: { groupId: string }): Promise<number[]> =>
  (await database.read(scope, (tx) => tx.query<{ id: number }>('select id from chat.note order by id'))).map(
    ({ id }) => id,
  );
const kill = (): void => db.server.cut();

describe('a group', () => {
  it('sees what was written under it, and nothing of another', async () => {
    expect([await ids(MINE), await ids(THEIRS)]).toEqual([[1], [2]]);
  });
  it('stays its own when many transactions run at the same time', async () => {
    const seen = await Promise.all(Array.from({ length: 60 }, (_, n) => ids(n % 2 === 0 ? MINE : THEIRS)));
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => [(n % 2) + 1]));
  });
  it('cannot write under the name of another', async () => {
    const work = database.write(MINE, (tx) => tx.query('insert into chat.note values ($1, 9)', [THEIRS.groupId]));
    expect(await failureOf(work)).toBe('42501');
  });
  it.each(["'; drop table chat.note; --", '', 'not-a-uuid', `${MINE.groupId}\n`])(
    'is named by a UUID, not by %j',
    async (groupId) => {
      await expect(database.read({ groupId }, (tx) => tx.query('select 1'))).rejects.toThrow(TypeError);
    },
  );
  it('is known to its transaction', async () => {
    expect(await database.read(MINE, (tx) => Promise.resolve(tx.groupId))).toBe(MINE.groupId);
  });
});

describe('a transaction', () => {
  it('reads only when it was opened to read', async () => {
    expect(await failureOf(database.read(MINE, (tx) => add(tx, 3)))).toBe('25006');
    expect(await ids(MINE)).toEqual([1]);
  });
  it('is rolled back when its work throws, and the error is the one of the work', async () => {
    const work = database.write(MINE, async (tx) => {
      await add(tx, 4);
      throw new RangeError('as planned');
    });
    await expect(work).rejects.toThrow(new RangeError('as planned'));
    expect(await ids(MINE)).toEqual([1]);
  });
  it('is rolled back as a whole when one of its statements fails', async () => {
    const work = database.write(MINE, async (tx) => {
      await add(tx, 5);
      await tx.query('select 1 / 0');
    });
    expect(await failureOf(work)).toBe('22012');
    expect(await ids(MINE)).toEqual([1]);
  });
  it('answers what its work answers', async () => {
    expect(await database.write(MINE, () => Promise.resolve('done'))).toBe('done');
  });
  it('sees no tenant row without a group, and has none', async () => {
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
  it('is not opened inside another, whichever kind they are', async () => {
    const kinds = [
      (work: () => Promise<unknown>) => database.read(MINE, work),
      (work: () => Promise<unknown>) => database.write(MINE, work),
      (work: () => Promise<unknown>) => database.ungrouped(work),
    ];
    for (const outer of kinds)
      for (const inner of kinds)
        await expect(outer(() => inner(() => Promise.resolve()))).rejects.toThrow(TransactionAlreadyOpen);
  });
  it('can be told from outside it, also after it failed', async () => {
    const seen = [transactionIsOpen()];
    await database.read(MINE, () => Promise.resolve(seen.push(transactionIsOpen())));
    await database.read(MINE, () => Promise.reject(new Error('x'))).catch(() => undefined);
    expect([...seen, transactionIsOpen()]).toEqual([false, true, false]);
  });
  it('that writes, on connections which are dead, begins anew, with its statements in their order, once', async () => {
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
  it('gives its connection back, whatever happened in it', async () => {
    for (let n = 0; n < 20; n += 1)
      await database.write(MINE, () => Promise.reject(new Error('again'))).catch(() => undefined);
    await database.ping();
  });
});

describe('a setting', () => {
  const show = (tx: Transaction): Promise<unknown> => tx.query('show enable_seqscan');
  it('of the fixed list holds for its transaction and no longer', async () => {
    expect(await database.read(MINE, show, { enable_seqscan: 'off' })).toEqual([{ enable_seqscan: 'off' }]);
    expect(await database.read(MINE, show)).toEqual([{ enable_seqscan: 'on' }]);
  });
  it('of an extension may be set as well', async () => {
    await database.read(MINE, show, { 'hnsw.iterative_scan': 'relaxed_order', 'hnsw.ef_search': '80' });
  });
  it.each([
    [{ role: 'postgres' }],
    [{ search_path: 'auth' }],
    [{ 'app.group_id': THEIRS.groupId }],
    [{ enable_seqscan: "off'; select 1; --" }],
  ])('that is not on the list, or no plain word, is refused: %j', async (local) => {
    await expect(database.read(MINE, show, local as LocalSettings)).rejects.toThrow(TypeError);
  });
});

describe('a beginning that the engine refuses', () => {
  it.each(['read', 'write'] as const)(
    'is the answer, whatever the work made of it, and nothing is done: %s',
    async (how) => {
      const insert = (tx: Transaction): Promise<unknown> => add(tx, 77).catch(() => 'swallowed');
      await expect(database[how](MINE, insert, { statement_timeout: 'soon' })).rejects.toThrow('statement_timeout');
      expect(await ids(MINE)).not.toContain(77);
    },
  );
});

describe('a lost connection', () => {
  it('makes a read start once more, on the engine that was started again', async () => {
    let attempts = 0;
    const found = await database.read(MINE, async (tx) => {
      attempts += 1;
      await tx.query('select 1');
      if (attempts === 1) kill();
      return tx.query('select id from chat.note, pg_sleep(0.2)');
    });
    expect({ attempts, found }).toEqual({ attempts: 2, found: [{ id: 1 }] });
  }, 20_000);
  it('makes a read start once more when it was lost between two statements', async () => {
    let attempts = 0;
    await database.read(MINE, async (tx) => {
      attempts += 1;
      await tx.query('select 1');
      if (attempts === 1) kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return tx.query('select 1');
    });
    expect(attempts).toBe(2);
  }, 20_000);
  it('makes a read fail that loses it twice', async () => {
    let attempts = 0;
    const work = database.read(MINE, async (tx) => {
      attempts += 1;
      await tx.query('select 1');
      kill();
      return tx.query('select pg_sleep(0.2)');
    });
    expect(await work.catch(isConnectionLost)).toBe(true);
    expect(attempts).toBe(2);
  }, 20_000);
  it('makes a write fail, which is never repeated, and leaves nothing of it', async () => {
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
  }, 60_000);
  it('is told from an error of the statement', async () => {
    const wrong = await database.read(MINE, (tx) => tx.query('select nothing')).catch((error: unknown) => error);
    expect(isConnectionLost(wrong)).toBe(false);
  });
});
