import { join } from 'node:path';
import { ChatServer } from '@acervo/platform-testing';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { assignPlan, commandsOn } from '../harness/plans';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';

const DOCUMENT = 'Los turnos de noche empiezan a las diez y duran cuatro horas.';
const QUESTION = '¿A qué hora empiezan los turnos de noche?';
const WRITTEN = 'Los turnos de noche empiezan a las diez [1].';
/** What the scripted server counts for one answer. */
const TOKENS = 18;
const AT_ONCE = 20;
const INCLUDED = 100;

interface Quota {
  readonly feature: string;
  readonly included: number | null;
  readonly used: number;
}

interface CallRow {
  readonly outcome: string;
  readonly counted: number;
}

describe('a plan with tokens of a chat model', () => {
  const place = temporary();
  const data = join(place.path, 'data');
  const model = new ChatServer();
  let installation: Installation;

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'turnos.txt': DOCUMENT });
    model.answer = () => ({ kind: 'text', parts: [WRITTEN] });
    const environment = {
      ...{ ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'scripted' },
      ...{ ACERVO_CHAT_CONCURRENCY: '64', ACERVO_REQUESTS_AT_ONCE: '64' },
    };
    installation = await Installation.start({ folder, data, environment });
    await installation.firstDocument();
  });
  afterAll(async () => {
    await installation.stop();
    await model.close();
    place.remove();
  });

  /** An answer; one that a busy program refuses is asked for again. */
  const ask = (): Promise<Answer> =>
    retryUntilAvailable('an answer', async () => {
      const answer = await installation.ask('POST', '/v1/ask', { question: QUESTION });
      return answer.status === 503 ? undefined : answer;
    });
  const quota = async (): Promise<Quota | undefined> => {
    const { body } = await installation.ask('GET', '/v1/usage');
    return (body['quotas'] as Quota[]).find(({ feature }) => feature === 'MODEL_TOKENS');
  };
  const calls = (): Promise<CallRow[]> =>
    installation.rows<CallRow>(
      'operations',
      'select outcome, counted::int as counted from operations.model_call where group_id = $1',
    );
  /** Every call was reported. */
  const settled = (): Promise<void> =>
    until('the reports of all calls', async () => (await calls()).every(({ outcome }) => outcome !== 'RUNNING'));
  const countOf = async (outcome: string): Promise<number> =>
    (await calls()).filter((each) => each.outcome === outcome).length;

  it('what the model took is counted for the entity of the asker', async () => {
    expect(await quota()).toMatchObject({ included: null, used: 0 });
    expect((await ask()).body['answer']).toContain(WRITTEN);
    await settled();
    expect(await quota()).toMatchObject({
      ...{ unit: 'tokens', used: TOKENS, on_limit: 'BLOCK' },
      by_entity: [
        { entity_code: 'E1', used: TOKENS },
        { entity_code: null, used: 0 },
      ],
    });
  });

  it('of many questions at once with little left one reaches the model', async () => {
    await assignPlan({ code: 'TOKENS', included: { MODEL_TOKENS: INCLUDED }, run: commandsOn(data) });
    expect(await quota()).toMatchObject({ included: INCLUDED, used: TOKENS });

    let release = (): void => undefined;
    const isFree = new Promise<void>((resolve) => (release = resolve));
    model.answer = () => ({ kind: 'paced', parts: [WRITTEN], before: () => isFree });
    let answered = 0;
    const answers = Array.from({ length: AT_ONCE }, () => ask().finally(() => (answered += 1)));
    await until('the answers without a model', () => answered === AT_ONCE - 1);
    expect([await countOf('RUNNING'), await countOf('PLAN')]).toEqual([1, 1]);
    release();
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBe(200);
      expect(body['answer']).toContain('Los turnos de noche empiezan a las diez');
    }
    await settled();
    expect(await quota()).toMatchObject({ used: 2 * TOKENS });
  });

  it('once the quota is used up the documents answer, and no model', async () => {
    model.answer = () => ({ kind: 'text', parts: [WRITTEN] });
    while (((await quota())?.used ?? 0) < INCLUDED) {
      expect((await ask()).status).toBe(200);
      await settled();
    }
    const [received, used] = [model.received.length, (await quota())?.used];
    // The last call went over by less than it took.
    expect(used).toBeLessThan(INCLUDED + TOKENS);
    expect(used).toBe(received * TOKENS);
    const { status, body } = await ask();
    expect([status, model.received.length]).toEqual([200, received]);
    expect(body['answer']).toContain(`${DOCUMENT.slice(0, -1)} [1].`);
  });
});
