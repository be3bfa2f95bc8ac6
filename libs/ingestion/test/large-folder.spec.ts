import {
  type Call,
  type CallerName,
  ingestionProgress,
  listDocuments,
  listOrphans,
  listQueue,
  listRunQueue,
  listRuns,
  previewCancellation,
  registerFolder,
  startRun,
  summarisePipeline,
} from '@acervo/contracts';
import { Bench, newGroup } from './bench';
import { type Examined, examinedBy } from './examined';

const DOCUMENTS = 3_000;
const OTHERS = 300;
/** A look-up visits three blocks and passes its row through a few nodes. Comparing each with each takes thousands. */
const MOST_PER_DOCUMENT = 15;

/** Registers a folder and scans it: each of its documents waits. */
const ingest = async (bench: Bench, groupId: string, name: string, documents: number): Promise<void> => {
  const files = Array.from({ length: documents }, (_, at): [string, string] => [`${at}.txt`, `Documento ${at}.`]);
  const path = bench.folder(name, Object.fromEntries(files));
  const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
  await bench.ask(startRun, groupId, { location_code });
};

const analysed = async (bench: Bench): Promise<void> => {
  await ingest(bench, newGroup(), 'other', OTHERS);
  for (const table of ['document', 'task', 'run'])
    await bench.engine.asOwner('ingestion', `analyze ingestion.${table}`);
};

describe.each<[string, (bench: Bench) => Promise<void>]>([
  ['without statistics', () => Promise.resolve()],
  ['with statistics of another group', analysed],
])('a folder of which every document waits, on an engine %s', (_, prepare) => {
  let bench: Bench;
  const groupId = newGroup();
  beforeAll(async () => {
    bench = await Bench.open();
    await prepare(bench);
    await ingest(bench, groupId, 'large', DOCUMENTS);
  });
  afterAll(() => bench.close());

  const isLinear = ({ rows, blocks }: Examined): boolean => Math.max(rows, blocks) <= MOST_PER_DOCUMENT * DOCUMENTS;

  it.each<[string, Call, object, CallerName]>([
    ['the list of runs', listRuns, {}, 'operations'],
    ['the queue of a run', listRunQueue, { run: 1 }, 'operations'],
    ['the queue', listQueue, {}, 'operations'],
    ['the queue of failures', listQueue, { status: 'ERROR' }, 'operations'],
    ['the list of orphans', listOrphans, {}, 'gateway'],
    ['the summary of the pipeline', summarisePipeline, {}, 'operations'],
    ['the list of documents', listDocuments, {}, 'operations'],
    ['the preview of a cancellation', previewCancellation, { run: 1 }, 'operations'],
  ])('%s never compares each document with each task', async (_name, call, input, caller) => {
    const found = await examinedBy(bench.database, () => bench.askAs(call, groupId, { ...input }, {}, caller));
    expect(found).not.toHaveLength(0);
    expect(found.filter((each) => !isLinear(each))).toEqual([]);
  });

  it('the progress never compares each document with each task', async () => {
    const found = await examinedBy(bench.database, () => bench.ask(ingestionProgress, groupId, {}));
    expect(found).not.toHaveLength(0);
    expect(found.filter((each) => !isLinear(each))).toEqual([]);
  });
});
