import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  advanceIngestionRun,
  cancelIngestionRun,
  listDocuments,
  listQueue,
  listRuns,
  NotFound,
  registerFolder,
  startIngestionRun,
  startRun,
} from '@acervo/contracts';
import { Failpoints } from '@acervo/platform-messaging';
import { Bench, newGroup } from './bench';
import { FEW } from '../src/kernel/priority';

type JsonObject = Record<string, unknown>;

describe('a run', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => jest.restoreAllMocks());

  const prepare = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const root = bench.folder(name, files);
    const registered = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const location_code = String(registered['location_code']);
    const ask = (call: Parameters<Bench['askAs']>[0], input: JsonObject = {}, claims = {}) =>
      bench.askAs(call, groupId, input, claims, 'operations');
    const runs = async (claims = {}): Promise<JsonObject[]> =>
      (await ask(listRuns, {}, claims))['runs'] as JsonObject[];
    const scan = () => bench.ask(startRun, groupId, { location_code });
    return { groupId, root, location_code, ask, runs, scan };
  };
  const FILES = { 'a.txt': 'Uno.', 'b.txt': 'Dos.', '.hidden': 'x' };

  it('a started run waits, scans, works and completes', async () => {
    const { groupId, location_code, ask, runs } = await prepare('start', FILES);
    expect(await ask(startIngestionRun, { location_code })).toEqual({ run: 1 });
    expect(await runs()).toEqual([expect.objectContaining({ run: 1, status: 'PENDING', seen: 0, waiting: 0 })]);
    expect(await bench.workStage(groupId, 'scan')).toBe(1);
    expect(await runs()).toEqual([
      expect.objectContaining({
        run: 1,
        location_code,
        status: 'IN_PROGRESS',
        seen: 2,
        added: 2,
        ignored: 1,
        waiting: 2,
      }),
    ]);
    await bench.work(groupId);
    expect(await runs()).toEqual([expect.objectContaining({ status: 'COMPLETED', waiting: 0, notice: null })]);
  });

  it('a run counts only the documents that it started', async () => {
    const { groupId, root, runs, scan } = await prepare('second', {
      'a.txt': 'Uno.',
      'b.txt': 'Dos.',
      'c.txt': 'Tres.',
    });
    await scan();
    await bench.work(groupId);
    unlinkSync(join(root, 'a.txt'));
    await scan();
    expect((await runs()).map(({ run, added, missing, waiting }) => [run, added, missing, waiting])).toEqual([
      [2, 0, 1, 0],
      [1, 3, 0, 0],
    ]);
  });

  it('a cancelled run leaves its documents to the next scan', async () => {
    const { groupId, ask, runs, scan } = await prepare('cancel', FILES);
    await scan();
    expect(await ask(cancelIngestionRun, { run: 1 })).toEqual({ run: 1, documents: 2 });
    expect(await bench.work(groupId)).toBe(0);
    expect(await runs()).toEqual([expect.objectContaining({ status: 'CANCELLED', waiting: 0 })]);
    await scan();
    await bench.work(groupId);
    const { documents } = await bench.askAs(listDocuments, groupId, {});
    expect((documents as JsonObject[]).map(({ status }) => status)).toEqual(['CHUNKED', 'CHUNKED']);
  });

  it('a run cancelled before its start never scans', async () => {
    const { groupId, location_code, ask, runs } = await prepare('never', FILES);
    await ask(startIngestionRun, { location_code });
    await ask(cancelIngestionRun, { run: 1 });
    expect(await bench.work(groupId)).toBe(0);
    expect(await runs()).toEqual([expect.objectContaining({ status: 'CANCELLED', seen: 0 })]);
  });

  /** Cancels the first run once its scan has written something; answers a promise to await after the scan. */
  const cancelInTheMiddle = (ask: (call: typeof cancelIngestionRun, input: JsonObject) => Promise<JsonObject>) => {
    const cancelling: Promise<JsonObject>[] = [];
    jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
      if (name === 'scan.batch' && cancelling.length === 0) cancelling.push(ask(cancelIngestionRun, { run: 1 }));
    });
    return () => Promise.all(cancelling);
  };
  const MANY = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}.txt`, `Texto ${index}.`]));

  it.each(['at once', 'by a task'])('a run cancelled during its scan (%s) registers nothing more', async (how) => {
    const { groupId, location_code, ask, runs, scan } = await prepare(`cancel ${how}`, MANY);
    const cancelled = cancelInTheMiddle(ask);
    if (how === 'by a task') {
      await ask(startIngestionRun, { location_code });
      await bench.workStage(groupId, 'scan');
    } else expect(await scan()).toMatchObject({ notice: expect.stringMatching(/was cancelled/) as string });
    const [published] = await cancelled();
    jest.restoreAllMocks();
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ status: 'CANCELLED', seen: 400, waiting: 0 });
    expect(run).toMatchObject({ notice: expect.stringMatching(/the next scan of the folder continues/) as string });
    // The answer of the cancellation counts what was registered before it: no batch follows.
    expect([published?.['documents'], Number(run?.['added']) < 400]).toEqual([run?.['added'], true]);
    expect(await bench.work(groupId)).toBe(0);
    expect(await scan()).toMatchObject({ seen: 400, added: 400 - Number(run?.['added']), notice: null });
  });

  it('a run cancelled during its wait for the scan lock never scans', async () => {
    const { groupId, location_code, ask, runs, scan } = await prepare('cancel in turn', FILES);
    const waitForLock = (until: string): Promise<unknown> =>
      bench.database.write({ groupId }, (tx) =>
        tx.query(
          `insert into ingestion.scan_turn values ($1, $2, gen_random_uuid(), 0, now() + $3::interval)
           on conflict (group_id, root_code) do update set held_until = excluded.held_until`,
          [groupId, location_code, until],
        ),
      );
    await waitForLock('1 hour');
    const waiting = scan();
    while ((await runs()).length === 0) await pause(20);
    await ask(cancelIngestionRun, { run: 1 });
    await waitForLock('-1 seconds');
    expect(await waiting).toMatchObject({ seen: 0, notice: expect.stringMatching(/was cancelled/) as string });
    expect(await runs()).toEqual([expect.objectContaining({ status: 'CANCELLED', seen: 0 })]);
  });

  it('an advanced run goes before work that waited longer', async () => {
    const many = (letter: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: FEW + 1 }, (_, at) => [`${letter}${at}.txt`, `Texto ${letter} ${at}.`]));
    const { groupId, ask, scan } = await prepare('advance', many('a'));
    await scan();
    bench.folder('advance', many('z'));
    await scan();
    expect(await ask(advanceIngestionRun, { run: 2 })).toEqual({ run: 2, documents: FEW + 1 });
    const takeFile = jest.spyOn(bench.files, 'takeFile');
    await bench.workStage(groupId, 'acquire');
    const letters = takeFile.mock.calls.map(([{ relativePath }]) => relativePath[0]);
    const half = FEW + 1;
    takeFile.mockRestore();
    expect([letters.slice(0, half), letters.slice(half)]).toEqual([Array(half).fill('z'), Array(half).fill('a')]);
  });

  it('a run and its queue are invisible where their location is', async () => {
    const { location_code, ask, runs, scan } = await prepare('hidden', FILES);
    await scan();
    const elsewhere = { locationRoots: ['L1'] };
    expect(await runs(elsewhere)).toEqual([]);
    expect(await ask(listQueue, {}, elsewhere)).toEqual({ items: [], total: 0 });
    for (const call of [advanceIngestionRun, cancelIngestionRun])
      await expect(ask(call, { run: 1 }, elsewhere)).rejects.toThrow(NotFound);
    await expect(ask(startIngestionRun, { location_code }, elsewhere)).rejects.toThrow(NotFound);
  });

  describe('the queue', () => {
    it('the queue lists each step of each document with its state', async () => {
      const { groupId, ask, scan } = await prepare('queue', FILES);
      await scan();
      await bench.workStage(groupId, 'acquire');
      const { items, total } = await ask(listQueue);
      expect(total).toBe(4);
      expect(
        (items as JsonObject[]).map(({ process, status, attempts }) => [process, status, attempts]).sort(),
      ).toEqual([
        ['ACQUIRE', 'COMPLETED', 1],
        ['ACQUIRE', 'COMPLETED', 1],
        ['VECTORS', 'PENDING', 0],
        ['VECTORS', 'PENDING', 0],
      ]);
    });
    it('the queue filters by process and status, and counts hidden rows', async () => {
      const { groupId, ask, scan } = await prepare('narrow', FILES);
      await scan();
      await bench.workStage(groupId, 'acquire');
      const narrowed = await ask(listQueue, { process: 'VECTORS', status: 'PENDING', limit: 1 });
      expect([(narrowed['items'] as JsonObject[]).length, narrowed['total']]).toEqual([1, 2]);
      expect(await ask(listQueue, { status: 'ERROR' })).toEqual({ items: [], total: 0 });
    });
  });
});
