import { unlinkSync, writeFileSync } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { registerFolder, startIngestionRun, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

describe('retention', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  const prepare = async (name: string) => {
    const groupId = newGroup();
    const root = bench.folder(name, { 'a.txt': 'Uno.', 'b.txt': 'Dos.', 'c.txt': 'Tres.' });
    const { location_code } = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const scan = () => bench.ask(startRun, groupId, { location_code });
    const sql = (text: string): Promise<Record<string, unknown>[]> =>
      bench.database.write({ groupId }, (tx) => tx.query(text, [groupId]));
    /** Ages documents by some days, and collects what is no longer needed. */
    const later = async (days: number): Promise<void> => {
      await sql(`update ingestion.document set updated_at = now() - interval '${days} days' where group_id = $1`);
      await sql(`update ingestion.task set not_before = now() where group_id = $1`);
      await bench.workStage(groupId, 'reconcile');
      await bench.workStage(groupId, 'discard');
    };
    return { groupId, root, location_code, scan, sql, later };
  };

  it('the latest runs and runs with open work are kept', async () => {
    const { groupId, scan, sql } = await prepare('runs');
    await scan();
    await sql(`insert into ingestion.run (group_id, run, location_code, started_at, finished_at, summary)
      select $1, 10 + n, location_code, now(), now(), summary from ingestion.run, generate_series(1, 520) n
      where group_id = $1`);
    await sql(`update ingestion.counter set value = 600 where group_id = $1 and name = 'run'`);
    const oldest = async (): Promise<unknown[]> =>
      (await sql('select run from ingestion.run where group_id = $1 order by run limit 2')).map(({ run }) => run);
    await scan();
    expect([await oldest(), (await sql('select from ingestion.run where group_id = $1')).length]).toEqual([
      [1, 32],
      501,
    ]);
    await bench.work(groupId);
    await scan();
    expect(await oldest()).toEqual([33, 34]);
  });

  it('results of a long missing file are deleted; its return repeats them', async () => {
    const { groupId, root, scan, sql, later } = await prepare('missing');
    await scan();
    await bench.work(groupId);
    await sql(`insert into ingestion.document_skill (group_id, document_id, skill_code, run_id, requested_by)
      select $1, document_id, 'GLOSSARY', gen_random_uuid(), gen_random_uuid()
      from ingestion.document where group_id = $1`);
    const quoted = async (): Promise<number> =>
      (await sql('select from ingestion.document_skill where group_id = $1')).length;
    const paths = ['a.txt', 'b.txt'].map((name) => join(root, name));
    const times = await Promise.all(paths.map((path) => stat(path)));
    unlinkSync(paths[0] ?? '');
    await scan();
    const documents = (): Promise<Record<string, unknown>[]> =>
      sql(`select name, code, status, content_hash is null and original_object is null as "isReleased"
           from ingestion.document where group_id = $1 order by name`);
    const before = await documents();
    const publishedDeletions = async (): Promise<unknown[]> =>
      (await bench.published()).filter(({ topic }) => topic === 'document.deleted.v1').map(({ payload }) => payload);
    await later(29);
    expect([await documents(), (await bench.storedObjects(groupId)).length, await quoted()]).toEqual([before, 12, 3]);
    expect(await publishedDeletions()).toEqual([]);
    await later(31);
    expect(await publishedDeletions()).toEqual([expect.objectContaining({ code: before[0]?.['code'] })]);
    const [a, ...others] = await documents();
    expect(a).toEqual({ ...before[0], status: 'NO_ENCONTRADO', isReleased: true });
    expect([others, (await bench.storedObjects(groupId)).length, await quoted()]).toEqual([before.slice(1), 8, 2]);
    await bench.forget();
    bench.folder('missing', { 'a.txt': 'Uno.' });
    // The original time is restored: the scan must not depend on a new one.
    await utimes(paths[0] ?? '', times[0]?.atime ?? 0, times[0]?.mtime ?? 0);
    await scan();
    await bench.work(groupId);
    expect([bench.source.read, (await documents())[0]]).toEqual([
      ['a.txt'],
      { ...before[0], status: 'FRAGMENTADO', isReleased: false },
    ]);
    expect(await bench.storedObjects(groupId)).toHaveLength(12);
  });

  it('earlier vectors of a changed and then missing file are deleted', async () => {
    const { groupId, root, scan, sql, later } = await prepare('changed');
    await scan();
    await bench.work(groupId);
    writeFileSync(join(root, 'a.txt'), 'Uno, y algo más.');
    expect(await scan()).toMatchObject({ changed: 1 });
    unlinkSync(join(root, 'a.txt'));
    expect(await scan()).toMatchObject({ missing: 1 });
    const remembered = async (): Promise<number> =>
      (await sql('select from ingestion.earlier_vectors where group_id = $1')).length;
    await later(29);
    expect([await remembered(), (await bench.storedObjects(groupId)).length]).toEqual([1, 10]);
    await later(31);
    expect([await remembered(), (await bench.storedObjects(groupId)).length]).toEqual([0, 8]);
  });

  it('rows of finished scans and object collections are deleted', async () => {
    const { groupId, location_code, sql } = await prepare('tasks');
    for (const text of ['Uno.', 'Uno y medio.', 'Uno y medio más.']) {
      bench.folder('tasks', { 'a.txt': text });
      await bench.askAs(startIngestionRun, groupId, { location_code }, {}, 'operations');
      await bench.work(groupId);
    }
    expect(await bench.storedObjects(groupId)).toHaveLength(12);
    const stages = `select distinct stage from ingestion.task where group_id = $1 and stage in ('scan', 'discard')`;
    expect(await sql(stages)).toEqual([]);
  });
});
