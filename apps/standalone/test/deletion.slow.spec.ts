import { deleteDocument, getDocumentChunks } from '@acervo/contracts';
import { BothServices, UPKEEP } from './support/both-services';
import { Library } from './support/stores';

const WORDS = 'zarzamora del huerto comunal que se riega los jueves por la tarde';
const TEXT = Array.from({ length: 300 }, (_, index) => `Párrafo ${index}: ${WORDS}.`).join('\n\n');
const STAGES = ['acquire', 'extract', 'classify', 'summarise', 'chunk', 'embed', 'hand-over', 'index', 'purge'];
const JOBS = ['takeFile', 'record', 'summarise', 'chunk', 'embed'];
const DELIVERIES = [
  ['before retrieval receives its event', 0],
  ['after retrieval received its event', 1],
] as const;
/** When a document is deleted: also with half its chunks loaded, and searchable. */
const MOMENTS = STAGES.length + JOBS.length + DELIVERIES.length + 2;
/** Stages whose tasks wait for a time. */
const DELAYED = ['discard', 'index', 'embed'];
const NOTHING = { chunks: 0, vectors: 0, live: 0, objects: 0 };

describe('a document that is deleted', () => {
  let both: BothServices;
  beforeAll(async () => {
    both = await BothServices.open();
  });
  afterAll(() => both.close());
  beforeEach(() => {
    both.afterJob = () => Promise.resolve();
    both.atFailpoint = () => undefined;
  });

  let folders = 0;
  const library = async (): Promise<Library> => {
    const opened = new Library(both, `deleted-${(folders += 1)}`, { 'mora.txt': TEXT });
    await opened.register();
    await opened.scan();
    return opened;
  };
  const chunksOf = (folder: Library, code: string) =>
    both.askAs(getDocumentChunks, folder.groupId, { document_code: code });
  const remove = async (folder: Library): Promise<void> => {
    const { code } = await folder.documentOf('mora.txt');
    await both.askAs(deleteDocument, folder.groupId, { document_code: code });
  };
  /** Works all tasks, those that are delayed too. */
  const settle = async ({ groupId }: Library): Promise<void> => {
    let delayed = 0;
    do {
      await both.settle(groupId);
      delayed = await both.hastenAll('ingestion', groupId, DELAYED);
      delayed += await both.hastenAll('retrieval', groupId, DELAYED);
    } while (delayed > 0);
  };
  const isGone = async (folder: Library, when: string): Promise<void> =>
    expect([when, await folder.contents(), await folder.find('zarzamora huerto')]).toEqual([when, NOTHING, []]);
  /** Folders whose document has gone: one restart serves them all. */
  const gone: Library[] = [];
  /** Checks that nothing is left, and that scans and replays restore nothing. */
  const staysGone = async (folder: Library): Promise<void> => {
    await settle(folder);
    await isGone(folder, 'after it was deleted');
    await folder.scan();
    await settle(folder);
    await isGone(folder, 'after a scan');
    await both.replay(folder.groupId);
    await settle(folder);
    await isGone(folder, 'after its events came once more');
    gone.push(folder);
  };

  it('it has chunks once it is searchable, none before, and is absent in the end', async () => {
    const folder = await library();
    const { code } = await folder.documentOf('mora.txt');
    expect(await chunksOf(folder, code)).toEqual({ document_code: code, total_chunks: 0, chunks: [] });
    await expect(chunksOf(folder, 'NINGUNO')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await settle(folder);
    const { total_chunks: total, chunks } = await chunksOf(folder, code);
    expect([total, (chunks as unknown[]).length]).toEqual([Number(total), Math.floor(Number(total) / 2)]);
    await remove(folder);
    await settle(folder);
    await expect(chunksOf(folder, code)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(STAGES)('a document deleted while it waits for %s is gone for good', async (stage) => {
    const folder = await library();
    both.fusesSteps = false;
    await both.settle(folder.groupId, [...UPKEEP, stage]);
    both.fusesSteps = true;
    await remove(folder);
    await staysGone(folder);
  });

  it.each(JOBS)('a document deleted in the middle of %s is gone for good', async (job) => {
    const folder = await library();
    let deletions = 0;
    both.afterJob = async (name) => {
      if (name !== job || deletions > 0) return;
      deletions += 1;
      await remove(folder);
    };
    await both.settle(folder.groupId);
    expect(deletions).toBe(1);
    await staysGone(folder);
  });

  it.each(DELIVERIES)('a document deleted %s is gone for good', async (_when, deliveries) => {
    const folder = await library();
    for (const stage of ['acquire', 'extract', 'classify', 'summarise', 'chunk', 'embed', 'hand-over'])
      await both.workOnce(folder.groupId, stage);
    await both.move();
    for (let turn = 0; turn < deliveries; turn += 1) await both.deliver();
    await remove(folder);
    await staysGone(folder);
  });

  it('a document deleted with half its chunks loaded is gone for good', async () => {
    // Slices grow while a process loads quickly; the first ones of a process are small.
    await both.restart();
    const folder = await library();
    let hits = 0;
    both.atFailpoint = (name) => {
      if (name === 'handover.middle' && (hits += 1) === 1) throw new Error('interrupted');
    };
    await both.settle(folder.groupId, [...UPKEEP, 'index']);
    await both.workOnce(folder.groupId, 'index');
    expect([hits, (await folder.contents()).chunks]).toEqual([1, 8]);
    await remove(folder);
    await staysGone(folder);
  });

  it('a searchable document that is deleted is gone for good', async () => {
    const folder = await library();
    await both.settle(folder.groupId);
    expect(await folder.find('zarzamora huerto')).toEqual(['mora.txt']);
    await remove(folder);
    await staysGone(folder);
  });

  it('no deleted document is back after a restart, a scan and its events', async () => {
    expect(gone).toHaveLength(MOMENTS);
    await both.restart();
    for (const folder of gone) {
      await folder.scan();
      await both.replay(folder.groupId);
      await settle(folder);
      await isGone(folder, `after a restart, in ${folder.root}`);
      expect(await folder.compare()).toEqual({});
    }
  });
});
