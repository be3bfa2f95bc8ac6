import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { documentIndexingFailed, ingestionProgress, registerFolder, retryFailed, startRun } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import { IndexAnswersConsumer } from '../src/documents/index-answers.consumer';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('the progress of a group', () => {
  let bench: Bench;
  const groupId = newGroup();
  let location: string;
  let root: string;

  beforeAll(async () => {
    bench = await Bench.open();
    root = bench.folder('shelf', {
      'a.txt': 'Uno dos tres.',
      'b.txt': 'Cuatro.',
      'c.txt': 'Cinco.',
      '.hidden': 'x',
      'draft.txt': 'No.',
      '.acervoignore': 'draft*\n',
    });
    location = String((await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' }))['location_code']);
    await scan();
    await bench.work(groupId);
  });
  afterAll(() => bench.close());

  const scan = (): Promise<JsonObject> => bench.ask(startRun, groupId, { location_code: location });
  const progress = (): Promise<JsonObject> => bench.ask(ingestionProgress, groupId, {});

  it('entries that the latest scan ignored are listed by rule', async () => {
    expect((await progress())['ignored']).toEqual([
      { rule: 'excluded', entries: 1 },
      { rule: 'hidden', entries: 1 },
    ]);
  });

  it('a failed document is counted, and its retry repeats no completed step', async () => {
    const [fact] = (await bench.published()).filter(({ topic }) => topic === 'document.prepared.v1');
    const payload = fact?.payload as { document_id: string; revision: number; generation: number };
    const { document_id: documentId, revision, generation } = payload;
    const scope = new WorkScope(groupId, 'test', documentIndexingFailed.topic);
    const failed = { documentId, revision, generation, reason: 'It broke.', isFinal: false };
    await bench.database.write(scope, (tx) =>
      new IndexAnswersConsumer(new Metrics('ingestion')).failed(scope, tx, failed),
    );
    expect((await progress())['failures']).toMatchObject([{ status: 'ERROR', reason: 'It broke.' }]);
    await bench.forget();
    expect(await bench.ask(retryFailed, groupId, {})).toEqual({ documents: 1 });
    expect(await bench.ask(retryFailed, groupId, {})).toEqual({ documents: 0 });
    await bench.work(groupId);
    expect((await progress())['failures']).toEqual([]);
    expect([bench.source.read, bench.cpu.count('embed')]).toEqual([[], 0]);
    const again = (await bench.published()).filter(({ topic }) => topic === 'document.prepared.v1');
    expect(again.map((each) => (each.payload as { document_id: string }).document_id)).toContain(documentId);
  });

  it('doubted deletions of the latest scan are reported until accepted', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) unlinkSync(join(root, name));
    await scan();
    expect((await progress())['notices']).toEqual([
      {
        ...{ folder: root, doubted: 3, unread: 0, unmounted: 0 },
        notice: expect.stringMatching(/^3 of 3 documents are gone at once/) as string,
      },
    ]);
    const asked = await bench.publishedFolders(groupId, 'process.requested.v1');
    expect(asked).toMatchObject([{ process_type: 'INGESTION', subject: `doubted:${location}`, entity_code: 'E1' }]);
    await bench.ask(startRun, groupId, { location_code: location, accept_deletions: true });
    expect(await progress()).toMatchObject({ notices: [], counts: [{ status: 'MISSING', documents: 3 }] });
  });
});
