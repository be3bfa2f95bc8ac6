import { ChatServer, until } from '@acervo/platform-testing';
import {
  ChatAborted,
  type ChatCompletion,
  type ChatFailureReason,
  ChatModelFailure,
  type ChatPart,
  type ChatRequest,
  describeChat,
  ModelAccounts,
  type ObservedRequest,
  openChatModel,
  OpenAiChatModel,
} from '../src/chat';

const server = new ChatServer();
const observed: ObservedRequest[] = [];
const LONG_MS = 60_000;
let url: string;

const settings = { chatModel: 'small', chatModels: 'large, small', chatToolModels: 'large', chatKey: 'key-1' };
/** Admits a request when the test says so. */
class LateAccounts extends ModelAccounts {
  readonly admissions: (() => void)[] = [];
  readonly settled: ObservedRequest[] = [];

  admit(): Promise<void> {
    return new Promise((resolve) => this.admissions.push(resolve));
  }

  settle(_accounted: object, ended: ObservedRequest): Promise<void> {
    this.settled.push(ended);
    return Promise.resolve();
  }
}

interface Limits {
  readonly concurrency?: number;
  readonly tokensPerMinute?: number;
  readonly accounts?: ModelAccounts;
}

const modelOf = ({ accounts, ...limits }: Limits = {}): OpenAiChatModel => {
  const { concurrency: chatConcurrency = 4, tokensPerMinute: chatTokensPerMinute = 1_000_000 } = limits;
  const endpoint = describeChat({ ...settings, chatUrl: url, chatConcurrency, chatTokensPerMinute });
  if (endpoint === null) throw new Error('The settings name an endpoint.');
  return new OpenAiChatModel(endpoint, { observer: (each) => observed.push(each), accounts, firstWaitMs: 1 });
};

const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  ...{ group: 'G1', purpose: { code: 'KEY-DATES', entityCode: null, layers: [] } },
  ...{ messages: [{ role: 'user', content: 'What is due?' }], maxTokens: 100, timeoutMs: LONG_MS },
  ...more,
});
const partsOf = async (parts: AsyncIterable<ChatPart>): Promise<ChatPart[]> => {
  const all: ChatPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
};
const reasonOf = async (work: Promise<unknown>): Promise<ChatFailureReason | string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ChatModelFailure ? error.reason : String(error);
};
const streamed = (model: OpenAiChatModel, more: Partial<ChatRequest> = {}): Promise<ChatPart[]> =>
  partsOf(model.stream(request(more)));

beforeAll(async () => (url = await server.open()));
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(server, { left: 0, mostBusy: 0 });
  for (const list of [observed, server.received, server.scripts]) list.length = 0;
});

describe('a chat model behind an endpoint', () => {
  it('an answer has its text, its end and the counted tokens', async () => {
    const answer = await modelOf().complete(request());
    expect(answer).toEqual<ChatCompletion>({
      ...{ model: 'small', text: 'Scripted.', toolCalls: [], finish: 'stop' },
      usage: { tokensIn: 11, tokensOut: 7, isCounted: true },
    });
    expect(server.received[0]).toMatchObject({
      authorization: 'Bearer key-1',
      body: { model: 'small', max_completion_tokens: 100 },
    });
    expect(observed).toMatchObject([{ outcome: 'OK', usage: { tokensIn: 11 } }]);
  });

  it('a stream passes each part on and ends with the whole answer', async () => {
    server.scripts.push({ kind: 'text', parts: ['Ten ', 'days', ' — año.'] });
    expect(await streamed(modelOf())).toEqual([
      ...['Ten ', 'days', ' — año.'].map((text) => ({ kind: 'text', text })),
      { kind: 'end', completion: expect.objectContaining({ text: 'Ten days — año.', finish: 'stop' }) as unknown },
    ]);
  });

  it.each([false, true])('a call of an offered tool is an answer (stream: %s)', async (isStream) => {
    server.scripts.push({ kind: 'tools', calls: [{ name: 'search', input: '{"q":"rent"}' }] });
    const tools = [{ name: 'search', description: 'Searches', parameters: { type: 'object' } }];
    const model = modelOf();
    const answer = isStream
      ? (await streamed(model, { tools })).at(-1)
      : { completion: await model.complete(request({ tools })) };
    const toolCalls = [{ id: 'call-0', name: 'search', input: '{"q":"rent"}' }];
    expect(answer).toMatchObject({ completion: { finish: 'tools', toolCalls } });
    expect(server.received[0]?.body.tools?.map(({ function: { name } }) => name)).toEqual(['search']);
  });

  it('a call of another tool reaches the caller, who refuses it', async () => {
    server.scripts.push({ kind: 'tools', calls: [{ name: 'documents_delete', input: '{' }] });
    const tools = [{ name: 'search', description: 'Searches', parameters: { type: 'object' } }];
    const { toolCalls } = await modelOf().complete(request({ tools }));
    expect(toolCalls).toEqual([{ id: 'call-0', name: 'documents_delete', input: '{' }]);
  });

  it('a call of a tool where none was offered is refused', async () => {
    server.scripts.push({ kind: 'tools', calls: [{ name: 'documents.delete', input: '{}' }] });
    expect(await reasonOf(modelOf().complete(request()))).toBe('UNUSABLE');
  });

  it('the schema of the answer reaches the provider', async () => {
    await modelOf().complete(request({ answer: { name: 'dates', schema: { type: 'object' } } }));
    expect(server.received[0]?.body.response_format?.json_schema).toMatchObject({
      ...{ name: 'dates', schema: { type: 'object' }, strict: true },
    });
  });

  it('a further model of the operator answers, another one is refused without a request', async () => {
    const model = modelOf();
    expect(model.models).toEqual(['small', 'large']);
    expect((await model.complete(request({ model: 'large' }))).model).toBe('large');
    expect(await reasonOf(model.complete(request({ model: 'other' })))).toBe('MODEL');
    expect(server.received.map(({ body }) => body.model)).toEqual(['large']);
  });

  it('tool results and earlier calls reach the provider in its form', async () => {
    const toolCalls = [{ id: 'a', name: 'search', input: '{}' }];
    await modelOf().complete(
      request({
        messages: [
          { role: 'assistant', content: '', toolCalls },
          { role: 'tool', toolCallId: 'a', content: 'none' },
        ],
      }),
    );
    expect(server.received[0]?.body.messages).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'search', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'none' },
    ]);
  });
});

describe('a chat model without an endpoint', () => {
  const absent = openChatModel({
    ...{ ...settings, chatUrl: null, chatModel: null },
    ...{ chatConcurrency: 1, chatTokensPerMinute: 1_000 },
  });

  it('it offers no model and says what to set', async () => {
    expect(absent.isConfigured).toBe(false);
    await expect(absent.complete(request())).rejects.toThrow('set ACERVO_CHAT_URL and ACERVO_CHAT_MODEL');
    expect(await reasonOf(partsOf(absent.stream(request())))).toBe('NOT_CONFIGURED');
  });

  it('an address without a model stops the start', () => {
    const limits = { chatConcurrency: 1, chatTokensPerMinute: 1_000 };
    expect(() => openChatModel({ ...settings, ...limits, chatUrl: url, chatModel: null })).toThrow('ACERVO_CHAT_MODEL');
  });

  it('a model with tools that is not in the list stops the start', () => {
    const limits = { chatConcurrency: 1, chatTokensPerMinute: 1_000 };
    const describe = (chatToolModels: string) => describeChat({ ...settings, ...limits, chatUrl: url, chatToolModels });
    expect(describe(' large , small')?.toolModels).toEqual(['large', 'small']);
    expect(() => describe('huge')).toThrow('ACERVO_CHAT_TOOL_MODELS names huge');
  });
});

describe('faults of the provider', () => {
  it.each([
    [401, 'KEY'],
    [403, 'KEY'],
    [402, 'QUOTA'],
    [400, 'REFUSED'],
    [404, 'REFUSED'],
  ])('status %i is %s, and final', async (status, reason) => {
    server.answer = () => ({ kind: 'status', status });
    expect(await reasonOf(modelOf().complete(request()))).toBe(reason);
    expect(server.received).toHaveLength(1);
    server.answer = () => ({ kind: 'text', parts: ['Scripted.'] });
  });

  it('a provider that is busy for a moment is asked again', async () => {
    server.scripts.push(
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'status', status: 503 },
    );
    expect((await modelOf().complete(request())).text).toBe('Scripted.');
    expect(server.received).toHaveLength(3);
    expect(observed).toHaveLength(1);
  });

  it('a requested wait beyond the time limit ends the request', async () => {
    server.scripts.push({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
    const failure = await modelOf()
      .complete(request())
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'QUOTA', retryAfterMs: 600_000 });
    expect(server.received).toHaveLength(1);
  });

  it('a storm of refusals is answered with few retries', async () => {
    server.answer = () => ({ kind: 'status', status: 429, headers: { 'retry-after': '0' } });
    const model = modelOf({ concurrency: 20 });
    const reasons = await Promise.all(Array.from({ length: 20 }, () => reasonOf(model.complete(request()))));
    expect(new Set(reasons)).toEqual(new Set(['QUOTA']));
    expect(server.received).toHaveLength(30);
    server.answer = () => ({ kind: 'text', parts: ['Scripted.'] });
  });

  it('repeated failures open the circuit: no further request', async () => {
    server.answer = () => ({ kind: 'status', status: 500 });
    const model = modelOf();
    while (!model.load.isPaused)
      expect(await reasonOf(model.complete(request({ timeoutMs: LONG_MS })))).toBe('UNREACHABLE');
    const before = server.received.length;
    expect(await reasonOf(model.complete(request({ timeoutMs: 10 })))).toBe('UNREACHABLE');
    expect(server.received).toHaveLength(before);
    server.answer = () => ({ kind: 'text', parts: ['Scripted.'] });
  });

  it.each([true, false])('a try that broke off counts beside the next one (stream: %s)', async (isStream) => {
    const call = { index: 0, id: 'a', function: { name: 'search', arguments: '{"q":"' + 'x'.repeat(600) } };
    const begun = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
    const usage = { prompt_tokens: 20, completion_tokens: 90 };
    const whole = { choices: [{ index: 0, message: { content: 'Ten' }, finish_reason: null }], usage };
    server.scripts.push({ kind: 'raw', body: isStream ? `data: ${JSON.stringify(begun)}\n\n` : JSON.stringify(whole) });
    const tools = [{ name: 'search', description: 'Searches', parameters: { type: 'object' } }];
    const model = modelOf();
    await (isStream ? streamed(model, { tools }) : model.complete(request({ tools })));
    expect(server.received).toHaveLength(2);
    // 11 and 7 are those of the second try.
    expect(observed[0]?.usage?.tokensOut).toBeGreaterThan(7 + 89);
    expect(observed[0]?.usage).toMatchObject({ isCounted: !isStream });
  });

  it('a stream cut off at any byte is never a whole answer', async () => {
    const parts = ['Ten ', 'days, ', 'año.'];
    const outcomes = new Set<string>();
    // The frame that ends the answer begins after some 500 bytes; every cut before it loses the end.
    for (let bytes = 0; bytes < 480; bytes += 7) {
      server.scripts.push({ kind: 'cut', parts, bytes });
      server.answer = () => ({ kind: 'status', status: 400 });
      outcomes.add(await reasonOf(streamed(modelOf())));
    }
    server.answer = () => ({ kind: 'text', parts: ['Scripted.'] });
    expect([...outcomes].filter((each) => each === 'null')).toEqual([]);
  });

  it('a stream that broke off after text was passed on is not asked again', async () => {
    server.scripts.push({ kind: 'cut', parts: ['Ten ', 'days'], bytes: 200 });
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const part of modelOf().stream(request())) if (part.kind === 'text') seen.push(part.text);
    };
    expect(await reasonOf(read())).toBe('UNREACHABLE');
    expect([seen, server.received.length]).toEqual([['Ten '], 1]);
  });

  it.each(['no JSON at all', '{"choices":"none"}', '[]', '{"choices":[{"message":{"tool_calls":[7]}}]}'])(
    'a malformed answer is unusable: %s',
    async (body) => {
      server.scripts.push({ kind: 'raw', body });
      expect(await reasonOf(modelOf().complete(request()))).toBe('UNUSABLE');
    },
  );

  it('an answer far beyond the tokens of the request is refused', async () => {
    server.scripts.push({ kind: 'text', parts: ['x'.repeat(1_601)] });
    expect(await reasonOf(modelOf().complete(request({ maxTokens: 100 })))).toBe('UNUSABLE');
  });

  it('a stalled answer ends with the time limit, and its request with it', async () => {
    server.scripts.push({ kind: 'stall' });
    expect(await reasonOf(modelOf().complete(request({ timeoutMs: 1_000 })))).toBe('UNREACHABLE');
    await until('the client left', () => server.left === 1);
  });

  it('a message of a failure contains neither key nor text', async () => {
    server.scripts.push({ kind: 'status', status: 401 });
    const failure = await modelOf()
      .complete(request({ messages: [{ role: 'user', content: 'the secret text' }] }))
      .catch((error: unknown) => error as Error);
    expect(failure).not.toHaveProperty('text');
    expect(String((failure as Error).stack)).not.toMatch(/key-1|secret text|scripted/);
  });
});

describe('the end of a request', () => {
  it('a caller that aborts ends the request', async () => {
    server.scripts.push({ kind: 'stall' });
    const leaving = new AbortController();
    const answer = modelOf().complete(request({ signal: leaving.signal }));
    await until('the request arrived', () => server.received.length === 1);
    leaving.abort();
    await expect(answer).rejects.toBeInstanceOf(ChatAborted);
    await until('the client left', () => server.left === 1);
    expect(observed).toMatchObject([{ outcome: 'ABORTED' }]);
  });

  it.each([
    ['its caller', LONG_MS, ChatAborted],
    ['its time limit', 200, ChatModelFailure],
  ])('%s ends the wait for an admission; a later one counts nothing', async (_, timeoutMs, failure) => {
    const accounts = new LateAccounts();
    const model = modelOf({ concurrency: 1, accounts });
    const leaving = new AbortController();
    const answer = model.complete(request({ timeoutMs, signal: leaving.signal }));
    await until('the request waits', () => accounts.admissions.length === 1);
    if (failure === ChatAborted) leaving.abort();
    await expect(answer).rejects.toBeInstanceOf(failure);
    accounts.admissions[0]?.();
    await until('the account is settled', () => accounts.settled.length === 1);
    expect(accounts.settled).toMatchObject([{ outcome: 'ABORTED', usage: null }]);
    const next = model.complete(request());
    await until('the next request waits', () => accounts.admissions.length === 2);
    accounts.admissions[1]?.();
    expect((await next).text).toBe('Scripted.');
    expect(server.received).toHaveLength(1);
  });

  it('a reader that stops gives its place back', async () => {
    const model = modelOf({ concurrency: 1 });
    for await (const part of model.stream(request())) if (part.kind === 'text') break;
    expect((await model.complete(request())).text).toBe('Scripted.');
  });
});

describe('groups that share a chat model', () => {
  it('a group does not wait behind the backlog of another', async () => {
    const model = modelOf({ concurrency: 1 });
    const order: string[] = [];
    let release = (): void => undefined;
    const isFree = new Promise<void>((resolve) => (release = resolve));
    server.answer = async ({ body }) => {
      await isFree;
      return { kind: 'text', parts: [body.messages[0]?.content ?? ''] };
    };
    const ask = async (group: string): Promise<void> => {
      const messages = [{ role: 'user' as const, content: group }];
      order.push((await model.complete(request({ group, messages }))).text);
    };
    const all = [...Array.from({ length: 20 }, () => 'G1'), 'G2'].map(ask);
    release();
    await Promise.all(all);
    server.answer = () => ({ kind: 'text', parts: ['Scripted.'] });
    expect([server.mostBusy, order.indexOf('G2')]).toEqual([1, expect.any(Number)]);
    expect(order.indexOf('G2')).toBeLessThanOrEqual(2);
  });

  it('a group beyond its tokens is refused, another one is not', async () => {
    const model = modelOf({ tokensPerMinute: 1_000 });
    await model.complete(request({ maxTokens: 900 }));
    // The first answer took 18 of the tokens that it reserved.
    await model.complete(request({ maxTokens: 900 }));
    server.scripts.push({ kind: 'text', parts: ['one'] });
    const spent = await Promise.all([900, 900].map((maxTokens) => reasonOf(model.complete(request({ maxTokens })))));
    expect(spent.toSorted()).toEqual(['QUOTA', 'null']);
    expect((await model.complete(request({ group: 'G2', maxTokens: 900 }))).model).toBe('small');
  });
});
