import { renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cancelIngestionRun, listRuns, registerFolder, startIngestionRun, startRun } from '@acervo/contracts';
import { Failpoints } from '@acervo/platform-messaging';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('recurring scans', () => {
  /** Long enough that nothing becomes due during a test. */
  const SECONDS = 30;
  let bench: Bench;
  let other: Bench;
  beforeAll(async () => {
    bench = await Bench.open(undefined, SECONDS);
    other = await bench.beside();
  });
  afterAll(() => bench.close());
  afterEach(() => jest.restoreAllMocks());

  const prepare = async (name: string, folders: readonly string[] = [name]) => {
    const groupId = newGroup();
    const paths = folders.map((folder) => bench.folder(folder, { 'a.txt': `Uno de ${folder}.` }));
    const codes: string[] = [];
    for (const path of paths)
      codes.push(String((await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' }))['location_code']));
    const sql = (text: string): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, text.includes('$1') ? [groupId] : []));
    /** Code, documents added and notice of each run, oldest first. */
    const runs = async (): Promise<unknown[][]> =>
      ((await bench.askAs(listRuns, groupId, {}))['runs'] as JsonObject[])
        .map(({ location_code, added, notice }) => [location_code, added, notice])
        .toReversed();
    const scan = () => bench.ask(startRun, groupId, { location_code: codes[0] });
    /** Makes the next check due now. */
    const hasten = () =>
      sql(
        `update ingestion.task set not_before = now() where group_id = $1 and stage = 'rescan' and status = 'WAITING'`,
      );
    /** Dates all runs an hour back. */
    const anHourLater = async (): Promise<void> => {
      const times = ['created_at', 'started_at', 'finished_at', 'awaited_at'];
      const earlier = times.map((time) => `${time} = ${time} - interval '1 hour'`).join(', ');
      await sql(`update ingestion.run set ${earlier} where group_id = $1`);
      await hasten();
    };
    const look = async (which = bench): Promise<void> => {
      await which.workStage(groupId, 'rescan');
      await which.workStage(groupId, 'scan');
    };
    const untilRuns = async (count: number, which = bench): Promise<unknown[][]> => {
      for (let all = await runs(); ; all = await runs()) {
        if (all.length >= count) return all;
        await look(which);
        await pause(50);
      }
    };
    return { groupId, paths, codes, sql, runs, scan, hasten, anHourLater, look, untilRuns };
  };

  it('a folder is scanned repeatedly, and new files are read', async () => {
    const { groupId, scan, hasten, untilRuns } = await prepare('alone');
    const eager = await bench.beside(1);
    await scan();
    await hasten();
    bench.folder('alone', { 'b.txt': 'Dos.' });
    expect((await untilRuns(2, eager)).map(([, added]) => added)).toEqual([1, 1]);
    bench.folder('alone', { 'c.txt': 'Tres.' });
    expect((await untilRuns(3, eager)).map(([, added]) => added)).toEqual([1, 1, 1]);
    await bench.work(groupId);
    expect(bench.source.read).toContain('c.txt');
  });

  it('no scan begins before it is due, counted from the latest scan', async () => {
    const { scan, runs, hasten, anHourLater, look } = await prepare('early');
    await scan();
    await anHourLater();
    await scan();
    for (let times = 0; times < 3; times += 1) {
      await hasten();
      await look();
    }
    expect(await runs()).toHaveLength(2);
  });

  it('two replicas scan once, and one resumes the work of the other', async () => {
    const { scan, runs, sql, anHourLater, untilRuns } = await prepare('both');
    await scan();
    await anHourLater();
    await Promise.all([untilRuns(2), untilRuns(2, other)]);
    expect(await runs()).toHaveLength(2);
    await anHourLater();
    await sql(
      `update ingestion.task set status = 'LEASED', lease = gen_random_uuid(), leased_until = now() - interval '1 second'
       where group_id = $1 and stage = 'rescan'`,
    );
    expect(await untilRuns(3, other)).toHaveLength(3);
  });

  it('a root has at most one waiting scan, however often due', async () => {
    const { groupId, scan, runs, hasten, anHourLater, untilRuns } = await prepare('piled');
    await scan();
    await anHourLater();
    while ((await runs()).length < 2) {
      await bench.workStage(groupId, 'rescan');
      await pause(50);
    }
    for (let times = 0; times < 3; times += 1) {
      await anHourLater();
      await hasten();
      await bench.workStage(groupId, 'rescan');
    }
    expect(await runs()).toHaveLength(2);
    expect(await bench.workStage(groupId, 'scan')).toBe(1);
    await anHourLater();
    expect(await untilRuns(3)).toHaveLength(3);
  });

  it.each(['cancelled before it began', 'interrupted', 'left by a process that died'])(
    'a root is scanned again after a scan that was %s',
    async (how) => {
      const { groupId, codes, scan, sql, anHourLater, untilRuns } = await prepare(how);
      if (how === 'interrupted') {
        jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
          if (name === 'scan.batch') throw new Error('The disk is gone.');
        });
        await expect(scan()).rejects.toThrow();
        jest.restoreAllMocks();
      } else if (how === 'left by a process that died') {
        await scan();
        await sql('update ingestion.run set summary = null, finished_at = null where group_id = $1');
      } else {
        await bench.askAs(startIngestionRun, groupId, { location_code: codes[0] }, {}, 'operations');
        await bench.askAs(cancelIngestionRun, groupId, { run: 1 }, {}, 'operations');
      }
      bench.folder(how, { 'b.txt': 'Dos.' });
      await anHourLater();
      expect((await untilRuns(2))[1]).toEqual([codes[0], how.startsWith('cancelled') ? 2 : 1, null]);
    },
  );

  it('an unmounted folder changes nothing, blocks no other, and is scanned later', async () => {
    const { paths, codes, scan, anHourLater, hasten, untilRuns, runs } = await prepare('mounts', ['share', 'disk']);
    const [share, away] = [paths[0] ?? '', `${paths[0]}-away`];
    await scan();
    renameSync(share, away);
    bench.folder('disk', { 'b.txt': 'Dos.' });
    await anHourLater();
    while ((await runs()).length < 3) {
      await hasten();
      await untilRuns((await runs()).length + 1);
    }
    expect((await runs()).slice(1).sort()).toEqual([
      [codes[0], 0, 'The folder cannot be read now, so nothing was changed.'],
      [codes[1], 2, null],
    ]);
    renameSync(away, share);
    bench.folder('share', { 'b.txt': 'Dos.' });
    await anHourLater();
    const came = async () =>
      (await runs()).some(([code, added], index) => index > 2 && code === codes[0] && added === 1);
    while (!(await came())) {
      await hasten();
      await untilRuns((await runs()).length + 1);
    }
  });

  it('no interval disables recurring scans; setting one starts them', async () => {
    const { groupId, paths, scan, sql, runs, anHourLater, untilRuns } = await prepare('off');
    const off = await bench.beside(0);
    await scan();
    await anHourLater();
    expect(await off.workStage(groupId, 'rescan')).toBe(1);
    expect(await off.workStage(groupId, 'scan')).toBe(0);
    const waiting = `select stage from ingestion.task where group_id = $1 and stage = 'rescan' and status <> 'DONE'`;
    expect([await sql(waiting), (await runs()).length]).toEqual([[], 1]);
    // As at each start of a program with folders; on servers the comparison of the stores does so.
    await bench.ask(registerFolder, groupId, { path: paths[0], entity_code: 'E1' });
    await anHourLater();
    expect(await untilRuns(2)).toHaveLength(2);
  });
});
