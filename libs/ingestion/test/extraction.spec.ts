import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDocument, listDocuments, registerFolder, startRun } from '@acervo/contracts';
import { DamagedFile, NoTextFound, type RawPage } from '@acervo/extraction';
import { docxFile, FACTS, paragraph } from '@acervo/extraction/testing';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

jest.setTimeout(30_000);

describe('the extraction of a document', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.source.version = '1';
    bench.source.before = () => Promise.resolve();
    return bench.forget();
  });
  afterEach(() => jest.restoreAllMocks());

  const ingested = async (name: string, files: Readonly<Record<string, string | Uint8Array>>, first: string[] = []) => {
    const groupId = newGroup();
    const root = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const again = async (): Promise<void> => {
      await bench.forget();
      await bench.ask(startRun, groupId, { location_code });
      for (const stage of first) await bench.workStage(groupId, stage);
      await bench.exhaust(groupId);
    };
    await again();
    const detail = async (file: string): Promise<JsonObject> => {
      const { documents } = await bench.askAs(listDocuments, groupId, { limit: 100 });
      const found = (documents as JsonObject[]).find((document) => document['name'] === file);
      return bench.askAs(getDocument, groupId, { document_code: found?.['code'] });
    };
    return { groupId, root, again, detail };
  };

  it.each([
    ['ERROR', new DamagedFile(), /damaged/],
    ['UNSUPPORTED', new NoTextFound(), /No text found\./],
  ])('a refused extraction ends in %s and repeats when the content changes', async (status, refusal, reason) => {
    bench.source.before = () => Promise.reject(refusal);
    const { root, again, detail } = await ingested(`refused-${status}`, { 'a.txt': 'Uno.' });
    expect(bench.source.read).toEqual(['a.txt']);
    expect(await detail('a.txt')).toMatchObject({ status, reason: expect.stringMatching(reason) as string });
    bench.source.before = () => Promise.resolve();
    await again();
    expect(bench.source.read).toEqual([]);
    appendFileSync(join(root, 'a.txt'), ' Dos.');
    await again();
    expect([bench.source.read, (await detail('a.txt'))['status']]).toEqual([['a.txt'], 'CHUNKED']);
  });

  it('a refused extraction repeats with another version or a recogniser', async () => {
    bench.source.before = () => Promise.reject(new NoTextFound());
    const { again, detail } = await ingested('installed', { 'scan.txt': 'Uno.', 'b.txt': 'Dos.' });
    bench.source.before = () => Promise.resolve();
    bench.source.version = 'with a recogniser';
    await again();
    expect([bench.source.read.toSorted(), (await detail('scan.txt'))['status']]).toEqual([
      ['b.txt', 'scan.txt'],
      'CHUNKED',
    ]);
  });

  it('the parts that an extraction counts are in the detail of the document', async () => {
    bench.source.before = ({ name }) => (name === 'b.txt' ? Promise.reject(new DamagedFile()) : Promise.resolve());
    const { detail } = await ingested('counted', { 'a.txt': 'Uno dos.', 'b.txt': 'Tres.' });
    const parts = [{ kind: 'PART', counted: 1, read: 1, left_out: [] }];
    expect(await detail('a.txt')).toMatchObject({ status: 'CHUNKED', extraction: { parts } });
    expect(await detail('b.txt')).toMatchObject({ status: 'ERROR', extraction: null });
  });

  it('a transient failure is retried automatically', async () => {
    let failures = 2;
    bench.source.before = () => (failures-- > 0 ? Promise.reject(new Error('server away')) : Promise.resolve());
    const { detail } = await ingested('moment', { 'a.txt': 'Uno dos.' });
    expect([bench.source.read.length, (await detail('a.txt'))['status']]).toEqual([3, 'CHUNKED']);
  });

  it('a lasting failure ends in ERROR and is retried after an hour', async () => {
    bench.source.before = () => Promise.reject(new Error('secret of the file'));
    const { groupId, again, detail } = await ingested('failing', { 'a.txt': 'Uno dos.' });
    const { status, reason } = await detail('a.txt');
    expect([status, reason]).toEqual(['ERROR', expect.not.stringContaining('secret')]);
    bench.source.before = () => Promise.resolve();
    await again();
    expect((await detail('a.txt'))['status']).toBe('ERROR');
    await bench.letFailuresRest(groupId);
    await again();
    expect((await detail('a.txt'))['status']).toBe('CHUNKED');
  });

  it('an interrupted extraction resumes after the checkpoint', async () => {
    const pages: RawPage[] = [1, 2, 3].map((number) => ({ number, lines: [] }));
    const found: number[] = [];
    bench.source.before = async (_file, saved) => {
      found.push((await saved?.load())?.length ?? -1);
      if (found.length > 1) return;
      const now = performance.now();
      jest.spyOn(performance, 'now').mockReturnValue(now + 60_000);
      await saved?.save(pages);
      jest.restoreAllMocks();
      throw new Error('killed');
    };
    const { again, root } = await ingested('pages', { 'a.txt': 'Uno dos.' });
    expect(found).toEqual([0, 3]);
    appendFileSync(join(root, 'a.txt'), ' Tres.');
    await again();
    expect(found).toEqual([0, 3, 0]);
  });

  it('a slow extraction does not delay other documents', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}.txt`);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    bench.source.before = ({ name }) => {
      if (name === 'f0.txt') return released;
      if (bench.source.read.length === names.length) release();
      return Promise.resolve();
    };
    const files = Object.fromEntries(names.map((name) => [name, `Texto de ${name}.`]));
    const { detail } = await ingested('slow', files, ['acquire']);
    for (const name of ['f0.txt', 'f39.txt']) expect((await detail(name))['status']).toBe('CHUNKED');
  });

  it('the properties that a file states are stored', async () => {
    const { groupId, detail } = await ingested('facts', {
      'a.docx': docxFile({ body: paragraph('El acta de la reunión de la comunidad de regantes.'), facts: true }),
    });
    expect(await detail('a.docx')).toMatchObject({ status: 'CHUNKED', language: 'es' });
    const [row] = await bench.database.read({ groupId }, (tx) =>
      tx.query(`select title, author, stated_at as date from ingestion.document where group_id = $1`, [groupId]),
    );
    expect(row).toEqual({ title: FACTS.title, author: FACTS.author, date: new Date(FACTS.date) });
  });
});
