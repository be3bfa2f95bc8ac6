import { documentEmbedded, documentPrepared, registerFolder, startRun } from '@acervo/contracts';
import { type Bench, newGroup } from './bench';
import { KilledProcess, passageOf } from './killed-process';

/** More than one batch, so that there are two slices at least. */
const FILES = 36;

interface DocumentRow {
  readonly documentId: string;
  readonly status: string;
  readonly objects: readonly string[];
}

/** Kills a process so often at each place of a batch. */
export const batchesSurvive = (kills: number): void => {
  let processes: KilledProcess;
  let killed: Bench;
  beforeAll(async () => {
    processes = await KilledProcess.open();
    ({ killed } = processes);
  });
  afterAll(() => killed.close());
  afterEach(() => jest.restoreAllMocks());

  const scanned = async (name: string) => {
    const groupId = newGroup();
    // Two of them have equal bytes, so that they share results.
    const files = Array.from({ length: FILES }, (_, at) => [`f${at}.txt`, `Acta ${at % (FILES - 1)}. Una obra.`]);
    const path = killed.folder(name, Object.fromEntries(files) as Record<string, string>);
    const { location_code } = await killed.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await killed.ask(startRun, groupId, { location_code });
    const sql = <R extends object>(text: string): Promise<R[]> =>
      killed.database.write({ groupId }, (tx) => tx.query<R>(text, [groupId]));
    /** The documents of the events on a topic. */
    const published = async (topic: string): Promise<string[]> =>
      (await killed.published())
        .filter((event) => event.topic === topic)
        .map(({ payload }) => (payload as { document_id: string }).document_id)
        .toSorted();
    return { groupId, sql, published };
  };

  it.each([
    ['within its fused steps', 'pipeline.step', 3 * FILES],
    ['before the commit of a slice', 'pipeline.before-commit', 2],
    ['between slices and after its commit', 'pipeline.committed', 2],
  ] as const)(
    'a batch killed %s loses and doubles nothing',
    async (_when, place, most) => {
      let deaths = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        await killed.forget();
        const { groupId, sql, published } = await scanned(`${place}-${kill}`);
        deaths += await processes.workBroken(groupId, 'acquire', { place, passage: passageOf(kill, most) });
        const documents = await sql<DocumentRow>(
          `select document_id as "documentId", status, array[original_object, text_object, chunks_object] as objects
           from ingestion.document where group_id = $1 order by 1`,
        );
        expect(documents.map(({ status }) => status)).toEqual(Array(FILES).fill('FRAGMENTADO'));
        expect(await published(documentPrepared.topic)).toEqual(documents.map(({ documentId }) => documentId));
        const stored = new Set(await killed.objectKeys(groupId));
        expect(documents.flatMap(({ objects }) => objects).filter((key) => !stored.has(key))).toEqual([]);
      }
      expect(deaths).toBe(kills);
    },
    60_000 + kills * 5_000,
  );

  it.each([
    ['before the commit of a slice', 'pipeline.before-commit'],
    ['between slices and after its commit', 'pipeline.committed'],
  ] as const)(
    'a batch of vectors killed %s loses and doubles nothing',
    async (_when, place) => {
      let deaths = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        await killed.forget();
        const { groupId, sql, published } = await scanned(`vectors-${place}-${kill}`);
        await killed.workStage(groupId, 'acquire');
        deaths += await processes.workBroken(groupId, 'vectors', { place, passage: passageOf(kill, 2) });
        const documents = await sql<{ documentId: string; vectors: string }>(
          `select document_id as "documentId", vectors_object as vectors
           from ingestion.document where group_id = $1 order by 1`,
        );
        expect(await published(documentEmbedded.topic)).toEqual(documents.map(({ documentId }) => documentId));
        const stored = new Set(await killed.objectKeys(groupId));
        expect(documents.filter(({ vectors }) => !stored.has(vectors))).toEqual([]);
      }
      expect(deaths).toBe(kills);
    },
    60_000 + kills * 5_000,
  );
};
