import { setTimeout as pause } from 'node:timers/promises';
import { listRuns, registerFolder, startIngestionRun, startRun } from '@acervo/contracts';
import { Failpoints } from '@acervo/platform-messaging';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('a run whose scan is interrupted', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => jest.restoreAllMocks());

  const prepare = async (name: string, files: Record<string, string> = { 'a.txt': 'Uno.', 'b.txt': 'Dos.' }) => {
    const groupId = newGroup();
    const path = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    const scan = (which = bench) => which.ask(startRun, groupId, { location_code });
    const ask = () => bench.askAs(startIngestionRun, groupId, { location_code }, {}, 'operations');
    /** Number, state and notice of each run, oldest first. */
    const runs = async (): Promise<unknown[]> => {
      const { runs: all } = await bench.askAs(listRuns, groupId, {});
      return (all as JsonObject[]).map(({ run, status, notice }) => [run, status, notice]).toReversed();
    };
    const sql = (text: string): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query(text, [groupId]));
    const waitForLock = (until: string): Promise<unknown> =>
      sql(`insert into ingestion.scan_turn values ($1, '${String(location_code)}', gen_random_uuid(), 1, now() + interval '${until}')
           on conflict (group_id, root_code) do update set held_until = excluded.held_until`);
    /** The state that a killed process leaves during a scan. */
    const killed = async (): Promise<void> => {
      await sql(`update ingestion.run set summary = null, finished_at = null where group_id = $1`);
      await waitForLock('-1 seconds');
    };
    return { groupId, scan, ask, runs, sql, waitForLock, killed };
  };

  it('an interrupted run ends when another scan of the root begins', async () => {
    const { scan, runs, killed } = await prepare('killed');
    await scan();
    await killed();
    expect(await runs()).toEqual([[1, 'SCANNING', null]]);
    await scan();
    expect(await runs()).toEqual([
      [1, 'IN_PROGRESS', 'The scan was interrupted; run 2 continued it.'],
      [2, 'COMPLETED', null],
    ]);
  });

  it('a failed scan ends its run at once and reports the failure', async () => {
    const { scan, runs } = await prepare('failed');
    jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
      if (name === 'scan.batch') throw new Error('The disk is gone.');
    });
    await expect(scan()).rejects.toThrow();
    expect(await runs()).toEqual([
      [1, 'IN_PROGRESS', 'The scan failed and was stopped; the next scan of the folder continues.'],
    ]);
  });

  it('a run with a task resumes under its own number', async () => {
    const { groupId, scan, ask, runs, sql } = await prepare('task');
    await ask();
    // The worker died during the scan: the task still exists, and the run has begun.
    await sql(`update ingestion.run set started_at = now() where group_id = $1`);
    await scan();
    expect((await runs())[0]).toEqual([1, 'SCANNING', null]);
    await bench.workStage(groupId, 'scan');
    expect(await runs()).toEqual([
      [1, 'COMPLETED', null],
      [2, 'IN_PROGRESS', null],
    ]);
  });

  it('ten rollouts bury no scan; each goes on where the last one was', async () => {
    const count = 600;
    const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, name]));
    const { groupId, ask, runs, sql } = await prepare('rollouts', files);
    await ask();
    const registered = async (): Promise<number> =>
      (await sql('select from ingestion.document where group_id = $1')).length;
    for (let rollout = 1; rollout <= 10; rollout += 1) {
      const before = await registered();
      let wrote = (): void => undefined;
      const begun = new Promise<void>((resolve) => (wrote = resolve));
      const spy = jest
        .spyOn(Failpoints.none, 'hit')
        .mockImplementation((name) => void (name === 'scan.batch' && wrote()));
      await bench.workInterrupted(groupId, 'scan', begun);
      spy.mockRestore();
      expect(await registered()).toBeGreaterThan(before);
      expect(
        await sql(`select status, attempts, deaths from ingestion.task where group_id = $1 and stage = 'scan'`),
      ).toEqual([{ status: 'WAITING', attempts: 0, deaths: 0 }]);
      expect(await sql(`select from ingestion.scan_turn where group_id = $1`)).toEqual([]);
    }
    expect(await registered()).toBeLessThan(count);
    await bench.workStage(groupId, 'scan');
    expect(await registered()).toBe(count);
    expect(await runs()).toEqual([[1, 'IN_PROGRESS', null]]);
  });

  it('a run lives while its caller waits, and ends when waiters expire', async () => {
    const { scan, runs, sql, waitForLock } = await prepare('waiting');
    await waitForLock('1 hour');
    const waiting = scan();
    while ((await runs()).length === 0) await pause(20);
    expect(await runs()).toEqual([[1, 'PENDING', null]]);
    await sql(
      `insert into ingestion.run (group_id, run, location_code, awaited_at)
         select group_id, 900, location_code, now() - interval '20 seconds' from ingestion.run where group_id = $1
       union all select group_id, 901, location_code, now() from ingestion.run where group_id = $1`,
    );
    await waitForLock('-1 seconds');
    await waiting;
    expect(await runs()).toEqual([
      [1, 'IN_PROGRESS', null],
      [900, 'COMPLETED', 'The scan was interrupted; run 1 continued it.'],
      [901, 'PENDING', null],
    ]);
  });

  it('a run stays awaited while its scan waits behind another', async () => {
    const { scan, runs, sql, waitForLock } = await prepare('awaited');
    await waitForLock('1 hour');
    const waiting = scan();
    while ((await runs()).length === 0) await pause(20);
    const seconds = async (): Promise<number> =>
      Number(
        (await sql('select extract(epoch from awaited_at) as at from ingestion.run where group_id = $1'))[0]?.['at'],
      );
    const planned = await seconds();
    while ((await seconds()) === planned) await pause(100);
    await waitForLock('-1 seconds');
    await waiting;
  });
});
