import { getDocument, listQueue, resolveLlmAlerts, runSkill } from '@acervo/contracts';
import {
  ChatModel,
  type ChatPart,
  type ChatRequest,
  composePrompt,
  DATA_RULE,
  ModelAccounts,
  OpenAiChatModel,
} from '@acervo/models/chat';
import { Tasks } from '@acervo/platform-queue';
import { ChatServer, type ChatScript, until } from '@acervo/platform-testing';
import { RUN_SKILL } from '../src/kernel/stages';
import { ModelReading } from '../src/skills/model/model-reading';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

type JsonObject = Record<string, unknown>;

const SENTENCE = 'The tenant shall pay a deposit of 900 euros.';
const PAGES = Array.from({ length: 900 }, (_, at) => `The supplier shall deliver part number ${at} in the month.`);
const WHOLE = JSON.stringify({ statements: [{ quote: SENTENCE, value: null, label: null }] });
const GOOD: ChatScript = { kind: 'text', parts: [WHOLE] };
/** A wait that no request lives to see, so that the port does not try again by itself. */
const LATER = { 'retry-after': '600' };
const ENDPOINT = { apiKey: 'key', models: ['scripted'], toolModels: [], concurrency: 4, tokensPerMinute: 10_000_000 };

/** A model with a connection of its own for each test: its circuit, its budget of retries and its limits begin again. */
class FreshModel extends ChatModel {
  readonly models = ['scripted'];
  private current = new OpenAiChatModel({ ...ENDPOINT, baseUrl: 'http://127.0.0.1:9/v1' });

  connect(url: string, accounts?: ModelAccounts): void {
    this.current = new OpenAiChatModel({ ...ENDPOINT, baseUrl: `${url}/v1` }, { firstWaitMs: 1, accounts });
  }

  complete(request: ChatRequest): ReturnType<ChatModel['complete']> {
    return this.current.complete(request);
  }

  stream(request: ChatRequest): AsyncIterable<ChatPart> {
    return this.current.stream(request);
  }
}

describe('runs of skills whose model fails', () => {
  const server = new ChatServer();
  const model = new FreshModel();
  let bench: Bench;
  let folder: IngestedFolder;
  let url = '';
  let codes: Record<string, string>;
  beforeAll(async () => {
    url = await server.open();
    bench = await Bench.open(undefined, undefined, {
      environment: { ACERVO_CHAT_URL: url, ACERVO_CHAT_MODEL: 'scripted', ACERVO_CHAT_SUMMARIES: 'false' },
      overrides: [[ChatModel, model]],
    });
    folder = await IngestedFolder.of(bench, { 'a.txt': SENTENCE, 'long.txt': PAGES.join('\n') });
    codes = Object.fromEntries((await folder.documents()).map(({ path, code }) => [path, code]));
  });
  beforeEach(async () => {
    await folder.sql('delete from ingestion.document_skill where group_id = $1');
    await folder.sql(`delete from ingestion.task where group_id = $1 and stage = 'skill'`);
    [server.scripts.length, server.received.length] = [0, 0];
    server.answer = () => GOOD;
    model.connect(url);
  });
  afterAll(async () => {
    await bench.close();
    await server.close();
  });

  const ask = (path = 'a.txt', skill = 'OBLIGATIONS'): Promise<JsonObject> =>
    bench.askAs(runSkill, folder.groupId, { skill_code: skill, document_code: codes[path] });
  const run = async (path?: string, skill?: string): Promise<void> => {
    await ask(path, skill);
    await bench.workStage(folder.groupId, 'skill');
  };
  const state = async (): Promise<readonly unknown[]> => {
    const { items } = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' });
    return (items as JsonObject[]).map(({ status, reason }) => [status, reason]);
  };
  const resume = (input: JsonObject = {}, claims = {}): Promise<JsonObject> =>
    bench.askAs(resolveLlmAlerts, folder.groupId, input, claims, 'operations');
  const statements = async (path = 'a.txt'): Promise<string[]> => {
    const detail = await bench.askAs(getDocument, folder.groupId, { document_code: codes[path] });
    const results = detail['skill_results'] as { statements: { text: string }[] }[];
    return results.flatMap((result) => result.statements.map(({ text }) => text));
  };
  const fails = (script: ChatScript): void => {
    server.answer = () => script;
  };

  it.each<[string, ChatScript, string]>([
    ['429', { kind: 'status', status: 429, headers: LATER }, 'ModelQuota'],
    ['402', { kind: 'status', status: 402 }, 'ModelQuota'],
    ['401', { kind: 'status', status: 401 }, 'ModelKey'],
    ['403', { kind: 'status', status: 403 }, 'ModelKey'],
    ['400', { kind: 'status', status: 400 }, 'ModelRefused'],
    ['404', { kind: 'status', status: 404 }, 'ModelRefused'],
    ['500', { kind: 'status', status: 500, headers: LATER }, 'ModelUnreachable'],
    ['503', { kind: 'status', status: 503, headers: LATER }, 'ModelUnreachable'],
  ])('%s lets a run wait with the reason until it is resumed', async (_status, script, reason) => {
    fails(script);
    await run();
    expect(await state()).toEqual([['WAITING', reason]]);
    expect(await statements()).toEqual([]);
    server.answer = () => GOOD;
    await bench.workStage(folder.groupId, 'skill');
    expect(await state()).toEqual([['WAITING', reason]]);
    expect(await resume()).toEqual({ resumed: 1, remaining: 0 });
    expect(await resume()).toEqual({ resumed: 0, remaining: 0 });
    await bench.workStage(folder.groupId, 'skill');
    expect(await state()).toEqual([['COMPLETED', null]]);
    expect(await statements()).toEqual([SENTENCE]);
  });

  it('a run without tokens in the plan is tried after five minutes', async () => {
    model.connect(url, bench.instance(ModelAccounts));
    bench.hasTokens = false;
    await run();
    bench.hasTokens = true;
    expect([await state(), server.received]).toEqual([[['WAITING', 'ModelQuota']], []]);
    const [task] = await folder.sql(
      `select extract(epoch from not_before - updated_at)::int as seconds, attempts from ingestion.task
       where group_id = $1 and stage = 'skill'`,
    );
    expect(task).toEqual({ seconds: 300, attempts: 0 });
  });

  it('a storm of 429 ends as soon as it passes', async () => {
    for (let each = 0; each < 5; each += 1) server.scripts.push({ kind: 'status', status: 429 });
    await run();
    expect(await state()).toEqual([['COMPLETED', null]]);
    expect(server.received).toHaveLength(6);
  });

  it('an endpoint without a server lets a run wait', async () => {
    model.connect('http://127.0.0.1:9');
    await run();
    expect(await state()).toEqual([['WAITING', 'ModelUnreachable']]);
  });

  it('what a run has read before its model fails is not read again', async () => {
    server.scripts.push(GOOD, { kind: 'status', status: 429, headers: LATER });
    await run('long.txt');
    expect(await state()).toEqual([['WAITING', 'ModelQuota']]);
    await resume();
    await bench.workStage(folder.groupId, 'skill');
    expect(await state()).toEqual([['COMPLETED', null]]);
    const labels = server.received.map(({ body }) => /part \d+/.exec(body.messages.at(-1)?.content ?? '')?.[0]);
    expect(labels).toEqual(['part 1', 'part 2', 'part 2', 'part 3']);
  });

  it('a run that waits does not use up its tries', async () => {
    fails({ kind: 'status', status: 401 });
    await run();
    for (let each = 0; each < 8; each += 1) {
      await resume();
      await bench.workStage(folder.groupId, 'skill');
    }
    expect(await state()).toEqual([['WAITING', 'ModelKey']]);
  });

  it('only the requested skill and reason are resumed', async () => {
    fails({ kind: 'status', status: 401 });
    await run();
    fails({ kind: 'status', status: 400 });
    await run('a.txt', 'PARTIES');
    expect(await resume({ skill_code: 'GLOSSARY' })).toEqual({ resumed: 0, remaining: 2 });
    expect(await resume({ skill_code: 'PARTIES', reason: 'KEY' })).toEqual({ resumed: 0, remaining: 2 });
    expect(await resume({ reason: 'REFUSED' })).toEqual({ resumed: 1, remaining: 1 });
    expect(await resume({ skill_code: 'OBLIGATIONS', reason: 'KEY' })).toEqual({ resumed: 1, remaining: 0 });
    await expect(resume({ skill_code: 'NONE' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a run that is left out is not locked', async () => {
    fails({ kind: 'status', status: 401 });
    await run();
    await run('a.txt', 'PARTIES');
    // The transaction that locked a row last stands in it.
    const locks = (): Promise<object[]> =>
      folder.sql(`select xmax::text from ingestion.document_skill where group_id = $1 and skill_code = 'OBLIGATIONS'`);
    const before = await locks();
    expect(await resume({ skill_code: 'PARTIES' })).toEqual({ resumed: 1, remaining: 1 });
    expect(await locks()).toEqual(before);
  });

  it('runs over documents that the caller does not see are neither resumed nor counted', async () => {
    fails({ kind: 'status', status: 401 });
    await run();
    expect(await resume({}, { entities: ['E2'] })).toEqual({ resumed: 0, remaining: 0 });
  });

  describe('an answer that is cut off', () => {
    const script = (bytes: number): ChatScript => ({ kind: 'cut', parts: [WHOLE], bytes });
    /** More bytes than the body of the answer has. */
    const bytes = WHOLE.length + 300;
    /** A prime, so that cuts meet every part of the body. */
    const step = 7;

    it('at a byte of any part is asked for again, and nothing of it is used', async () => {
      const reading = bench.instance(ModelReading);
      const prompt = composePrompt([DATA_RULE]);
      const { signal } = new AbortController();
      const purpose = { code: 'OBLIGATIONS', entityCode: 'E1', layers: prompt.layers };
      const of = { groupId: folder.groupId, model: 'scripted', prompt, purpose };
      const asked = { ...of, text: SENTENCE, part: 1, parts: 1, signal };
      for (let cut = 0; cut < bytes; cut += step) {
        model.connect(url);
        server.scripts.push(script(cut));
        expect(await reading.read(asked)).toEqual([{ quote: SENTENCE, value: null, label: null }]);
      }
      expect(server.received).toHaveLength(2 * Math.ceil(bytes / step));
    });

    it('again and again lets the run wait', async () => {
      for (let cut = 0; cut < bytes; cut += Math.floor(bytes / 6)) {
        model.connect(url);
        fails(script(cut));
        await ask();
        await resume();
        await bench.workStage(folder.groupId, 'skill');
        expect(await state()).toEqual([['WAITING', 'ModelUnreachable']]);
      }
      expect(await statements()).toEqual([]);
    });
  });

  it('a model that stalls is left when the process ends, and its run waits untried', async () => {
    fails({ kind: 'stall' });
    await ask();
    const asked = new Promise<void>((resolve) => {
      server.answer = () => {
        resolve();
        return { kind: 'stall' };
      };
    });
    await bench.workInterrupted(folder.groupId, 'skill', asked);
    expect(await state()).toEqual([['PENDING', null]]);
    server.answer = () => GOOD;
    await bench.workStage(folder.groupId, 'skill');
    expect(await state()).toEqual([['COMPLETED', null]]);
    expect(await statements()).toEqual([SENTENCE]);
  });

  it('a model that stalls lets a run wait once its time is over', async () => {
    fails({ kind: 'stall' });
    const complete = model.complete.bind(model);
    jest.spyOn(model, 'complete').mockImplementation((request) => complete({ ...request, timeoutMs: 50 }));
    await run();
    jest.restoreAllMocks();
    expect(await state()).toEqual([['WAITING', 'ModelUnreachable']]);
  });

  it.each([1, 2, 3])(
    'a run whose worker dies at slice %d is finished by another, and has one result',
    async (dying) => {
      const other = await bench.beside();
      const parts: number[] = [];
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const isHeld = new Promise<void>((resolve) => {
        server.answer = async ({ body }) => {
          const part = Number(/part (\d+)/.exec(body.messages.at(-1)?.content ?? '')?.[1]);
          const isDying = part === dying && !parts.includes(part);
          parts.push(part);
          if (isDying) resolve();
          if (isDying) await released;
          return GOOD;
        };
      });
      await ask('long.txt');
      const dead = bench.workStage(folder.groupId, 'skill');
      await isHeld;
      const lapse = `update ingestion.task set leased_until = now() - interval '1 second' where group_id = $1 and status = 'LEASED'`;
      await folder.sql(lapse);
      while ((await other.workStage(folder.groupId, 'skill')) > 0);
      const results = (): Promise<object[]> =>
        folder.sql('select result, made_at from ingestion.document_skill where group_id = $1 and progress is null');
      const made = await results();
      expect(await state()).toEqual([['COMPLETED', null]]);
      expect(parts).toEqual([1, 2, 3].flatMap((part) => (part === dying ? [part, part] : [part])));
      release();
      await dead;
      expect([made.length, await results()]).toEqual([1, made]);
    },
  );

  it('a run keeps its lease while an answer is repaired', async () => {
    jest.replaceProperty(RUN_SKILL, 'leaseSeconds', 3);
    const renew = jest.spyOn(bench.instance(Tasks), 'renew');
    let isRepaired = false;
    server.answer = async ({ body }) => {
      const renewed = renew.mock.calls.length;
      await until('the renewal of the lease', () => renew.mock.calls.length > renewed);
      isRepaired ||= body.messages.at(-1)?.content.includes('Write the answer again') === true;
      return isRepaired ? GOOD : { kind: 'text', parts: ['no'] };
    };
    await run();
    jest.restoreAllMocks();
    expect([isRepaired, await state()]).toEqual([true, [['COMPLETED', null]]]);
  });

  it('a worker that lost its run stops asking, and writes nothing', async () => {
    const tasks = bench.instance(Tasks);
    await ask('long.txt');
    jest.spyOn(tasks, 'lockLeases').mockResolvedValueOnce([]);
    await bench.workStage(folder.groupId, 'skill').catch(() => undefined);
    jest.restoreAllMocks();
    await bench.exhaust(folder.groupId);
    expect(await state()).toEqual([['COMPLETED', null]]);
    const [row] = await folder.sql<{ rows: number }>(
      'select count(*)::int as rows from ingestion.document_skill where group_id = $1 and progress is null',
    );
    expect(row).toEqual({ rows: 1 });
  });
});
