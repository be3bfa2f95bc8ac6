import { deleteDocument } from '@acervo/contracts';
import { BothServices, UPKEEP } from './support/both-services';
import { Library } from './support/stores';

const WORDS = 'zarzamora del huerto comunal que se riega los jueves por la tarde';
const TEXT = Array.from({ length: 300 }, (_, index) => `Párrafo ${index}: ${WORDS}.`).join('\n\n');
const NOTHING = { chunks: 0, vectors: 0, live: 0, objects: 0 };

describe('a document that is deleted', () => {
  let both: BothServices;
  beforeAll(async () => {
    both = await BothServices.open();
  }, 120_000);
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
  const remove = async (own: Library): Promise<void> => {
    const { code } = await own.documentOf('mora.txt');
    await both.askAs(deleteDocument, own.groupId, { document_code: code });
  };
  /** Whatever was put off is worked now. */
  const settle = async (own: Library): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      for (const stage of ['discard', 'index', 'embed']) {
        await both.hasten('ingestion', own.groupId, stage);
        await both.hasten('retrieval', own.groupId, stage);
      }
      await both.settle(own.groupId);
    }
  };
  const isGone = async (own: Library, when: string): Promise<void> =>
    expect([when, await own.contents(), await own.find('zarzamora huerto')]).toEqual([when, NOTHING, []]);
  /** Nothing is left, and nothing brings anything back. */
  const staysGone = async (own: Library): Promise<void> => {
    await settle(own);
    await isGone(own, 'after it was deleted');
    await own.scan();
    await settle(own);
    await isGone(own, 'after a scan');
    await both.replay(own.groupId);
    await settle(own);
    await isGone(own, 'after its events came once more');
    await both.restart();
    await own.scan();
    await both.replay(own.groupId);
    await settle(own);
    await isGone(own, 'after a restart');
    expect(await own.compare()).toEqual({});
  };

  it.each(['acquire', 'extract', 'summarise', 'chunk', 'embed', 'hand-over', 'index', 'purge'])(
    'while it waits for %s leaves nothing behind and does not come back',
    async (stage) => {
      const own = await library();
      await both.settle(own.groupId, [...UPKEEP, stage]);
      await remove(own);
      await staysGone(own);
    },
    60_000,
  );

  it.each(['takeFile', 'record', 'summarise', 'chunk', 'embed'])(
    'in the middle of %s leaves nothing behind and does not come back',
    async (job) => {
      const own = await library();
      let deletions = 0;
      both.afterJob = async (name) => {
        if (name !== job || deletions > 0) return;
        deletions += 1;
        await remove(own);
      };
      await both.settle(own.groupId);
      expect(deletions).toBe(1);
      await staysGone(own);
    },
    60_000,
  );

  it.each([
    ['before retrieval hears of it', 0],
    ['after retrieval heard of it', 1],
  ])(
    '%s leaves nothing behind and does not come back',
    async (_when, deliveries) => {
      const own = await library();
      for (const stage of ['acquire', 'extract', 'summarise', 'chunk', 'embed', 'hand-over'])
        await both.workOnce(own.groupId, stage);
      await both.move();
      for (let turn = 0; turn < deliveries; turn += 1) await both.deliver();
      await remove(own);
      await staysGone(own);
    },
    60_000,
  );

  it('while half of its chunks are loaded leaves nothing behind and does not come back', async () => {
    const own = await library();
    let hits = 0;
    both.atFailpoint = (name) => {
      if (name === 'handover.middle' && (hits += 1) === 1) throw new Error('interrupted');
    };
    await both.settle(own.groupId, [...UPKEEP, 'index']);
    await both.workOnce(own.groupId, 'index');
    expect([hits, (await own.contents()).chunks]).toEqual([1, 8]);
    await remove(own);
    await staysGone(own);
  }, 60_000);

  it('once it is searched leaves nothing behind and does not come back', async () => {
    const own = await library();
    await both.settle(own.groupId);
    expect(await own.find('zarzamora huerto')).toEqual(['mora.txt']);
    await remove(own);
    await staysGone(own);
  }, 60_000);
});
