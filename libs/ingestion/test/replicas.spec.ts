import { setTimeout as pause } from 'node:timers/promises';
import { registerFolder, startRun } from '@acervo/contracts';
import { ScanOvertaken, type ScanLock, ScanLocks } from '../src/scans/scan-locks';
import { Bench, newGroup } from './bench';

describe('two replicas of the service', () => {
  let bench: Bench;
  let other: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    other = await bench.beside();
  });
  afterAll(() => bench.close());

  const query = (groupId: string, sql: string): Promise<Record<string, unknown>[]> =>
    bench.database.write({ groupId }, (tx) => tx.query(sql, [groupId]));
  const folderOf = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const path = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    const scan = (which: Bench) => which.ask(startRun, groupId, { location_code });
    return { groupId, location: String(location_code), scan };
  };

  it('scans of one root are serialised; folders and files are registered once', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}/sub/a.txt`);
    const { groupId, scan } = await folderOf('both', Object.fromEntries(names.map((name) => [name, name])));
    const runs = await Promise.all([scan(bench), scan(other), scan(bench), scan(other)]);
    expect(runs.reduce((sum, { added }) => sum + Number(added), 0)).toBe(60);
    const count = `select (select count(*)::int from ingestion.location where group_id = $1) as folders,
      (select count(*)::int from ingestion.document where group_id = $1) as documents,
      (select count(*)::int from ingestion.scan_turn where group_id = $1) as turns`;
    expect(await query(groupId, count)).toEqual([{ folders: 121, documents: 60, turns: 0 }]);
  });

  it('a replica waits for a live scan and replaces a dead one', async () => {
    const { groupId, location, scan } = await folderOf('dead', { 'a.txt': 'Uno.' });
    const holdLock = (until: string): Promise<unknown> =>
      query(
        groupId,
        `insert into ingestion.scan_turn values ($1, '${location}', gen_random_uuid(), 7, now() + interval '${until}')
         on conflict (group_id, root_code) do update set held_until = excluded.held_until`,
      );
    await holdLock('1 hour');
    let ended = false;
    const waiting = scan(other).then((run) => {
      ended = true;
      return run;
    });
    await pause(800);
    expect(ended).toBe(false);
    await holdLock('-1 seconds');
    expect(await waiting).toMatchObject({ added: 1 });
  });

  it('a scan that was taken over writes no longer', async () => {
    const { groupId, location } = await folderOf('fence', { 'a.txt': 'Uno.' });
    const scope = { groupId };
    const root = { code: location };
    const silent = new ScanLocks(bench.database);
    const write = (lock: ScanLock): Promise<unknown> =>
      bench.database.write(scope, async (tx) => {
        await lock.assertOwned(tx);
        await tx.query(`update ingestion.location set name = 'written' where group_id = $1`, [groupId]);
      });
    await silent.withLock(scope, { root, run: 1 }, async (lock) => {
      await query(
        groupId,
        `update ingestion.scan_turn set held_until = now() - interval '1 second' where group_id = $1`,
      );
      await new ScanLocks(other.database).withLock(scope, { root, run: 2 }, async (next) => {
        await expect(write(lock)).rejects.toThrow(ScanOvertaken);
        expect(await query(groupId, `select name from ingestion.location where group_id = $1`)).toEqual([
          { name: 'fence' },
        ]);
        await write(next);
      });
    });
    expect(await query(groupId, `select name from ingestion.location where group_id = $1`)).toEqual([
      { name: 'written' },
    ]);
  });
});
