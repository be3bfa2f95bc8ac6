import { randomUUID } from 'node:crypto';
import type { Database, TenantScope } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import {
  isStalled,
  type NewTask,
  type Stage,
  Tasks,
  taskMigrations,
  taskState,
  URGENT,
  WorkSql,
  WorkStore,
} from '../src';

const stage = (name: string): Stage => ({ name, batch: 1, leaseSeconds: 30, attempts: 1 });
const [FIRST, SECOND] = [stage('first'), stage('second')];
const sql = new WorkSql('ingestion');
const LABELS = { waiting: 'waits', delayed: 'is delayed', leased: 'is leased', done: 'is done', failed: 'failed' };

describe('the work of a service', () => {
  let server: TestDatabase;
  let database: Database;
  let tasks: Tasks;
  let work: WorkStore;
  let group: TenantScope;

  const put = async (more: Partial<NewTask> = {}): Promise<string> => {
    const task: NewTask = { subjectId: randomUUID(), stage: FIRST.name, generation: 1, ...more };
    await database.write(group, (tx) => tasks.enqueue(tx, task));
    return task.subjectId;
  };
  const set = (subjectId: string, change: string): Promise<unknown> =>
    database.write(group, (tx) => tx.query(`update ingestion.task set ${change} where subject_id = $1`, [subjectId]));
  const row = async (subjectId: string): Promise<Record<string, unknown> | undefined> =>
    (
      await database.read(group, (tx) =>
        tx.query('select status, priority, attempts, deaths from ingestion.task where subject_id = $1', [subjectId]),
      )
    )[0];
  /** The value of an expression for subjects `s`, with the group as $1. */
  const ask = async (expression: string, ids: readonly string[], join = ''): Promise<unknown[]> => {
    const text = `select ${expression} as answer from unnest($2::uuid[]) with ordinality s (id, place) ${join}
      where $1::uuid is not null order by s.place`;
    const rows = await database.read(group, (tx) => tx.query<{ answer: unknown }>(text, [group.groupId, ids]));
    return rows.map(({ answer }) => answer);
  };

  beforeAll(async () => {
    server = await openTestDatabase({ ingestion: taskMigrations('ingestion') });
    database = server.database('ingestion');
    tasks = new Tasks('ingestion', database);
    work = new WorkStore('ingestion', database);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    group = { groupId: randomUUID() };
  });

  const inEachState = async (): Promise<string[]> => {
    const delayed = await put({ delayMs: 60_000 });
    const [waiting, leased, done, failed] = [await put(), await put(), await put(), await put()];
    await set(leased, `status = 'LEASED', leased_until = now() + interval '1 minute'`);
    await set(done, `status = 'DONE'`);
    await set(failed, `status = 'FAILED'`);
    return [waiting, delayed, leased, done, failed];
  };

  it('a task is open while it waits or is leased', async () => {
    const ids = await inEachState();
    const open = [true, true, true, false, false];
    expect(await ask(sql.hasOpen({ group: '$1', subject: 's.id' }), ids)).toEqual(open);
    expect(await ask('s.id', ids, sql.joinOpen({ group: '$1', subject: 's.id' }))).toEqual(ids.slice(0, 3));
    expect(await database.read(group, (tx) => work.countOpen(tx))).toBe(3);
  });

  it('a task is named by its state, and delayed before its time', async () => {
    const ids = await inEachState();
    const states = await ask(taskState(LABELS), ids, sql.join({ group: '$1', subject: 's.id' }));
    expect(states).toEqual(Object.values(LABELS));
  });

  it('a tally counts open and failed tasks of the named stages', async () => {
    const [subjectId = ''] = await inEachState();
    await put({ subjectId, generation: 2 });
    await put({ subjectId, stage: SECOND.name });
    await database.write(group, (tx) =>
      tx.query(`update ingestion.task set status = 'FAILED' where subject_id = $1 and generation = 2`, [subjectId]),
    );
    const tally = sql.tally({ group: '$1', subject: 's.id', stages: [FIRST] });
    expect(await ask('w.waiting || $$ and $$ || w.failed', [subjectId], `cross join lateral (${tally}) w`)).toEqual([
      '1 and 1',
    ]);
  });

  it('a selector narrows to stages, a generation and sets of subjects', async () => {
    const subjectId = await put({ generation: 3 });
    await put({ stage: SECOND.name });
    const both = { group: '$1', stages: [FIRST, SECOND] } as const;
    const [counts] = await ask(
      `array[${sql.countOpen(both)}, ${sql.countOpen({ group: '$1', stages: [SECOND] })},
        ${sql.countOpen({ group: '$1', subject: { in: 'select unnest($2::uuid[])' } })},
        ${sql.countOpen({ group: '$1', subject: { any: '$2' } })}]`,
      [subjectId],
    );
    expect(counts).toEqual([2, 1, 1, 1]);
    expect(await ask(sql.openGenerations({ ...both, subject: 's.id' }), [subjectId])).toEqual([[3]]);
    expect(await ask(sql.hasOpen({ ...both, subject: 's.id', generation: 's.place' }), [subjectId])).toEqual([false]);
  });

  it('a task is stalled when no worker touched it for the named minutes', async () => {
    const [fresh, old, lost] = [await put(), await put(), await put()];
    await set(old, `not_before = now() - interval '6 minutes', updated_at = now() - interval '6 minutes'`);
    await set(lost, `status = 'LEASED', leased_until = now() - interval '6 minutes'`);
    const join = sql.join({ group: '$1', subject: 's.id' });
    expect(await ask(isStalled(5), [fresh, old, lost], join)).toEqual([false, true, true]);
    expect(await ask(isStalled(7), [fresh, old, lost], join)).toEqual([false, false, false]);
  });

  it('open work beside named stages is found, and only in its group', async () => {
    await put();
    expect(await work.hasOpenBeside(group, [FIRST])).toBe(false);
    await put({ stage: SECOND.name });
    expect(await work.hasOpenBeside(group, [FIRST])).toBe(true);
    expect(await work.hasOpenBeside({ groupId: randomUUID() }, [FIRST])).toBe(false);
  });

  it('advanced tasks begin now; excepted, leased and finished ones stay', async () => {
    const ids = await inEachState();
    const [waiting = '', delayed = '', leased = '', done = '', failed = ''] = ids;
    const excepted = await put();
    await database.write(group, (tx) =>
      tx.query(`update ingestion.task set status = 'FAILED', attempts = 6, deaths = 2 where subject_id = any($1)`, [
        [failed, excepted],
      ]),
    );
    const selection = { sql: 'select id as subject_id, 1 as generation from unnest($2::uuid[]) as given (id)' };
    const advanced = await database.write(group, (tx) =>
      work.advance(tx, { ...selection, value: [...ids, excepted] }, 20, [excepted]),
    );
    expect(advanced.sort()).toEqual([waiting, delayed, failed].sort());
    expect(await row(failed)).toEqual({ status: 'WAITING', priority: 20, attempts: 0, deaths: 0 });
    expect(await row(excepted)).toEqual({ status: 'FAILED', priority: 0, attempts: 6, deaths: 2 });
    expect([(await row(leased))?.['status'], (await row(done))?.['status']]).toEqual(['LEASED', 'DONE']);
    expect(await tasks.hasWaiting(group, FIRST.name)).toBe(true);
    expect((await tasks.claim(group, FIRST.name, 9, 30)).map(({ subjectId }) => subjectId)).toContain(delayed);
  });

  it('cancelled subjects lose open tasks and keep finished ones', async () => {
    const ids = await inEachState();
    const other = await put();
    await database.write(group, (tx) => work.cancel(tx, ids));
    const rows = await Promise.all([...ids, other].map(row));
    expect(rows.map((each) => each?.['status'])).toEqual([
      undefined,
      undefined,
      undefined,
      'DONE',
      'FAILED',
      'WAITING',
    ]);
  });

  it('a new priority keeps urgent tasks urgent and finished ones unchanged', async () => {
    const [usual, urgent, done] = [await put({ priority: 1 }), await put({ priority: URGENT }), await put()];
    await set(done, `status = 'DONE'`);
    await database.write(group, (tx) => work.prioritise(tx, [usual, urgent, done], 7));
    const rows = await Promise.all([usual, urgent, done].map(row));
    expect(rows.map((each) => each?.['priority'])).toEqual([7, URGENT + 7, 0]);
  });
});
