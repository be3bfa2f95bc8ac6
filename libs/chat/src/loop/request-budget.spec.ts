import { ask, getUsage, screens } from '@acervo/contracts';
import { estimatedTokens } from '@acervo/models/chat';
import { ChatApp } from '../../test/chat-app';

const MOST_TOKENS = 8_000;
const ANSWER_TOKENS = 1_000;
const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes.';
const QUESTION = '¿Cuál es la renta del local de la calle Mayor?';

const app = new ChatApp();
const { world, model } = app;
beforeAll(() => app.open({ ACERVO_CHAT_CONTEXT_TOKENS: String(MOST_TOKENS) }));
afterAll(() => app.close());
beforeEach(() => {
  world.reset({ D1: RENT });
  world.parameters.set('CHAT_MODEL', 'tooled');
  model.received.length = 0;
});

/** A question of an administrator, whose model calls the tool so often in its first round. */
const asked = async (calls: number): Promise<string> => {
  model.answer = ({ body }) =>
    body.tools !== undefined && !body.messages.some(({ role }) => role === 'tool')
      ? { kind: 'tools', calls: Array.from({ length: calls }, () => ({ name: 'get_usage', input: '{}' })) }
      : { kind: 'text', parts: [`${RENT.slice(0, -1)} [1].`] };
  const { scope } = app.person({ functions: screens });
  return (await app.bed.send(ask, scope, { question: QUESTION, mode: 'default' })).answer;
};
const toolsOf = (round: number): string[] =>
  (model.received[round]?.body.tools ?? []).map((tool) => tool.function.name);
const resultsRead = (): string[] =>
  (model.received.at(-1)?.body.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? content : []));
const usage = (entities: number): object => {
  const byEntity = Array.from({ length: entities }, (_, place) => ({ entityCode: `E${String(place)}`, used: 1 }));
  const quota = { feature: 'RETRIEVALS', unit: 'calls', included: 9, onLimit: 'BLOCK', used: entities, byEntity };
  return { planCode: 'BASE', periodStart: '2026-01-01', periodEnd: '2026-12-31', quotas: [quota] };
};

describe('the requests of one question', () => {
  it('none is longer than the models accept', async () => {
    world.answers.set(getUsage.code, () => usage(900));
    expect(await asked(4)).toContain('850 euros');
    const sizes = model.received.map(
      ({ body }) => estimatedTokens(JSON.stringify([body.messages, body.tools ?? []])) + ANSWER_TOKENS,
    );
    expect(sizes).toHaveLength(2);
    expect(sizes.filter((tokens) => tokens > MOST_TOKENS)).toEqual([]);
  });
  it('tools that bring passages are offered first', async () => {
    await asked(0);
    expect(toolsOf(0).slice(0, 2)).toEqual(['read_space', 'search_documents']);
    expect(toolsOf(0)).not.toContain('documents_delete');
  });
  it('a result without room is refused, and the next round is the last', async () => {
    world.answers.set(getUsage.code, () => usage(900));
    await asked(4);
    const [first = '', ...others] = resultsRead();
    expect(first).toContain('RETRIEVALS');
    expect(others.at(-1)).toContain('LIMIT_REACHED');
    expect([toolsOf(0).length > 0, toolsOf(1)]).toEqual([true, []]);
  });
  it('a short result leaves room for further rounds', async () => {
    world.answers.set(getUsage.code, () => usage(1));
    await asked(1);
    expect(resultsRead()[0]).toContain('RETRIEVALS');
    expect(toolsOf(1)).toEqual(toolsOf(0));
  });
});
