import {
  batchStatus,
  listDocuments,
  listQueue,
  NotFound,
  processBatch,
  registerFolder,
  startRun,
  updateRun,
} from '@acervo/contracts';
import { FEW } from '../src/kernel/priority';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('a batch of documents', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  const scanned = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const path = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code });
    const ask = (call: Parameters<Bench['askAs']>[0], input: JsonObject = {}, claims = {}) =>
      bench.askAs(call, groupId, input, claims, 'operations');
    const { documents } = await bench.askAs(listDocuments, groupId, { limit: 100 });
    const codeOf = (file: string): string =>
      String((documents as JsonObject[]).find(({ name: itemName }) => itemName === file)?.['code']);
    const sql = (text: string): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, [groupId]));
    const arrive = async (more: Readonly<Record<string, string>>): Promise<void> => {
      bench.folder(name, more);
      await bench.ask(startRun, groupId, { location_code });
    };
    return { groupId, ask, codeOf, sql, arrive };
  };

  it('a batch is listed by document and in total', async () => {
    const { groupId, ask, codeOf, sql } = await scanned('status', { 'a.txt': 'Uno.', 'b.txt': 'Dos.' });
    const document_codes = [codeOf('a.txt'), codeOf('b.txt')];
    expect(await ask(batchStatus, { document_codes })).toMatchObject({ total: 2, waiting: 2, failed: 0 });
    await bench.work(groupId);
    await sql(`update ingestion.task set status = 'FAILED' where group_id = $1 and stage = 'acquire' and subject_id =
      (select document_id from ingestion.document where group_id = $1 and name = 'b.txt')`);
    expect(await ask(batchStatus, { document_codes: [...document_codes, codeOf('a.txt')] })).toEqual({
      documents: [
        { document_code: codeOf('a.txt'), status: 'CHUNKED', waiting: 0, failed: 0, reason: null },
        { document_code: codeOf('b.txt'), status: 'CHUNKED', waiting: 0, failed: 1, reason: null },
      ],
      ...{ total: 2, waiting: 0, failed: 1 },
    });
  });

  it('processing a batch retries failed documents before all other work', async () => {
    const { groupId, ask, codeOf, sql, arrive } = await scanned('process', { 'a.txt': 'Uno.', 'b.txt': 'Dos.' });
    await sql(`update ingestion.task set status = 'LEASED', deaths = 8, leased_until = now() - interval '1 second'
      where group_id = $1 and stage = 'acquire'`);
    await bench.work(groupId);
    await arrive(
      Object.fromEntries(Array.from({ length: FEW + 1 }, (_, at) => [`later${at}.txt`, `Llegó más tarde, ${at}.`])),
    );
    await sql(
      `update ingestion.task set created_at = now() - interval '1 hour' where group_id = $1 and status = 'WAITING'`,
    );
    await bench.forget();
    const document_codes = [codeOf('b.txt')];
    expect(await ask(batchStatus, { document_codes })).toMatchObject({ failed: 1 });
    expect(await ask(processBatch, { document_codes })).toEqual({ documents: 1 });
    const takeFile = jest.spyOn(bench.files, 'takeFile');
    await bench.work(groupId);
    const states = await sql(
      `select name, status from ingestion.document where group_id = $1 and name like '_.txt' order by name`,
    );
    expect(bench.source.read).toHaveLength(FEW + 2);
    expect(takeFile.mock.calls[0]?.[0].relativePath).toBe('b.txt');
    takeFile.mockRestore();
    expect(states).toEqual([
      { name: 'a.txt', status: 'ERROR' },
      { name: 'b.txt', status: 'FRAGMENTADO' },
    ]);
    expect(await ask(batchStatus, { document_codes })).toMatchObject({ waiting: 0, failed: 0 });
  });

  it('one absent or hidden document refuses the whole batch', async () => {
    const { ask, codeOf, sql } = await scanned('hidden', { 'a.txt': 'Uno.' });
    const before = await sql(`select * from ingestion.task where group_id = $1`);
    for (const call of [batchStatus, processBatch]) {
      await expect(ask(call, { document_codes: [codeOf('a.txt'), 'D9'] })).rejects.toThrow(NotFound);
      await expect(ask(call, { document_codes: [codeOf('a.txt')] }, { locationRoots: ['L9'] })).rejects.toThrow(
        NotFound,
      );
    }
    expect(await sql(`select * from ingestion.task where group_id = $1`)).toEqual(before);
  });

  it('reordering a run moves its work', async () => {
    const { ask, sql } = await scanned('order', { 'a.txt': 'Uno.', 'b.txt': 'Dos.' });
    expect(await ask(updateRun, { run: 1, order: 8 })).toEqual({ run: 1, documents: 2 });
    expect(await sql(`select distinct ingestion_order from ingestion.document where group_id = $1`)).toEqual([
      { ingestion_order: 8 },
    ]);
    const priorities = `select distinct priority from ingestion.task where group_id = $1 and stage = 'acquire'`;
    const [back] = await sql(priorities);
    await ask(updateRun, { run: 1, order: 2 });
    const [forward] = await sql(priorities);
    expect(Number(forward?.['priority']) - Number(back?.['priority'])).toBe(6);
    expect((await ask(listQueue))['total']).toBe(2);
    await expect(ask(updateRun, { run: 1, order: 2 }, { locationRoots: ['L9'] })).rejects.toThrow(NotFound);
  });
});
