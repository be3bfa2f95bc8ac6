import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  batchStatus,
  deleteDocument,
  documentDescribed,
  getDocument,
  listQueue,
  resolveLlmAlerts,
  runSkill,
} from '@acervo/contracts';
import { WorkSignals } from '@acervo/platform-queue';
import { ChatServer, type ChatScript } from '@acervo/platform-testing';
import { SkillModels } from '../src/skills/model/skill-models';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

type JsonObject = Record<string, unknown>;

const FIRST = 'The council of the valley shares the water of the river among all farms.';
const SECOND = 'Each farm pays 96 euros a year for the water that it takes from the river.';
const FILLER = Array.from({ length: 30 }, (_, at) => `The farm with number ${at} lies in the valley of the river.`);
/** What no summary needs again. */
const REMAKES = ['record', 'chunk', 'embed', 'summarise'];
const TEXT = [FIRST, ...FILLER, SECOND].join('\n');

const written = (...quotes: readonly string[]): ChatScript => ({
  kind: 'text',
  parts: [JSON.stringify({ statements: quotes.map((quote) => ({ quote, value: null, label: null })) })],
});

describe('summaries by a model', () => {
  const server = new ChatServer();
  let bench: Bench;
  beforeAll(async () => {
    const chat = { ACERVO_CHAT_URL: await server.open(), ACERVO_CHAT_MODEL: 'scripted' };
    bench = await Bench.open(undefined, undefined, { environment: chat });
  });
  beforeEach(async () => {
    [server.scripts.length, server.received.length] = [0, 0];
    server.answer = () => written(SECOND);
    await bench.forget();
  });
  afterAll(async () => {
    await bench.close();
    await server.close();
  });

  const ingested = (files: Readonly<Record<string, string>> = { 'a.txt': TEXT }): Promise<IngestedFolder> =>
    IngestedFolder.of(bench, files);
  const detailOf = async (folder: IngestedFolder, path = 'a.txt'): Promise<JsonObject> => {
    const document = (await folder.documents()).find((each) => each.path === path);
    return bench.askAs(getDocument, folder.groupId, { document_code: document?.code });
  };
  const summaryOf = async (folder: IngestedFolder, path = 'a.txt'): Promise<unknown> =>
    (await detailOf(folder, path))['summary'];
  const state = async ({ groupId }: IngestedFolder): Promise<readonly unknown[]> => {
    const { items } = await bench.askAs(listQueue, groupId, { process: 'SKILL' });
    return (items as JsonObject[]).map(({ skill_code, status, reason }) => [skill_code, status, reason]);
  };
  const published = async (): Promise<(readonly [topic: unknown, summary: unknown])[]> => {
    const events = await bench.published();
    const ofDocuments = events.filter(({ topic }) => String(topic).startsWith('document.'));
    return ofDocuments.map(({ topic, payload }) => [topic, (payload as JsonObject)['summary']] as const);
  };

  const stages = async ({ groupId }: IngestedFolder): Promise<number> => bench.workStage(groupId, 'skill');
  /** Runs an answer of the model once, while its request is under way. */
  const whileAsked = (work: () => Promise<unknown>, then: ChatScript = written(SECOND)): void => {
    let isDone = false;
    server.answer = async () => {
      if (!isDone) {
        isDone = true;
        await work();
      }
      return then;
    };
  };
  /** The calls that leave nothing as it was: documents are neither read nor cut nor embedded. */
  const remade = (): string[] => bench.cpu.runs.filter((name) => REMAKES.includes(name));

  it('a document is handed over before its model is asked, and described after it', async () => {
    const before: (readonly [topic: unknown, summary: unknown])[] = [];
    whileAsked(async () => before.push(...(await published())));
    const folder = await ingested();
    expect(before[0]).toEqual(['document.prepared.v1', expect.stringContaining('The farm with number')]);
    expect(before.map(([topic]) => topic)).not.toContain(documentDescribed.topic);
    expect((await published()).slice(before.length)).toEqual([[documentDescribed.topic, SECOND]]);
    expect(await summaryOf(folder)).toBe(SECOND);
    expect(await state(folder)).toEqual([['DOCUMENT-SUMMARY', 'COMPLETED', null]]);
  });

  it('a summary has the most important sentences that fit, in the order of the text', async () => {
    const last = FILLER.at(-1) ?? '';
    server.answer = () => written(SECOND, FIRST, ...FILLER.toReversed());
    const folder = await ingested();
    const summary = String(await summaryOf(folder));
    expect(summary.startsWith(`${FIRST} `) && summary.endsWith(`${last} ${SECOND}`)).toBe(true);
    expect(summary.length).toBeLessThanOrEqual(600);
  });

  it.each([
    ['invented', 'The council sells the water of the river to the town.', 1],
    ['half', FIRST.slice(0, 40), 0],
    ['no sentence', 'farm with number 3 lies in the valley', 0],
  ])('the best sentences stay where what a model quotes is %s', async (_what, quote, dropped) => {
    server.answer = () => written(quote);
    const folder = await ingested();
    const { summary, skill_results } = await detailOf(folder);
    expect(summary).toContain('The farm with number');
    expect(skill_results).toMatchObject([{ skill_code: 'DOCUMENT-SUMMARY', dropped }]);
    expect(await published()).not.toContainEqual([documentDescribed.topic, summary]);
  });

  it('the best sentences stay where the answers of a model are unusable', async () => {
    server.answer = () => ({ kind: 'text', parts: ['No JSON.'] });
    const folder = await ingested();
    expect(await state(folder)).toEqual([['DOCUMENT-SUMMARY', 'ERROR', 'ModelUnusable']]);
    expect(await summaryOf(folder)).toContain('The farm with number');
  });

  it('a summary waits for a model that fails, until it is resumed', async () => {
    server.answer = () => ({ kind: 'status', status: 401 });
    const folder = await ingested();
    expect(await state(folder)).toEqual([['DOCUMENT-SUMMARY', 'WAITING', 'ModelKey']]);
    expect(await summaryOf(folder)).toContain('The farm with number');
    server.answer = () => written(SECOND);
    await bench.askAs(resolveLlmAlerts, folder.groupId, { skill_code: 'DOCUMENT-SUMMARY' }, {}, 'operations');
    await stages(folder);
    expect(await summaryOf(folder)).toBe(SECOND);
  });

  it('documents of equal content are summarised by one answer, and nothing is made again', async () => {
    const folder = await ingested({ 'a.txt': TEXT, 'b.txt': TEXT });
    expect([await summaryOf(folder), await summaryOf(folder, 'b.txt')]).toEqual([SECOND, SECOND]);
    expect(server.received).toHaveLength(1);
    expect(bench.source.read).toHaveLength(1);
    expect(remade().toSorted()).toEqual(['chunk', 'embed', 'record', 'summarise']);
  });

  it('a document that is revised while its model writes keeps nothing of it', async () => {
    const folder = await ingested();
    writeFileSync(
      join(folder.root, 'a.txt'),
      [...FILLER, 'The mayor opens the new bridge on the first day of May.'].join('\n'),
    );
    const scanned = (): Promise<unknown> => folder.scan().then(() => bench.workStage(folder.groupId, 'acquire'));
    bench.prompts.group = 'We are a council.';
    whileAsked(scanned);
    const { code } = await detailOf(folder);
    await bench.askAs(runSkill, folder.groupId, { skill_code: 'DOCUMENT-SUMMARY', document_code: code });
    await bench.exhaust(folder.groupId);
    bench.prompts.group = '';
    const { summary, skill_results } = await detailOf(folder);
    expect(summary).toContain('The farm with number');
    expect(summary).not.toContain(SECOND);
    expect(skill_results).toMatchObject([{ skill_code: 'DOCUMENT-SUMMARY', dropped: 1, statements: [] }]);
    expect(server.received).toHaveLength(3);
  });

  it('a document that is deleted while its model writes leaves nothing', async () => {
    const folder = await ingested();
    const { code } = await detailOf(folder);
    bench.prompts.group = 'We are a village.';
    let events: unknown[] = [];
    whileAsked(async () => {
      await bench.askAs(deleteDocument, folder.groupId, { document_code: code }, {}, 'operations');
      events = await published();
    }, written(FIRST));
    await bench.askAs(runSkill, folder.groupId, { skill_code: 'DOCUMENT-SUMMARY', document_code: code });
    await stages(folder);
    bench.prompts.group = '';
    expect(await published()).toEqual(events);
    expect(await folder.sql('select from ingestion.document_skill where group_id = $1')).toEqual([]);
    expect(await folder.sql(`select from ingestion.task where group_id = $1 and stage = 'skill'`)).toEqual([]);
  });

  it('work of the background leaves its slot to other work, and reads no part twice', async () => {
    const signals = bench.instance(WorkSignals);
    const waits = jest.spyOn(signals, 'anyWaits').mockResolvedValueOnce(false).mockResolvedValueOnce(true);
    const long = Array.from({ length: 900 }, (_, at) => `The farm with number ${at} lies in the valley of the river.`);
    const folder = await ingested({ 'a.txt': [...long, SECOND].join('\n') });
    jest.restoreAllMocks();
    expect(waits.mock.calls.length).toBeGreaterThan(2);
    const parts = server.received.map(({ body }) => /part \d+ of \d+/.exec(body.messages.at(-1)?.content ?? '')?.[0]);
    expect(parts).toEqual(['part 1 of 3', 'part 2 of 3', 'part 3 of 3']);
    expect(await summaryOf(folder)).toBe(SECOND);
  });

  it('a batch of documents waits for no summary', async () => {
    server.answer = () => ({ kind: 'status', status: 401 });
    const folder = await ingested();
    const { code } = await detailOf(folder);
    const batch = await bench.askAs(batchStatus, folder.groupId, { document_codes: [code] }, {}, 'operations');
    expect(batch).toMatchObject({ documents: [{ waiting: 0 }] });
  });

  it('a group that permits no model gets no work', async () => {
    jest.spyOn(bench.instance(SkillModels), 'ofRun').mockResolvedValue({ why: 'ModelNotPermitted' });
    const folder = await ingested();
    jest.restoreAllMocks();
    expect([server.received, await state(folder)]).toEqual([[], []]);
    expect(await summaryOf(folder)).toContain('The farm with number');
  });
});

describe('a group whose documents were ingested without a model', () => {
  const server = new ChatServer(() => written(SECOND));
  let bench: Bench;
  beforeAll(async () => {
    const chat = {
      ACERVO_CHAT_URL: await server.open(),
      ACERVO_CHAT_MODEL: 'scripted',
      ACERVO_CHAT_SUMMARIES: 'false',
    };
    bench = await Bench.open(undefined, undefined, { environment: chat });
  });
  afterAll(async () => {
    await bench.close();
    await server.close();
  });

  it('a requested run replaces the summary, and nothing else does', async () => {
    const folder = await IngestedFolder.of(bench, { 'a.txt': TEXT });
    await folder.ingest();
    expect(server.received).toEqual([]);
    const [{ code } = { code: '' }] = await folder.documents();
    const read = (): Promise<JsonObject> => bench.askAs(getDocument, folder.groupId, { document_code: code });
    expect((await read())['summary']).toContain('The farm with number');
    await bench.forget();
    await bench.askAs(runSkill, folder.groupId, { skill_code: 'DOCUMENT-SUMMARY', document_code: code });
    await bench.workStage(folder.groupId, 'skill');
    expect((await read())['summary']).toBe(SECOND);
    expect(bench.cpu.runs.toSorted()).toEqual(['cite-answers', 'slice-text']);
  });
});
