import { randomUUID } from 'node:crypto';
import { ask, modelCallEnded } from '@acervo/contracts';
import { composePrompt, DATA_RULE, type LayerRecord, promptHash, type PromptLayer } from '@acervo/models/chat';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import { ChatServer, until } from '@acervo/platform-testing';
import type { Scope } from '@acervo/rbac';
import { openBed } from '../../test/bed';
import { DocumentsWorld } from '../../test/documents-world';
import { ANSWER_LAYER } from '../answering/prompts';
import { Asking } from './asking';

const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes.';
const QUESTION = '¿Cuál es la renta del local de la calle Mayor?';
const WRITTEN = 'La renta del local de la calle Mayor es de 850 euros al mes [1].';
/** What the neighbours of the test answer as the prompt of the group. */
const GROUP: PromptLayer = { kind: 'GROUP', code: 'G1', version: '1', text: 'Trata de usted.' };

const world = new DocumentsWorld();
const model = new ChatServer();
let bed: ServiceTestBed;
beforeAll(async () => {
  const environment = { ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'small' };
  bed = await openBed({ neighbours: world, environment });
  world.dispatchToChat = (sent) => bed.server.dispatch(sent);
});
afterAll(async () => {
  await bed.close();
  await model.close();
});
beforeEach(() => {
  world.reset({ D1: RENT });
  for (const list of [model.received, model.scripts]) list.length = 0;
  model.answer = () => ({ kind: 'text', parts: [WRITTEN] });
});

const person = (): Scope =>
  administratorOf(newGroup(), { userId: randomUUID(), credentialId: 'k', functions: ['CHAT-USER'], entities: ['E1'] });
const asked = async (scope: Scope, more = {}) => bed.send(ask, scope, { question: QUESTION, mode: 'default', ...more });
const ended = async () => (await bed.published(modelCallEnded.topic)).at(-1) ?? {};
const layersOf = async (scope: Scope): Promise<readonly LayerRecord[]> => {
  const rows = await bed.database.read(scope, (tx) =>
    tx.query<{ layers: LayerRecord[] }>('select layers from chat.conversation where group_id = $1', [scope.groupId]),
  );
  return rows[0]?.layers ?? [];
};

describe('a call of the chat model', () => {
  it('it is admitted with its purpose, entity and model, and reported with its tokens', async () => {
    expect((await asked(person())).answer).toContain(WRITTEN);
    const [{ callId, ...call } = { callId: '' }] = world.modelCalls;
    expect(call).toMatchObject({ purpose: 'CHAT-ANSWER', entityCode: 'E1', model: 'small', timeoutMs: 60_000 });
    expect(await ended()).toMatchObject({ call_id: callId, outcome: 'COMPLETED', tokens_in: 11, tokens_out: 7 });
  });

  it('a rewritten question is a call of its own', async () => {
    const scope = person();
    const { conversationId } = await asked(scope);
    await asked(scope, { question: '¿Y cuánto es?', conversationId });
    expect(world.modelCalls.map(({ purpose }) => purpose)).toEqual(['CHAT-ANSWER', 'CHAT-REWRITING', 'CHAT-ANSWER']);
  });

  it('neither its admission nor its report holds text', async () => {
    await asked(person());
    const sent = JSON.stringify([world.modelCalls, await ended()]);
    for (const text of ['renta', 'usted', 'passage']) expect(sent).not.toContain(text);
  });

  it('its most tokens cover the prompt and the longest answer', async () => {
    await asked(person());
    const [{ mostTokens } = { mostTokens: 0 }] = world.modelCalls;
    const read = JSON.stringify(model.received[0]?.body.messages).length;
    expect(mostTokens).toBeGreaterThan(1_000 + read / 4);
  });

  it.each([
    [{ kind: 'text', parts: [WRITTEN], finish: 'length' }, 'LENGTH', 18],
    [{ kind: 'text', parts: [], finish: 'content_filter' }, 'WITHHELD', 18],
    [{ kind: 'status', status: 401 }, 'KEY', 0],
    [{ kind: 'status', status: 402 }, 'QUOTA', 0],
    [{ kind: 'status', status: 400 }, 'REFUSED', 0],
  ] as const)('%j is recorded as %s', async (script, outcome, tokens) => {
    model.scripts.push(script);
    await asked(person());
    const report = await ended();
    expect([report['outcome'], Number(report['tokens_in']) + Number(report['tokens_out'])]).toEqual([outcome, tokens]);
  });

  it.each([
    [{ kind: 'cut', parts: ['La ', 'renta'], bytes: 200 }, 'CUT_OFF'],
    [{ kind: 'raw', body: 'data: {"choices":"none"}\n\n' }, 'UNUSABLE'],
  ] as const)('an answer that ends early counts what it read: %j', async (script, outcome) => {
    model.scripts.push(script);
    await asked(person());
    const report = await ended();
    expect([report['outcome'], Number(report['tokens_in']) > 100]).toEqual([outcome, true]);
  });

  it('an asker who leaves is counted for what the model read', async () => {
    model.scripts.push({ kind: 'stall' });
    const leaving = new AbortController();
    const { parts } = await bed.get(Asking).begin(person(), { question: QUESTION, mode: 'default' }, leaving.signal);
    const reading = (async () => {
      for await (const part of parts) void part;
    })();
    await until('the model is asked', () => model.received.length === 1);
    leaving.abort();
    await reading.catch(() => undefined);
    const report = await ended();
    expect([report['outcome'], Number(report['tokens_in']) > 100]).toEqual(['ABORTED', true]);
  });
});

describe('a call that is not admitted', () => {
  it.each([
    ['the plan has no tokens left', false],
    ['operations does not answer', undefined],
  ])('where %s the answer quotes the documents', async (_, hasTokens) => {
    world.hasTokens = hasTokens;
    expect((await asked(person())).answer).toContain('850 euros al mes [1]');
    expect(model.received).toEqual([]);
  });

  it('without an answer to its admission it is reported with no tokens', async () => {
    world.hasTokens = undefined;
    await asked(person());
    expect(await ended()).toMatchObject({ outcome: 'UNREACHABLE', tokens_in: 0, tokens_out: 0 });
  });
});

describe('the prompt of an answer', () => {
  it('its hash is computed again from what is stored', async () => {
    const scope = person();
    await asked(scope);
    const { hash } = composePrompt([ANSWER_LAYER, DATA_RULE, GROUP]);
    expect(promptHash(await layersOf(scope))).toBe(hash);
    expect(promptHash(world.modelCalls[0]?.layers ?? [])).toBe(hash);
  });

  it('one other character in a layer is another hash', async () => {
    const scope = person();
    await asked(scope);
    const stored = promptHash(await layersOf(scope));
    for (const layer of [ANSWER_LAYER, DATA_RULE, GROUP]) {
      const changed = { ...layer, text: `${layer.text.slice(0, -1)}!` };
      const layers = [ANSWER_LAYER, DATA_RULE, GROUP].map((each) => (each === layer ? changed : each));
      expect(composePrompt(layers).hash).not.toBe(stored);
    }
  });
});
