import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteDocument, embeddingIndexLive, registerFolder, startRun } from '@acervo/contracts';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { Metrics } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import { IndexAnswersConsumer } from '../src/documents/index-answers.consumer';
import { passagesOf } from '../src/embedding/vector-plan';
import { Bench, newGroup } from './bench';
import { Elsewhere } from './elsewhere';
import { pagedPdf } from './paged-pdf';

jest.setTimeout(60_000);

const PAGES = 30;
const WORDS = ['acequia', 'molino', 'huerto', 'riego', 'aceite', 'comunidad', 'cuota', 'jueves', 'olivar', 'presa'];
const page = (number: number, about: string): string =>
  Array.from({ length: 24 }, (_, line) => {
    const words = WORDS.map((_word, at) => WORDS[(at * (number + 3) + line) % WORDS.length]);
    return `La ${about} ${number} linea ${line} habla de ${words.join(' y ')}.`;
  }).join(' ');
const pages = (changed?: number): string[] =>
  Array.from({ length: PAGES }, (_, at) => page(at + 1, at + 1 === changed ? 'cambiada' : 'pagina'));

describe('a long document with one changed page', () => {
  const elsewhere = new Elsewhere();
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(new Embedders(elsewhere));
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    elsewhere.away = false;
    bench.source.version = '1';
  });

  let folders = 0;
  const open = async (changed?: number) => {
    const groupId = newGroup();
    const root = bench.folder(`pages-${(folders += 1)}`, { 'libro.pdf': pagedPdf(pages(changed)) });
    const registered = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const scan = () => bench.ask(startRun, groupId, { location_code: String(registered['location_code']) });
    const ingest = async (): Promise<string[]> => {
      elsewhere.embedded = [];
      await scan();
      await bench.exhaust(groupId);
      return elsewhere.embedded;
    };
    const sql = (text: string) =>
      bench.database.write({ groupId }, (tx) => tx.query<Record<string, string>>(text, [groupId]));
    /** What is handed over of the document: its passages and their vectors. */
    const handed = async () => {
      const [row] = await sql(
        `select code, chunks_object as chunks, vectors_object as vectors from ingestion.document where group_id = $1`,
      );
      const [chunks, vectors] = await Promise.all(
        ['chunks', 'vectors'].map((name) => bench.objects.get({ groupId }, row?.[name] ?? '')),
      );
      return { code: row?.['code'], passages: passagesOf(chunks ?? Buffer.alloc(0)), vectors };
    };
    const change = (number: number) => writeFileSync(join(root, 'libro.pdf'), pagedPdf(pages(number)));
    return { groupId, ingest, handed, change, scan, sql };
  };
  /** Ingested, then changed, and not scanned since. */
  const changed = async () => {
    const document = await open();
    const all = await document.ingest();
    const before = await document.handed();
    expect([...all].sort()).toEqual([...new Set(before.passages)].sort());
    expect(all.length).toBeGreaterThanOrEqual(PAGES);
    document.change(17);
    const isNew = (texts: readonly string[]) => texts.filter((text) => !before.passages.includes(text));
    return { ...document, isNew };
  };
  const STORED_OBJECTS = ['chunks', 'original', 'text', 'vectors'];

  it('only the passages of the changed page are embedded', async () => {
    const { ingest, handed, isNew, groupId } = await changed();
    const embedded = await ingest();
    const after = await handed();
    expect(embedded).toEqual(isNew(after.passages));
    expect(embedded.length).toBeGreaterThan(0);
    expect(embedded.length).toBeLessThanOrEqual(4);
    expect(embedded.every((text) => text.includes('cambiada'))).toBe(true);
    const fresh = await open(17);
    await fresh.ingest();
    expect(after).toEqual({ ...(await fresh.handed()), code: after.code });
    expect(await bench.storedObjects(groupId)).toEqual(STORED_OBJECTS);
  });

  it('an embedder outage does not repeat unchanged passages', async () => {
    const { ingest, handed, isNew, change, scan, groupId } = await changed();
    elsewhere.away = true;
    await scan();
    await bench.work(groupId);
    change(18);
    await scan();
    await bench.work(groupId);
    elsewhere.away = false;
    const embedded = await ingest();
    expect(embedded).toEqual(isNew((await handed()).passages));
    expect(embedded.every((text) => text.includes('cambiada 18'))).toBe(true);
    expect(await bench.storedObjects(groupId)).toEqual(STORED_OBJECTS);
  });

  it('an embedder that is not searched yet embeds changed passages only', async () => {
    const document = await open();
    const { embeddingModel } = new HashingEmbedder();
    await bench.database.write({ groupId: document.groupId }, (tx) =>
      new IndexAnswersConsumer(new Metrics('ingestion')).searched(
        new WorkScope(document.groupId, 'test', embeddingIndexLive.topic),
        tx,
        embeddingModel,
      ),
    );
    await document.ingest();
    const before = await document.handed();
    document.change(3);
    const embedded = await document.ingest();
    const { passages } = await document.handed();
    expect(embedded).toEqual(passages.filter((text) => !before.passages.includes(text)));
    expect(embedded.length).toBeLessThanOrEqual(4);
  });

  it('vectors from another version of the step are made again', async () => {
    const { ingest, handed, sql } = await changed();
    await sql(`update ingestion.document set vectors_version = 99 where group_id = $1`);
    const embedded = await ingest();
    expect(embedded).toEqual((await handed()).passages);
    // Another version of the reader gives the same passages, so nothing is embedded.
    bench.source.version = '2';
    expect(await ingest()).toEqual([]);
    expect(bench.source.read.length).toBeGreaterThan(2);
  });

  it('a document deleted before its embedding leaves no object', async () => {
    const { handed, scan, sql, groupId } = await changed();
    const { code } = await handed();
    await scan();
    for (const stage of ['acquire', 'extract', 'summarise', 'chunk']) await bench.workStage(groupId, stage);
    expect(await sql(`select vectors_object from ingestion.earlier_vectors where group_id = $1`)).toHaveLength(1);
    await bench.askAs(deleteDocument, groupId, { document_code: code }, {}, 'operations');
    await bench.exhaust(groupId);
    expect([
      await sql(`select from ingestion.earlier_vectors where group_id = $1`),
      await bench.storedObjects(groupId),
    ]).toEqual([[], []]);
  });
});
