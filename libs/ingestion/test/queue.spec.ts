import { listOrphans, listQueue, registerFolder, retryFailed, startRun } from '@acervo/contracts';
import { documentStatus, pipelineProcess } from '@acervo/public-mapping';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;
/** Stages of work that belongs to no document. */
const OTHER_WORK = [
  'scan',
  'remove-location',
  'discard',
  'reconcile',
  'rescan',
  'web',
  'classify-again',
  'reduce-skill',
  'resume',
];

describe('the queue', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.isPending = false;
  });

  const scanned = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const path = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    const scan = () => bench.ask(startRun, groupId, { location_code });
    await scan();
    const sql = (text: string): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, [groupId]));
    return { groupId, scan, sql };
  };

  it('every stage of documents has a public name, and no other has', () => {
    const stages = bench.stageNames.filter((name) => !OTHER_WORK.includes(name));
    expect([...pipelineProcess.internalCodes].sort()).toEqual(stages.sort());
  });

  it('every state of a document has a public name', async () => {
    const [row] = await bench.engine.asOwner(
      'ingestion',
      `select pg_get_constraintdef(oid) as states from pg_constraint where conname = 'document_status_known'`,
    );
    const states = [...String(row?.['states']).matchAll(/'([A-Z_]+)'/g)].map(([, state]) => state);
    expect(states.sort()).toEqual([...documentStatus.internalCodes].sort());
  });

  it('a document that kills every worker fails until a user retries it', async () => {
    const { groupId, scan, sql } = await scanned('killer', { 'a.txt': 'Uno.' });
    await sql(
      `update ingestion.task set status = 'LEASED', deaths = 8, leased_until = now() - interval '1 second'
       where group_id = $1 and stage = 'acquire'`,
    );
    await bench.work(groupId);
    const item = { process: 'ACQUIRE', status: 'ERROR', reason: 'WorkerDied' };
    expect(await bench.askAs(listQueue, groupId, {})).toMatchObject({ items: [item], total: 1 });
    await scan();
    expect(await bench.work(groupId)).toBe(0);
    expect(await sql(`select status, reason from ingestion.document where group_id = $1`)).toEqual([
      { status: 'ERROR', reason: expect.stringMatching(/acquire, WorkerDied.*retry it when/) as unknown },
    ]);
    await bench.ask(retryFailed, groupId, {});
    await bench.work(groupId);
    expect(await sql(`select status from ingestion.document where group_id = $1`)).toEqual([{ status: 'FRAGMENTADO' }]);
  });

  describe('orphans', () => {
    const orphans = async (groupId: string): Promise<unknown> =>
      (await bench.askAs(listOrphans, groupId, {}, {}, 'operations'))['total'];
    const before = (time: string): string => `now() - interval '${time}'`;

    it.each([
      ['work that waited for six minutes', `status = 'WAITING', not_before = ${before('6 min')}`, '6 min', 2],
      ['work that waited for four', `status = 'WAITING', not_before = ${before('4 min')}`, '4 min', 0],
      ['work that is not due yet', `status = 'WAITING', not_before = now() + interval '1 min'`, '9 min', 0],
      ['work whose lease expired long ago', `status = 'LEASED', leased_until = ${before('6 min')}`, '6 min', 2],
      ['work whose lease has just expired', `status = 'LEASED', leased_until = ${before('1 min')}`, '6 min', 0],
      ['work that is done', `status = 'DONE', not_before = ${before('6 min')}`, '6 min', 0],
    ])('orphans are counted for %s: %p', async (name, set, touched, expected) => {
      const { groupId, sql } = await scanned(`orphans ${name}`, { 'a.txt': 'Uno.', 'b.txt': 'Dos.' });
      await sql(`update ingestion.task set ${set}, updated_at = ${before(touched)} where group_id = $1`);
      expect(await orphans(groupId)).toBe(expected);
      bench.isPending = true;
      expect(await orphans(groupId)).toBe(0);
    });
  });
});
