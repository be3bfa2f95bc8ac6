import {
  deleteDocument,
  getDocument,
  listQueue,
  readSpaceResults,
  runSkill,
  spaceDeleted,
  summarisePipeline,
  userDeletionStarted,
} from '@acervo/contracts';
import { REDUCE_SKILL } from '../src/kernel/stages';
import { FORGOTTEN_USER } from '../src/skills/columns-of-users';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

type JsonObject = Record<string, unknown>;
interface Digest extends JsonObject {
  readonly statements: { text: string; citations: { document_code: string; quote: string }[] }[];
  readonly derived_from: { document_code: string; revision: number }[];
}

const WATER =
  'The council shares the water of the river among the farms of the valley. No farm waters on Sundays at all.';
const AGUA = 'La comisión reparte el agua del río entre las fincas del valle cada semana del verano.';
const ROADS = 'The council repairs the roads of the valley before the winter of each year begins in earnest.';
const OTHER_USER = { userId: '00000000-0000-4000-8000-0000000000ff' };
const SPACE = 7;

describe('a skill over a space', () => {
  let bench: Bench;
  let folder: IngestedFolder;
  let codes: Record<string, string>;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    folder = await IngestedFolder.of(bench, { 'a.txt': WATER, 'b.txt': AGUA, 'c.txt': ROADS });
    codes = Object.fromEntries((await folder.documents()).map(({ path, code }) => [path, code]));
    bench.spaceDocuments = Object.values(codes);
  });

  const run = (claims = {}): Promise<JsonObject> =>
    bench.askAs(runSkill, folder.groupId, { skill_code: 'SPACE-DIGEST', space_id: SPACE }, claims);
  const results = async (claims = {}): Promise<Digest[]> =>
    (await bench.askAs(readSpaceResults, folder.groupId, { space_id: SPACE }, claims))['results'] as Digest[];
  const queue = async (claims = {}): Promise<JsonObject[]> =>
    (await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' }, claims))['items'] as JsonObject[];
  const worked = async (): Promise<JsonObject> => {
    const queued = await run();
    await bench.exhaust(folder.groupId);
    return queued;
  };

  it('a run is one task per document and one that reduces them', async () => {
    const queued = await run();
    expect(queued).toMatchObject({ space_id: SPACE, document_code: null, document_count: 3, status: 'PENDING' });
    const items = await queue();
    expect(items).toHaveLength(4);
    for (const item of items)
      expect(item).toMatchObject({ run_id: queued['run_id'], skill_code: 'SPACE-DIGEST', space_id: SPACE });
    expect(items.filter(({ document_code }) => document_code === null)).toMatchObject([{ document_name: null }]);
    const { processes } = await bench.askAs(summarisePipeline, folder.groupId, {});
    expect(processes).toContainEqual(expect.objectContaining({ process: 'SKILL', pending: 4 }));
  });

  it('its result quotes the documents in their own languages', async () => {
    const queued = await worked();
    const [digest, ...others] = await results();
    expect(others).toEqual([]);
    expect(digest).toMatchObject({ skill_code: 'SPACE-DIGEST', version: '3', run_id: queued['run_id'], dropped: 0 });
    const quotes = digest?.statements.map(({ citations }) => citations.map(({ quote }) => quote)).flat() ?? [];
    expect(quotes).toContain(AGUA);
    expect(quotes).toContain(ROADS);
    for (const quote of quotes) expect([WATER, AGUA, ROADS].join('\n')).toContain(quote);
    expect(digest?.derived_from.map(({ document_code }) => document_code)).toEqual(Object.values(codes).toSorted());
    expect((await queue()).map(({ status }) => status)).toEqual(Array(4).fill('COMPLETED'));
  });

  it('a deleted user no longer stands at the runs, whose results stay', async () => {
    await worked();
    const requesters = (): Promise<object[]> =>
      folder.sql(`select requested_by as "userId" from ingestion.document_skill where group_id = $1
        union select requested_by from ingestion.space_skill where group_id = $1`);
    const [requester, ...others] = (await requesters()) as { userId: string }[];
    expect(others).toEqual([]);
    const identity = { userId: requester?.userId, code: 'ana@example.test' };
    await bench.deliver(userDeletionStarted, folder.groupId, { ...identity, userId: OTHER_USER.userId });
    expect(await requesters()).toEqual([requester]);
    await bench.deliver(userDeletionStarted, folder.groupId, identity);
    expect(await requesters()).toEqual([{ userId: FORGOTTEN_USER }]);
    expect(await results()).toHaveLength(1);
    expect((await queue()).map(({ space_id }) => space_id)).toEqual([null, null, null]);
  });

  it('the same documents give the same result', async () => {
    await worked();
    const [first] = await results();
    await worked();
    const [second] = await results();
    expect(second?.statements).toEqual(first?.statements);
    expect(second?.['run_id']).not.toBe(first?.['run_id']);
  });

  it('only readers who see every cited document see it', async () => {
    await worked();
    await folder.sql(`update ingestion.document set entity_code = 'E2' where group_id = $1 and name = 'b.txt'`);
    expect(await results({ entities: ['E1'] })).toEqual([]);
    expect(await results({ entities: ['E1', 'E2'] })).toHaveLength(1);
  });

  it('it is no longer shown once a cited text changes', async () => {
    await worked();
    await folder.sql(
      `update ingestion.document set text_object = (
         select text_object from ingestion.document where group_id = $1 and name = 'c.txt')
       where group_id = $1 and name = 'b.txt'`,
    );
    expect(await results()).toEqual([]);
  });

  it('what it finds in a document stands in no document', async () => {
    await worked();
    const shown = await bench.askAs(getDocument, folder.groupId, { document_code: codes['a.txt'] });
    expect(shown['skill_results']).toEqual([]);
  });

  it('it waits for its documents without using up its tries', async () => {
    await run();
    await bench.workStage(folder.groupId, REDUCE_SKILL.name);
    const waiting = (await queue()).find(({ document_code }) => document_code === null);
    expect(waiting).toMatchObject({ status: 'WAITING', attempts: 0, reason: 'RunAwaitsDocuments' });
    const tries = await folder.sql(
      `select extract(epoch from not_before - updated_at)::int as seconds from ingestion.task
       where group_id = $1 and stage = '${REDUCE_SKILL.name}'`,
    );
    expect(tries).toEqual([{ seconds: 30 }]);
    await bench.exhaust(folder.groupId);
    expect(await results()).toHaveLength(1);
  });

  it('a run without any result of its documents says so', async () => {
    await run();
    await folder.sql(`update ingestion.document set text_object = null where group_id = $1`);
    await bench.exhaust(folder.groupId);
    expect((await queue()).find(({ document_code }) => document_code === null)).toMatchObject({
      ...{ status: 'ERROR', reason: 'DocumentsWithoutResult' },
    });
  });

  it('others see neither the space nor what follows its documents', async () => {
    await worked();
    const items = await queue(OTHER_USER);
    expect(items.map(({ space_id }) => space_id)).toEqual(Array(3).fill(null));
  });

  it('it is no skill of one document', async () => {
    const sent = bench.askAs(runSkill, folder.groupId, { skill_code: 'SPACE-DIGEST', document_code: codes['a.txt'] });
    await expect(sent).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('a deleted document leaves no result that quotes it', async () => {
    await worked();
    await bench.askAs(deleteDocument, folder.groupId, { document_code: codes['b.txt'] }, {}, 'operations');
    expect(await folder.sql(`select result from ingestion.space_skill where group_id = $1`)).toEqual([
      { result: null },
    ]);
    bench.spaceDocuments = [codes['a.txt'] ?? '', codes['c.txt'] ?? ''];
    await worked();
    expect((await results())[0]?.derived_from.map(({ document_code }) => document_code)).toEqual(bench.spaceDocuments);
  });

  it('a deleted space leaves neither run nor result', async () => {
    await run();
    await bench.deliver(spaceDeleted, folder.groupId, { spaceId: SPACE });
    await bench.exhaust(folder.groupId);
    expect(await folder.sql(`select from ingestion.space_skill where group_id = $1`)).toEqual([]);
    expect((await queue()).filter(({ document_code }) => document_code === null)).toEqual([]);
  });

  it('a space that is deleted before its run is stored leaves no quotes', async () => {
    await bench.deliver(spaceDeleted, folder.groupId, { spaceId: SPACE });
    await run();
    bench.spaceDocuments = undefined;
    await bench.exhaust(folder.groupId);
    expect(await folder.sql(`select from ingestion.space_skill where group_id = $1`)).toEqual([]);
    expect((await queue()).filter(({ document_code }) => document_code === null)).toEqual([]);
  });

  describe('the queue of users who run skills', () => {
    it('they see their own runs alone', async () => {
      await run();
      const ownRuns = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' }, { functions: ['WORKSPACES'] });
      expect(ownRuns['total']).toBe(4);
      const other = { ...OTHER_USER, functions: ['DOCUMENTS' as const] };
      const seen = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' }, other);
      expect(seen).toEqual({ items: [], total: 0 });
    });

    it.each([{}, { process: 'VECTORS' }])('they see no other work: %p', async (input) => {
      const sent = bench.askAs(listQueue, folder.groupId, input, { functions: ['WORKSPACES'] });
      await expect(sent).rejects.toMatchObject({ code: 'FORBIDDEN' });
    });
  });
});
