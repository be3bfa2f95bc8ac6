import { until } from '@acervo/platform-testing';
import { ChatApp } from '../../test/chat-app';

const QUESTION = '¿Cuál es la renta?';
const app = new ChatApp();
beforeAll(() => app.open());
afterAll(() => app.close());
beforeEach(() => app.world.reset());

const open = (bearer: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${app.port}/chat/conversaciones`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ codigo_funcion: 'CHAT-USER' }),
  });
const statuses = async (answers: readonly Response[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const answer of answers) {
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    await answer.text();
  }
  return counts;
};
const atOnce = (times: number, send: () => Promise<Response>): Promise<Response[]> =>
  Promise.all(Array.from({ length: times }, send));

describe('the limits of chat', () => {
  it('a credential opens 20 conversations a minute, another one is not affected', async () => {
    const { bearer } = app.person();
    const answers = await atOnce(26, () => open(bearer));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(await statuses(answers)).toEqual({ 200: 20, 429: 6 });
    expect((await open(app.person().bearer)).status).toBe(200);
  });

  it('a credential asks 30 questions a minute in all its conversations, over all processes', async () => {
    const { scope, bearer } = app.person();
    const conversations = [await app.conversation(scope), await app.conversation(scope)];
    let turn = 0;
    const ask = () => app.ask(bearer, conversations[(turn += 1) % 2] ?? 0, QUESTION);
    const before = await atOnce(18, ask);
    // The end of a process cuts streams that are not read.
    expect(await statuses(before)).toEqual({ 200: 18 });
    await app.restart();
    const answers = await atOnce(18, ask);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.headers.get('retry-after'), refused?.headers.get('content-type')]).toEqual([
      '60',
      'application/json; charset=utf-8',
    ]);
    expect(await statuses(answers)).toEqual({ 200: 12, 429: 6 });
    await until('30 pairs', async () => (await app.stored(scope)).length === 60);
  });

  it('without its counters nothing is asked and nothing opened', async () => {
    const { scope, bearer } = app.person();
    const conversation = await app.conversation(scope);
    await app.bed.engine.asOwner('chat', 'alter table chat.rate_count rename to away');
    try {
      const answers = [await app.ask(bearer, conversation, QUESTION), await open(bearer)];
      expect(await statuses(answers)).toEqual({ 503: 2 });
    } finally {
      await app.bed.engine.asOwner('chat', 'alter table chat.away rename to rate_count');
    }
    expect([app.world.searches, await app.stored(scope)]).toEqual([[], []]);
    expect((await app.ask(bearer, conversation, QUESTION)).status).toBe(200);
  });

  it('a key is refused before it counts', async () => {
    const { bearer } = app.person({ credential: 'api_key' });
    expect(await statuses(await atOnce(25, () => open(bearer)))).toEqual({ 403: 25 });
  });
});
