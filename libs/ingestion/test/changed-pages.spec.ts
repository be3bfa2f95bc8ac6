import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteDocument, embeddingSpaceLive, registerFolder, startRun } from '@acervo/contracts';
import { Embedders, HashingEmbedder } from '@acervo/models';
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

describe('a document of many pages of which one changes', () => {
  const elsewhere = new Elsewhere();
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(new Embedders(elsewhere));
  }, 60_000);
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
    const takeIn = async (): Promise<string[]> => {
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
    return { groupId, takeIn, handed, change, scan, sql };
  };
  /** Taken in, changed, and not scanned since. */
  const changed = async () => {
    const document = await open();
    const all = await document.takeIn();
    const before = await document.handed();
    expect([...all].sort()).toEqual([...new Set(before.passages)].sort());
    expect(all.length).toBeGreaterThanOrEqual(PAGES);
    document.change(17);
    const isNew = (texts: readonly string[]) => texts.filter((text) => !before.passages.includes(text));
    return { ...document, isNew };
  };
  const KEPT = ['chunks', 'original', 'text', 'vectors'];

  it('has the passages of that page embedded and no others, and ends as one that was never anything else', async () => {
    const { takeIn, handed, isNew, groupId } = await changed();
    const embedded = await takeIn();
    const after = await handed();
    expect(embedded).toEqual(isNew(after.passages));
    expect(embedded.length).toBeGreaterThan(0);
    expect(embedded.length).toBeLessThanOrEqual(4);
    expect(embedded.every((text) => text.includes('cambiada'))).toBe(true);
    const fresh = await open(17);
    await fresh.takeIn();
    expect(after).toEqual({ ...(await fresh.handed()), code: after.code });
    expect(await bench.kept(groupId)).toEqual(KEPT);
  });

  it('pays as little when the embedder was away meanwhile', async () => {
    const { takeIn, handed, isNew, change, scan, groupId } = await changed();
    elsewhere.away = true;
    await scan();
    await bench.work(groupId);
    change(18);
    await scan();
    await bench.work(groupId);
    elsewhere.away = false;
    const embedded = await takeIn();
    expect(embedded).toEqual(isNew((await handed()).passages));
    expect(embedded.every((text) => text.includes('cambiada 18'))).toBe(true);
    expect(await bench.kept(groupId)).toEqual(KEPT);
  });

  it('pays as little for an embedder that is not searched yet', async () => {
    const document = await open();
    const { space } = new HashingEmbedder();
    await bench.database.write({ groupId: document.groupId }, (tx) =>
      new IndexAnswersConsumer().searched(new WorkScope(document.groupId, 'test', embeddingSpaceLive.topic), tx, space),
    );
    await document.takeIn();
    const before = await document.handed();
    document.change(3);
    const embedded = await document.takeIn();
    const { passages } = await document.handed();
    expect(embedded).toEqual(passages.filter((text) => !before.passages.includes(text)));
    expect(embedded.length).toBeLessThanOrEqual(4);
  });

  it('is embedded anew where other settings or another version of the step made its vectors', async () => {
    const { takeIn, handed, sql } = await changed();
    await sql(`update ingestion.document set vectors_version = 99 where group_id = $1`);
    const embedded = await takeIn();
    expect(embedded).toEqual((await handed()).passages);
    // Read by another version of the reader: the same passages, which is found out before anything is embedded.
    bench.source.version = '2';
    expect(await takeIn()).toEqual([]);
    expect(bench.source.read.length).toBeGreaterThan(2);
  });

  it('leaves nothing behind when it is deleted before its new passages are embedded', async () => {
    const { handed, scan, sql, groupId } = await changed();
    const { code } = await handed();
    await scan();
    for (const stage of ['acquire', 'extract', 'summarise', 'chunk']) await bench.workStage(groupId, stage);
    expect(await sql(`select vectors_object from ingestion.earlier_vectors where group_id = $1`)).toHaveLength(1);
    await bench.askAs(deleteDocument, groupId, { document_code: code }, {}, 'operations');
    await bench.exhaust(groupId);
    expect([await sql(`select from ingestion.earlier_vectors where group_id = $1`), await bench.kept(groupId)]).toEqual(
      [[], []],
    );
  });
});
