import {
  batchStatus,
  deleteDocument,
  getDocument,
  getSkill,
  listQueue,
  listRunQueue,
  listSkills,
  reapplySkill,
  runSkill,
  summarisePipeline,
} from '@acervo/contracts';
import { Tasks } from '@acervo/platform-queue';
import { PipelineSettings } from '../src/reading/pipeline-settings';
import { DocumentSkillStore } from '../src/skills/document-skill.store';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

type JsonObject = Record<string, unknown>;

const LEASE =
  'The lease ends on 2026-12-31. The tenant pays a deposit of 900 euros. "Premises" means the flat at 4 High Street.';
const OTHER = 'The meeting takes place on 2025-01-02 in the large hall of the town, and everybody is welcome.';

describe('skills', () => {
  let bench: Bench;
  let folder: IngestedFolder;
  let codes: Record<string, string>;
  beforeAll(async () => {
    bench = await Bench.open();
    folder = await IngestedFolder.of(bench, { 'a.txt': LEASE, 'b.txt': LEASE, 'c.txt': OTHER });
    codes = Object.fromEntries((await folder.documents()).map(({ path, code }) => [path, code]));
  });
  afterAll(() => bench.close());

  const run = (path: string, skill = 'KEY-DATES', claims = {}): Promise<JsonObject> =>
    bench.askAs(runSkill, folder.groupId, { skill_code: skill, document_code: codes[path] }, claims);
  const detail = (path: string): Promise<JsonObject> =>
    bench.askAs(getDocument, folder.groupId, { document_code: codes[path] });
  const queue = async (input: JsonObject = {}): Promise<JsonObject[]> =>
    (await bench.askAs(listQueue, folder.groupId, { process: 'SKILL', ...input }))['items'] as JsonObject[];
  const texts = async (path: string): Promise<string[]> => {
    const results = (await detail(path))['skill_results'] as { statements: { text: string }[] }[];
    return results.flatMap(({ statements }) => statements.map(({ text }) => text));
  };

  it('the skills are listed by code, and one of them needs a model', async () => {
    const { skills } = (await bench.askAs(listSkills, folder.groupId, {})) as { skills: JsonObject[] };
    expect(skills.map(({ code, requires_model }) => [code, requires_model])).toEqual([
      ['DOCUMENT-SUMMARY', false],
      ['GLOSSARY', false],
      ['KEY-DATES', false],
      ['OBLIGATIONS', true],
      ['PARTIES', false],
      ['SPACE-DIGEST', false],
    ]);
    const one = await bench.askAs(getSkill, folder.groupId, { skill_code: 'PARTIES' });
    expect(one).toEqual(skills.find(({ code }) => code === 'PARTIES'));
    expect(one['output_schema']).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it.each(['DOCUMENT-CLASSIFY', 'ACQUISITION-FOLDER', 'ACQUISITION-WEB', 'NONE'])(
    'a skill that is not meant for callers is absent: %s',
    async (skill) => {
      await expect(bench.askAs(getSkill, folder.groupId, { skill_code: skill })).rejects.toThrow('not found');
      await expect(run('a.txt', skill)).rejects.toThrow('not found');
    },
  );

  it('a run is queued, then worked, then stands in the document with its citations', async () => {
    const queued = await run('a.txt');
    expect(queued).toMatchObject({ skill_code: 'KEY-DATES', status: 'PENDING', document_count: 1, space_id: null });
    expect(await queue()).toMatchObject([{ process: 'SKILL', status: 'PENDING', run_id: queued['run_id'] }]);
    expect(await texts('a.txt')).toEqual([]);
    await bench.work(folder.groupId);
    expect(await queue({ status: 'COMPLETED' })).toMatchObject([
      { document_code: codes['a.txt'], skill_code: 'KEY-DATES', run_id: queued['run_id'], space_id: null },
    ]);
    const quote = 'The lease ends on 2026-12-31.';
    expect((await detail('a.txt'))['skill_results']).toMatchObject([
      {
        ...{ skill_code: 'KEY-DATES', version: '1', run_id: queued['run_id'], dropped: 0 },
        statements: [
          {
            text: quote,
            value: '2026-12-31',
            citations: [{ document_code: codes['a.txt'], start_at: 0, end_at: 29, quote }],
          },
        ],
      },
    ]);
  });

  it('runs stand in the whole queue and in its summary', async () => {
    const { items, total } = await bench.askAs(listQueue, folder.groupId, { limit: 200 });
    const processes = (items as JsonObject[]).map(({ process }) => process);
    expect(processes).toEqual(expect.arrayContaining(['SKILL', 'ACQUIRE']));
    expect(total).toBe(processes.length);
    const { processes: counted } = await bench.askAs(summarisePipeline, folder.groupId, {});
    expect(counted).toContainEqual(expect.objectContaining({ process: 'SKILL', completed: 1, pending: 0 }));
  });

  it('a run counts among the work of its document and of its scan', async () => {
    await run('a.txt', 'GLOSSARY');
    const asked = { document_codes: [codes['a.txt']] };
    const status = (): Promise<JsonObject> => bench.askAs(batchStatus, folder.groupId, asked, {}, 'operations');
    expect(await status()).toMatchObject({ documents: [{ waiting: 1, failed: 0 }], waiting: 1 });
    const { items } = await bench.askAs(listRunQueue, folder.groupId, { run: 1, status: 'PENDING' });
    expect(items).toMatchObject([{ process: 'SKILL', skill_code: 'GLOSSARY', document_code: codes['a.txt'] }]);
    await bench.work(folder.groupId);
    expect(await status()).toMatchObject({ documents: [{ waiting: 0, failed: 0 }] });
    await folder.sql(`delete from ingestion.document_skill where group_id = $1 and skill_code = 'GLOSSARY'`);
  });

  it('equal content gets the result that the group has, with its own code', async () => {
    await bench.forget();
    await run('b.txt');
    await bench.work(folder.groupId);
    expect(bench.cpu.runs).toEqual([]);
    expect((await detail('b.txt'))['skill_results']).toMatchObject([
      { statements: [{ citations: [{ document_code: codes['b.txt'] }] }] },
    ]);
  });

  it('a skill that runs twice over a document has one result', async () => {
    const [first, second] = [await run('c.txt'), await run('c.txt')];
    expect(first['run_id']).not.toBe(second['run_id']);
    await bench.work(folder.groupId);
    await run('c.txt');
    await bench.work(folder.groupId);
    expect((await queue()).filter(({ document_code }) => document_code === codes['c.txt'])).toHaveLength(1);
    expect(await texts('c.txt')).toEqual([OTHER]);
  });

  it('a worker locks a run before its task, as requests and deletions do', async () => {
    const saved = jest.spyOn(bench.instance(DocumentSkillStore), 'save');
    const completed = jest.spyOn(bench.instance(Tasks), 'complete');
    await run('c.txt');
    await bench.work(folder.groupId);
    const [savedAt = Infinity, completedAt = 0] = [saved, completed].map(({ mock }) => mock.invocationCallOrder[0]);
    jest.restoreAllMocks();
    expect(savedAt).toBeLessThan(completedAt);
  });

  it.each([{}, { document_code: 'D1', space_id: 1 }])('a run needs one target: %p', async (target) => {
    const sent = bench.askAs(runSkill, folder.groupId, { skill_code: 'PARTIES', ...target });
    await expect(sent).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('an invisible document is absent: no run, no queue, no result', async () => {
    const claims = { entities: ['E2'] };
    await expect(run('a.txt', 'PARTIES', claims)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const seen = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' }, claims);
    expect(seen).toEqual({ items: [], total: 0 });
  });

  describe('over a space', () => {
    const runOver = (): Promise<JsonObject> =>
      bench.askAs(runSkill, folder.groupId, { skill_code: 'GLOSSARY', space_id: 7 });

    it('each document of the space is worked', async () => {
      bench.spaceDocuments = ['a.txt', 'b.txt', 'c.txt'].map((path) => codes[path] ?? '');
      const queued = await runOver();
      expect(queued).toMatchObject({ document_code: null, space_id: 7, document_count: 3 });
      await bench.work(folder.groupId);
      const done = (await queue({ status: 'COMPLETED' })).filter(({ skill_code }) => skill_code === 'GLOSSARY');
      expect(done.map(({ run_id, space_id }) => [run_id, space_id])).toEqual(Array(3).fill([queued['run_id'], 7]));
    });

    it('its space is shown to the user alone who requested it', async () => {
      const other = { userId: '00000000-0000-4000-8000-0000000000ff' };
      for (const process of ['SKILL', undefined]) {
        const { items } = await bench.askAs(
          listQueue,
          folder.groupId,
          { limit: 200, ...(process && { process }) },
          other,
        );
        const ran = (items as JsonObject[]).filter(({ skill_code }) => skill_code === 'GLOSSARY');
        expect(ran.map(({ space_id }) => space_id)).toEqual(Array(3).fill(null));
      }
    });

    it('the operation runs a skill over the members of a space again', async () => {
      const queued = await bench.askAs(
        reapplySkill,
        folder.groupId,
        { skill_code: 'GLOSSARY', space_id: 7 },
        {},
        'operations',
      );
      expect(queued).toMatchObject({ skill_code: 'GLOSSARY', space_id: 7, document_count: 3 });
      await bench.work(folder.groupId);
      const done = (await queue({ status: 'COMPLETED' })).filter(({ run_id }) => run_id === queued['run_id']);
      expect(done).toHaveLength(3);
    });

    it('an invisible space is absent, an empty or a large one is refused', async () => {
      bench.spaceDocuments = undefined;
      await expect(runOver()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      bench.spaceDocuments = [];
      await expect(runOver()).rejects.toMatchObject({ code: 'CONFLICT' });
      bench.spaceDocuments = Array.from({ length: 1_001 }, () => codes['a.txt'] ?? '');
      await expect(runOver()).rejects.toThrow('smaller one');
    });
  });

  it('a document whose file is no longer read keeps nothing of its text', async () => {
    const secret = await IngestedFolder.of(bench, { 'notes.txt': LEASE });
    const [{ code } = { code: '' }] = await secret.documents();
    const ask = (): Promise<JsonObject> =>
      bench.askAs(runSkill, secret.groupId, { skill_code: 'KEY-DATES', document_code: code });
    await ask();
    await bench.work(secret.groupId);
    jest.spyOn(bench.instance(PipelineSettings).reading, 'whyNot').mockReturnValue('Files of keys are not opened.');
    await secret.ingest();
    jest.restoreAllMocks();
    await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await bench.askAs(getDocument, secret.groupId, { document_code: code })).toMatchObject({
      ...{ status: 'UNSUPPORTED', summary: null, skill_results: [] },
    });
    const left = await secret.sql(
      `select d.text_object, d.title, d.summary, s.result from ingestion.document d
       left join ingestion.document_skill s on s.group_id = d.group_id and s.document_id = d.document_id
       where d.group_id = $1`,
    );
    expect(left).toEqual([{ text_object: null, title: null, summary: null, result: null }]);
    expect(await bench.storedObjects(secret.groupId)).toEqual([]);
  });

  it('a run over another text of the same content finds what stands in that text', async () => {
    await folder.sql(
      `update ingestion.document set text_object = (
         select text_object from ingestion.document where group_id = $1 and name = 'c.txt')
       where group_id = $1 and name = 'b.txt'`,
    );
    expect(await texts('b.txt')).toEqual([]);
    await run('b.txt');
    await bench.work(folder.groupId);
    expect(await texts('b.txt')).toEqual([OTHER]);
  });

  it('a run that is repeated while a worker works on it is worked again', async () => {
    const text = `(select text_object from ingestion.document where group_id = $1 and name = $2)`;
    const swap = (name: string): Promise<unknown> =>
      folder.sql(`update ingestion.document set text_object = ${text} where group_id = $1 and name = 'b.txt'`, name);
    await swap('a.txt');
    const store = bench.instance(DocumentSkillStore);
    const find = store.find.bind(store);
    jest.spyOn(store, 'find').mockImplementationOnce(async (scope, key) => {
      await swap('c.txt');
      await run('b.txt');
      return find(scope, key);
    });
    await run('b.txt');
    await bench.work(folder.groupId);
    jest.restoreAllMocks();
    expect(await texts('b.txt')).toEqual([OTHER]);
  });

  it('a run over a document that is read again waits for its text', async () => {
    await run('c.txt', 'PARTIES');
    const setStatus = (status: string): Promise<unknown> =>
      folder.sql(`update ingestion.document set status = $2 where group_id = $1 and name = 'c.txt'`, status);
    await setStatus('ADQUIRIDO');
    await bench.work(folder.groupId);
    const parties = async (): Promise<JsonObject | undefined> =>
      (await queue()).find(
        ({ document_code, skill_code }) => document_code === codes['c.txt'] && skill_code === 'PARTIES',
      );
    expect(await parties()).toMatchObject({ status: 'WAITING', attempts: 0, reason: 'DocumentAwaitsText' });
    await expect(run('c.txt', 'GLOSSARY')).rejects.toMatchObject({ code: 'CONFLICT' });
    await setStatus('VECTORIZADO');
    await bench.exhaust(folder.groupId);
    expect(await parties()).toMatchObject({ status: 'COMPLETED', reason: null });
  });

  it('a run over a document that lost its text fails with the reason', async () => {
    await run('c.txt', 'DOCUMENT-SUMMARY');
    await folder.sql(`update ingestion.document set text_object = null where group_id = $1 and name = 'c.txt'`);
    await bench.work(folder.groupId);
    expect(await queue({ status: 'ERROR' })).toMatchObject([
      { document_code: codes['c.txt'], skill_code: 'DOCUMENT-SUMMARY', reason: 'DocumentWithoutText' },
    ]);
  });

  it('a document without a text is refused', async () => {
    await folder.sql(`update ingestion.document set text_object = null where group_id = $1 and name = 'c.txt'`);
    await expect(run('c.txt', 'PARTIES')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await texts('c.txt')).toEqual([]);
  });

  it('a deleted document leaves no run and no result', async () => {
    await run('a.txt', 'GLOSSARY');
    await bench.askAs(deleteDocument, folder.groupId, { document_code: codes['a.txt'] }, {}, 'operations');
    const left = await folder.sql<{ rows: number; tasks: number }>(
      `select count(*)::int as rows,
         (select count(*)::int from ingestion.task t where t.group_id = $1 and t.stage = 'skill' and t.status = 'WAITING') as tasks
       from ingestion.document_skill s join ingestion.document d using (group_id, document_id)
       where s.group_id = $1 and d.name = 'a.txt'`,
    );
    expect(left).toEqual([{ rows: 0, tasks: 0 }]);
  });
});
