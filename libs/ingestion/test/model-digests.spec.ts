import {
  countSkillResults,
  deleteDocument,
  listQueue,
  readSpaceResults,
  resolveLlmAlerts,
  runSkill,
  Unavailable,
} from '@acervo/contracts';
import { type LayerRecord, promptHash } from '@acervo/models/chat';
import { ChatServer, type ChatScript, type ReceivedChat } from '@acervo/platform-testing';
import { REDUCE_SKILL } from '../src/kernel/stages';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';
import { KilledProcess } from './killed-process';

type JsonObject = Record<string, unknown>;
interface Digest extends JsonObject {
  readonly statements: {
    text: string;
    citations: { document_code: string; start_at: number; end_at: number; quote: string }[];
  }[];
  readonly derived_from: { document_code: string; revision: number }[];
}

const SPACE = 7;
const WATER = 'The council shares the water of the river\namong the farms of the valley.';
const RULE = 'No farm waters on Sundays at all.';
const AGUA = 'La comisión reparte el agua del río entre las fincas del valle.';
const FILES = { 'a.txt': `${WATER} ${RULE}`, 'b.txt': AGUA, 'c.txt': `${AGUA}\n\n${RULE}` };
const AWAY: ChatScript = { kind: 'status', status: 401 };

const answeredText = (...quotes: readonly string[]): string[] => [
  JSON.stringify({ statements: quotes.map((quote) => ({ quote, value: null, label: null })) }),
];
const answered = (...quotes: readonly string[]): ChatScript => ({ kind: 'text', parts: answeredText(...quotes) });
const dataOf = ({ body }: ReceivedChat): string => body.messages.at(1)?.content ?? '';
const reduces = (received: ReceivedChat): boolean => dataOf(received).includes('label="statements of documents');
const linesOf = (received: ReceivedChat): string[] => {
  const [, data = ''] = /^<data [^>]*>\n([^]*)\n<\/data /.exec(dataOf(received)) ?? [];
  return data.split('\n').filter((line) => line !== '');
};

describe('the digest of a space by a model', () => {
  const server = new ChatServer();
  let bench: Bench;
  let folder: IngestedFolder;
  let codes: Record<string, string>;
  /** What the model answers of the statements of all documents. */
  let reduced: (received: ReceivedChat) => ChatScript | Promise<ChatScript>;
  beforeAll(async () => {
    const environment = {
      ACERVO_CHAT_URL: await server.open(),
      ...{ ACERVO_CHAT_MODEL: 'small', ACERVO_CHAT_MODELS: 'large', ACERVO_CHAT_SUMMARIES: 'false' },
      ACERVO_CHAT_CONTEXT_TOKENS: '8000',
    };
    bench = await Bench.open(undefined, undefined, { environment });
    await ingest(FILES);
  });
  const ingest = async (files: Readonly<Record<string, string>>): Promise<void> => {
    folder = await IngestedFolder.of(bench, files);
    codes = Object.fromEntries((await folder.documents()).map(({ path, code }) => [path, code]));
    bench.spaceDocuments = Object.values(codes);
  };
  /** No run has been requested, and all documents belong to one entity. */
  const forget = async (): Promise<void> => {
    await folder.sql(`delete from ingestion.task where group_id = $1 and stage in ('skill', 'reduce-skill')`);
    await folder.sql('delete from ingestion.document_skill where group_id = $1');
    await folder.sql('delete from ingestion.space_skill where group_id = $1');
    await folder.sql(`update ingestion.document set entity_code = 'E1' where group_id = $1`);
  };
  beforeEach(async () => {
    bench.parameters.clear();
    Object.assign(bench.prompts, { group: '', entity: '' });
    reduced = () => answered(RULE, 'The council shares the water of the river among the farms of the valley.');
    server.received.length = 0;
    server.answer = (received) =>
      reduces(received)
        ? reduced(received)
        : answered(...[WATER, RULE, AGUA].filter((each) => dataOf(received).includes(each)));
    await forget();
  });
  afterAll(async () => {
    await bench.close();
    await server.close();
  });

  const run = (claims = {}): Promise<JsonObject> =>
    bench.askAs(runSkill, folder.groupId, { skill_code: 'SPACE-DIGEST', space_id: SPACE }, claims);
  const results = async (claims = {}): Promise<Digest[]> =>
    (await bench.askAs(readSpaceResults, folder.groupId, { space_id: SPACE }, claims))['results'] as Digest[];
  const worked = async (): Promise<Digest | undefined> => {
    await run();
    await bench.exhaust(folder.groupId);
    return (await results())[0];
  };
  const reduction = async (): Promise<JsonObject | undefined> => {
    const { items } = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' });
    return (items as JsonObject[]).find(({ document_code }) => document_code === null);
  };
  const resume = (input: JsonObject = {}, claims = {}): Promise<JsonObject> =>
    bench.askAs(resolveLlmAlerts, folder.groupId, input, claims, 'operations');
  const requests = (isReduced: boolean): ReceivedChat[] =>
    server.received.filter((received) => reduces(received) === isReduced);
  const layers = async (): Promise<LayerRecord[]> => {
    const [row] = await folder.sql<{ layers: LayerRecord[] }>(
      'select layers from ingestion.space_skill where group_id = $1',
    );
    return row?.layers ?? [];
  };

  it('each document is read, then what was found in all of them', async () => {
    await worked();
    expect([requests(false).length, requests(true).length]).toEqual([3, 1]);
    const [asked] = requests(true);
    expect(asked && linesOf(asked)).toEqual([WATER.replace('\n', ' '), RULE, AGUA]);
    expect(asked?.body.messages[0]?.content).toContain('Task: what matters to a reader');
    expect(asked?.body.tools).toBeUndefined();
  });

  it('its statements cite every document that has them, to the letter', async () => {
    const digest = await worked();
    expect(digest).toMatchObject({ skill_code: 'SPACE-DIGEST', version: '3', dropped: 0, omitted: 1 });
    expect(digest?.statements.map(({ text }) => text)).toEqual([WATER.replace('\n', ' '), RULE]);
    const cited = digest?.statements.flatMap(({ citations }) => citations) ?? [];
    const texts = new Map(Object.entries(codes).map(([path, code]) => [code, Reflect.get(FILES, path) as string]));
    for (const { document_code, start_at, end_at, quote } of cited)
      expect(texts.get(document_code)?.slice(start_at, end_at)).toBe(quote);
    expect(cited.map(({ document_code }) => document_code)).toEqual(
      ['a.txt', 'a.txt', 'c.txt'].map((path) => codes[path]),
    );
    expect(digest?.derived_from.map(({ document_code }) => document_code)).toEqual([codes['a.txt'], codes['c.txt']]);
  });

  it('what is no statement of a document is dropped and counted', async () => {
    reduced = () => answered(AGUA, 'The council sells the river.', 'the', `${RULE} ${AGUA}`);
    expect(await worked()).toMatchObject({ dropped: 3, statements: [{ text: AGUA }] });
  });

  it('where it chose none, the ranking of sentences chooses', async () => {
    reduced = () => answered('The council sells the river.');
    const digest = await worked();
    expect(digest).toMatchObject({ dropped: 1 });
    expect(digest?.statements.length).toBeGreaterThan(0);
  });

  it('the same documents, prompt and model are not asked about again', async () => {
    const first = await worked();
    server.received.length = 0;
    const second = await worked();
    expect(server.received).toEqual([]);
    expect(second?.statements).toEqual(first?.statements);
    expect(second?.['run_id']).not.toBe(first?.['run_id']);
  });

  it.each([
    ['SKILL_PROMPT_SPACE-DIGEST', 'Task: what concerns the river.'],
    ['SKILL_MODEL_SPACE-DIGEST', 'large'],
  ])('%s has documents and statements read again', async (parameter, value) => {
    await worked();
    server.received.length = 0;
    bench.parameters.set(parameter, value);
    await worked();
    expect([requests(false).length, requests(true).length]).toEqual([3, 1]);
    for (const { body } of server.received)
      expect(body.model === value || body.messages[0]?.content.endsWith(value)).toBe(true);
  });

  it('the hash of its prompt is computed again from what is stored', async () => {
    bench.prompts.entity = 'We are a valley.';
    await worked();
    const before = await layers();
    expect(before.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
      'PRODUCT SKILL-DIGEST',
      'PRODUCT DATA-RULE',
      'ENTITY E1',
      'SKILL SPACE-DIGEST',
    ]);
    bench.prompts.entity = 'We are a valley!';
    await worked();
    expect(promptHash(await layers())).not.toBe(promptHash(before));
  });

  it('documents of several entities are reduced without the prompt of one', async () => {
    await folder.sql(`update ingestion.document set entity_code = 'E2' where group_id = $1 and name = 'b.txt'`);
    bench.prompts.group = 'We are a region.';
    await worked();
    expect((await layers()).map(({ kind }) => kind)).toEqual(['PRODUCT', 'PRODUCT', 'GROUP', 'SKILL']);
  });

  it('only readers who see every cited document see it', async () => {
    await worked();
    await folder.sql(`update ingestion.document set entity_code = 'E2' where group_id = $1 and name = 'c.txt'`);
    expect(await results({ entities: ['E1'] })).toEqual([]);
    expect(await results({ entities: ['E1', 'E2'] })).toHaveLength(1);
  });

  it('it replaces the summary of no document', async () => {
    const summaries = (): Promise<object[]> =>
      folder.sql('select name, summary from ingestion.document where group_id = $1 order by name');
    const before = await summaries();
    await worked();
    expect(await summaries()).toEqual(before);
  });

  it('the documents that another prompt concerns are counted', async () => {
    await worked();
    const { skills } = await bench.askAs(countSkillResults, folder.groupId, {}, {}, 'auth');
    expect(skills).toContainEqual({ skill_code: 'SPACE-DIGEST', documents: 3 });
  });

  describe('whose model fails', () => {
    it('waits with the reason until it is resumed', async () => {
      reduced = () => AWAY;
      await worked();
      expect(await reduction()).toMatchObject({ status: 'WAITING', reason: 'ModelKey', attempts: 0 });
      expect(await resume({ skill_code: 'PARTIES' })).toEqual({ resumed: 0, remaining: 1 });
      bench.signals.length = 0;
      expect(await resume({ skill_code: 'SPACE-DIGEST', reason: 'KEY' })).toEqual({ resumed: 1, remaining: 0 });
      expect(await resume()).toEqual({ resumed: 0, remaining: 0 });
      expect(bench.signals).toEqual([REDUCE_SKILL.name]);
      reduced = () => answered(RULE);
      await bench.exhaust(folder.groupId);
      expect(await results()).toMatchObject([{ statements: [{ text: RULE }] }]);
    });

    it('is resumed by those alone who see all of its documents', async () => {
      reduced = () => AWAY;
      await worked();
      await folder.sql(`update ingestion.document set entity_code = 'E2' where group_id = $1 and name = 'b.txt'`);
      expect(await resume({}, { entities: ['E1'] })).toEqual({ resumed: 0, remaining: 0 });
      expect(await resume({}, { entities: ['E1', 'E2'] })).toEqual({ resumed: 1, remaining: 0 });
    });

    it('waits while auth does not say whether there is one', async () => {
      await run();
      await bench.workStage(folder.groupId, 'skill');
      bench.refusal = new Unavailable('Auth is away.');
      await bench.workStage(folder.groupId, REDUCE_SKILL.name);
      bench.refusal = undefined;
      expect(await reduction()).toMatchObject({ status: 'WAITING', reason: 'RunAwaitsParameters', attempts: 0 });
      await bench.exhaust(folder.groupId);
      expect(await results()).toHaveLength(1);
    });

    it('ends with the reason after two unusable answers', async () => {
      reduced = () => ({ kind: 'text', parts: ['The council.'] });
      await worked();
      expect([requests(true).length, await reduction()]).toEqual([
        2,
        expect.objectContaining({ status: 'ERROR', reason: 'ModelUnusable' }),
      ]);
      expect(await results()).toEqual([]);
    });

    it('uses nothing of an answer that is cut off', async () => {
      let asked = 0;
      reduced = () => ((asked += 1) === 1 ? { kind: 'cut', parts: answeredText(AGUA), bytes: 90 } : answered(RULE));
      expect(await worked()).toMatchObject({ dropped: 0, statements: [{ text: RULE }] });
      expect(asked).toBe(2);
    });

    it('goes on with the documents that the model did not withhold', async () => {
      const { answer } = server;
      server.answer = (received) =>
        !reduces(received) && dataOf(received).includes('council')
          ? { kind: 'text', parts: [''], finish: 'content_filter' }
          : answer(received);
      reduced = () => answered(AGUA);
      expect(await worked()).toMatchObject({ statements: [{ text: AGUA }] });
      expect((await reduction())?.['status']).toBe('COMPLETED');
    });
  });

  describe('whose statements do not fit into one request', () => {
    const sentence = (document: number, at: number): string =>
      `The council of the valley number ${document} decides in its session ${at} on the water, the roads and the schools of the year.`;
    const many = Object.fromEntries(
      Array.from({ length: 14 }, (_, document) => [
        `d${document}.txt`,
        Array.from({ length: 6 }, (_, at) => sentence(document, at)).join('\n'),
      ]),
    );
    /** Each part names its number. */
    const partOf = (received: ReceivedChat): number => Number(/part (\d+)/.exec(dataOf(received))?.[1]);
    beforeAll(() => ingest(many));
    beforeEach(() => {
      server.answer = (received) => answered(...linesOf(received));
    });

    it('is read in parts, and the parts have their turns', async () => {
      const digest = await worked();
      const parts = requests(true).map(partOf);
      expect(parts.length).toBeGreaterThan(1);
      expect(digest?.statements.length).toBeGreaterThan(0);
      expect(digest).toMatchObject({ dropped: 0 });
    });

    it('what a run has read before its model fails is not read again', async () => {
      server.answer = (received) =>
        reduces(received) && partOf(received) === 2 ? AWAY : answered(...linesOf(received));
      await worked();
      expect(await reduction()).toMatchObject({ status: 'WAITING', reason: 'ModelKey' });
      server.answer = (received) => answered(...linesOf(received));
      await resume();
      await bench.exhaust(folder.groupId);
      expect(
        requests(true)
          .map(partOf)
          .filter((part) => part === 1),
      ).toEqual([1]);
      expect(await results()).toHaveLength(1);
    });

    it.each([
      ['with a part read', 'skill.kept'],
      ['before its commit', 'skill.before-commit'],
      ['after its commit', 'skill.committed'],
    ] as const)('a run killed %s ends with one result, and no part is read again', async (_when, place) => {
      const processes = await KilledProcess.of(bench);
      processes.other.spaceDocuments = bench.spaceDocuments;
      await run();
      await bench.workStage(folder.groupId, 'skill');
      expect(await processes.workBroken(folder.groupId, REDUCE_SKILL.name, { place, passage: 1 })).toBe(1);
      expect((await reduction())?.['status']).toBe('COMPLETED');
      const parts = requests(true).map(partOf);
      expect(parts).toEqual(parts.map((_part, at) => at + 1));
      expect(await results()).toHaveLength(1);
    });

    it('a run whose worker dies within an answer is finished by another, with one result', async () => {
      const other = await bench.beside();
      other.spaceDocuments = bench.spaceDocuments;
      await run();
      await bench.workStage(folder.groupId, 'skill');
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let asked = 0;
      const isHeld = new Promise<void>((resolve) => {
        server.answer = async (received) => {
          if ((asked += 1) === 1) {
            resolve();
            await released;
          }
          return answered(...linesOf(received));
        };
      });
      const dead = bench.workStage(folder.groupId, REDUCE_SKILL.name);
      await isHeld;
      await folder.sql(
        `update ingestion.task set leased_until = now() - interval '1 second' where group_id = $1 and status = 'LEASED'`,
      );
      while ((await other.workStage(folder.groupId, REDUCE_SKILL.name)) > 0);
      const made = (): Promise<object[]> =>
        folder.sql('select result, made_at from ingestion.space_skill where group_id = $1');
      const first = await made();
      expect((await reduction())?.['status']).toBe('COMPLETED');
      release();
      await dead;
      expect(await made()).toEqual(first);
    });

    const progress = (): Promise<object[]> =>
      folder.sql('select progress is null as "isEmpty" from ingestion.space_skill where group_id = $1');

    it('what it has read of a document leaves although a later run is without it', async () => {
      server.answer = (received) =>
        reduces(received) && partOf(received) === 2 ? AWAY : answered(...linesOf(received));
      await worked();
      bench.spaceDocuments = Object.values(codes).filter((code) => code !== codes['d1.txt']);
      await run();
      expect(await progress()).toEqual([{ isEmpty: false }]);
      await bench.askAs(deleteDocument, folder.groupId, { document_code: codes['d1.txt'] }, {}, 'operations');
      expect(await progress()).toEqual([{ isEmpty: true }]);
    });

    it('what it has read of a deleted document does not stay', async () => {
      server.answer = (received) =>
        reduces(received) && partOf(received) === 2 ? AWAY : answered(...linesOf(received));
      await worked();
      expect(await progress()).toEqual([{ isEmpty: false }]);
      await bench.askAs(deleteDocument, folder.groupId, { document_code: codes['d0.txt'] }, {}, 'operations');
      expect(await progress()).toEqual([{ isEmpty: true }]);
    });
  });
});
