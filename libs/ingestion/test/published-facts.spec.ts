import {
  codesDigest,
  getDocument,
  type InventoryDocument,
  placeDigest,
  registerFolder,
  startRun,
  textDigest,
} from '@acervo/contracts';
import { BelievedStore } from '../src/reconciliation/believed.store';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('language and last change of documents', () => {
  let bench: Bench;
  const groupId = newGroup();
  beforeAll(async () => {
    bench = await Bench.open();
    const path = bench.folder('facts', {
      'acta.txt': 'El consejo aprueba la cuota de riego de este año.',
      'nota.txt': 'La bomba se para por la helada y no hay agua.',
    });
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code });
    await bench.work(groupId);
  });
  afterAll(() => bench.close());

  const published = async (topic: string): Promise<JsonObject[]> =>
    (await bench.published()).filter((event) => event['topic'] === topic).map(({ payload }) => payload as JsonObject);
  const factsOf = (events: readonly JsonObject[]): JsonObject =>
    Object.fromEntries(
      events.map(({ code, language, changed_at }) => [String(code), { language, updated_at: changed_at }]),
    );
  /** Language and last change as a caller sees them. */
  const shown = async (events: readonly JsonObject[]): Promise<JsonObject> => {
    const facts: JsonObject = {};
    for (const { code } of events) {
      const { language, updated_at } = await bench.askAs(getDocument, groupId, { document_code: code });
      facts[String(code)] = { language, updated_at };
    }
    return facts;
  };
  /** What retrieval has of these documents when an earlier program described them. */
  const inventoryOf = async (revision: number): Promise<InventoryDocument[]> => {
    const documents = await bench.instance(BelievedStore).range({ groupId }, { after: null, through: null, limit: 9 });
    return documents.map((document) => ({
      ...{ documentId: document.documentId, revision, isShown: true, isLive: true, isBusy: false, isParked: false },
      ...{
        generation: document.generation,
        chunkCount: 1,
        chunks: 1,
        vectors: 1,
        content: document.chunksDigest ?? '',
      },
      ...{ place: placeDigest({ ...document, origin: 'CARPETA' }), text: textDigest(document) },
      ...{ codes: codesDigest({}), facts: '', stale: 0, copiesMissing: 0, copiesExtra: 0 },
    }));
  };

  it('a hand-over has those that callers see', async () => {
    const prepared = await published('document.prepared.v1');
    expect(prepared).toHaveLength(2);
    expect(factsOf(prepared)).toEqual(await shown(prepared));
    expect(prepared.map(({ language }) => language)).toEqual(['es', 'es']);
  });

  it('documents that an earlier program described are described again by a comparison', async () => {
    const prepared = await published('document.prepared.v1');
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set status = 'VECTORIZADO' where group_id = $1`, [groupId]),
    );
    await bench.forget();
    bench.inventory = await inventoryOf(40);
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.task set not_before = now() where group_id = $1`, [groupId]),
    );
    await bench.workStage(groupId, 'reconcile');
    const described = await published('document.described.v1');
    expect(factsOf(described)).toEqual(factsOf(prepared));
    expect([described.map(({ revision }) => revision), (await bench.published()).length]).toEqual([[41, 41], 2]);
    expect([bench.source.read, bench.cpu.runs]).toEqual([[], []]);
  });
});
