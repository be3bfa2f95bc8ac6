import { join } from 'node:path';
import { ChatServer, type ChatScript, type ReceivedChat } from '@acervo/platform-testing';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { assignPlan, commandsOn } from '../harness/plans';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';

type Body = Answer['body'];

const HEADING = 'Arrendamiento de la casa de la acequia.';
const DUE = 'La renta vence el 5 de marzo de 2027.';
const LEASE = `${HEADING}\n${DUE}`;
const SHIFTS = 'Los turnos de noche empiezan a las diez y duran cuatro horas.';
const QUESTION = '¿A qué hora empiezan los turnos de noche?';
const WRITTEN = 'Los turnos de noche empiezan a las diez [1].';
/** What the scripted server counts for one answer. */
const TOKENS = 18;
const AT_ONCE = 20;
/** What a plan leaves to the questions of the suite. */
const LEFT = 100;

interface Run {
  readonly document_code: string;
  readonly skill_code: string;
  readonly status: string;
}

interface Quota {
  readonly feature: string;
  readonly included: number | null;
  readonly used: number;
}

interface CallRow {
  readonly outcome: string;
  readonly counted: number;
}

/** A model that knows a lease, and states what it found in it. */
const answer = ({ body }: ReceivedChat): ChatScript => {
  const isLease = body.messages.some(({ content }) => content.includes(HEADING));
  const answers: Readonly<Record<string, object>> = {
    type: isLease ? { type: 'LEASE', quote: HEADING } : { type: null, quote: '' },
    features: { features: isLease ? [{ feature: 'DATES,DUE', quote: DUE, value: '5 de marzo de 2027' }] : [] },
  };
  const form = body.response_format?.json_schema.name ?? '';
  return { kind: 'text', parts: [JSON.stringify(answers[form] ?? { statements: [] })] };
};

describe('a chat model over HTTP', () => {
  const place = temporary();
  const data = join(place.path, 'data');
  const model = new ChatServer(answer);
  let installation: Installation;
  let code = '';

  const get = async (path: string): Promise<Body> => {
    const { status, body } = await installation.ask('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const execute = async (operation: string, input: object): Promise<Body> => {
    const { body } = await installation.ask('POST', `/v1/operations/${operation}:execute`, { input, confirm: true });
    return body['result'] as Body;
  };
  const quota = async (): Promise<Quota | undefined> =>
    ((await get('/v1/usage'))['quotas'] as Quota[]).find(({ feature }) => feature === 'MODEL_TOKENS');
  const found = (): Promise<Body> => execute('documents.get_features', { document_code: code });
  const searched = async (filter: object): Promise<string[]> =>
    (await installation.names('acequia', { filter })).toSorted();

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'casa.txt': LEASE, 'pozo.txt': 'El pozo y la acequia se limpian en marzo.', 'turnos.txt': SHIFTS });
    const environment = {
      ...{ ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'scripted', ACERVO_CHAT_SUMMARIES: 'false' },
      ...{ ACERVO_CHAT_CONCURRENCY: '64', ACERVO_REQUESTS_AT_ONCE: '64' },
    };
    installation = await Installation.start({ folder, data, processes: false, environment });
    await until('the documents', async () => {
      const { documents } = await get('/v1/documents');
      const listed = documents as { status: string; code: string; name: string }[];
      code = listed.find(({ name }) => name === 'casa.txt')?.code ?? '';
      return listed.length === 3 && listed.every(({ status }) => status === 'VECTORIZED');
    });
  });
  afterAll(async () => {
    await installation.stop();
    await model.close();
    place.remove();
  });

  describe('that finds types and features', () => {
    it('a described type and feature are found in a document that is searchable', async () => {
      await execute('document_types.create', { code: 'LEASE', name: 'Arrendamiento' });
      await execute('document_types.add_category', {
        ...{ document_type_code: 'LEASE', code: 'DATES', name: 'Fechas', kind: 'ATTRIBUTE', value_kind: 'DATE' },
      });
      const feature = { category_code: 'DATES', code: 'DUE', name: 'Vencimiento', prompt: '¿Cuándo vence la renta?' };
      await execute('document_types.add_feature', feature);
      await until('the feature', async () => ((await found())['features'] as object[]).length === 1);
      expect(await found()).toMatchObject({
        ...{ document_type_code: 'LEASE', source: 'MODEL' },
        evidence: [{ start_at: 0, end_at: HEADING.length, quote: HEADING }],
        features: [
          { category_code: 'DATES', code: 'DUE', value: '2027-03-05', source: 'MODEL', quote: '5 de marzo de 2027' },
        ],
      });
    });

    it('searches filter by both, and no other document has them', async () => {
      await until('the filter', async () => (await searched({ attributes: ['DUE'] })).length === 1);
      expect(await searched({ attributes: ['DUE'] })).toEqual(['casa.txt']);
      expect(await searched({ document_types: ['LEASE'] })).toEqual(['casa.txt']);
      expect(await searched({})).toEqual(expect.arrayContaining(['casa.txt', 'pozo.txt']));
    });

    it('its tokens are counted, and its runs are followed in the queue', async () => {
      const runsOf = async (...skills: readonly string[]): Promise<Run[]> =>
        ((await get('/v1/queue?process=SKILL'))['items'] as Run[]).filter((run) => skills.includes(run.skill_code));
      await until('the types of all documents', async () => {
        const runs = await runsOf('DOCUMENT-CLASSIFY');
        return runs.length === 3 && runs.every(({ status }) => status === 'COMPLETED');
      });
      const runs = (await runsOf('DOCUMENT-CLASSIFY', 'FEATURE-EXTRACT')).filter((run) => run.document_code === code);
      expect(runs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
      await until('the reports of all calls', async () => (await quota())?.used === model.received.length * TOKENS);
      // The type of each document, and the features of one.
      expect(model.received.length).toBeGreaterThanOrEqual(4);
    });

    it.each(['DOCUMENT-CLASSIFY', 'FEATURE-EXTRACT'])('%s is no skill for callers', async (skill) => {
      const { skills } = await get('/v1/skills');
      const catalog = await get('/v1/catalog?type=SKILLS');
      expect([JSON.stringify(skills), JSON.stringify(catalog)].filter((text) => text.includes(skill))).toEqual([]);
      expect((await installation.ask('GET', `/v1/skills/${skill}`)).status).toBe(404);
      const run = await installation.ask('POST', `/v1/skills/${skill}/run`, { document_code: code });
      expect([run.status, run.body['code']]).toEqual([404, 'NOT_FOUND']);
      expect(JSON.stringify((await get(`/v1/documents/${code}`))['skill_results'])).not.toContain(skill);
    });
  });

  describe('whose tokens a plan includes', () => {
    /** An answer; one that a busy program refuses is asked for again. */
    const ask = (): Promise<Answer> =>
      retryUntilAvailable('an answer', async () => {
        const answer = await installation.ask('POST', '/v1/ask', { question: QUESTION });
        return answer.status === 503 ? undefined : answer;
      });
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

    /** What classification took before the first question. */
    let before = 0;
    beforeAll(async () => {
      await settled();
      before = (await quota())?.used ?? 0;
      model.received.length = 0;
      model.answer = () => ({ kind: 'text', parts: [WRITTEN] });
    });

    it('what the model took is counted for the entity of the asker', async () => {
      expect(await quota()).toMatchObject({ included: null, used: before });
      expect((await ask()).body['answer']).toContain(WRITTEN);
      await settled();
      expect(await quota()).toMatchObject({
        ...{ unit: 'tokens', used: before + TOKENS, on_limit: 'BLOCK' },
        by_entity: [
          { entity_code: 'E1', used: before + TOKENS },
          { entity_code: null, used: 0 },
        ],
      });
    });

    it('of many questions at once with little left one reaches the model', async () => {
      await assignPlan({ code: 'TOKENS', included: { MODEL_TOKENS: before + LEFT }, run: commandsOn(data) });
      expect(await quota()).toMatchObject({ included: before + LEFT, used: before + TOKENS });

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
      expect(await quota()).toMatchObject({ used: before + 2 * TOKENS });
    });

    it('once the quota is used up the documents answer, and no model', async () => {
      model.answer = () => ({ kind: 'text', parts: [WRITTEN] });
      while (((await quota())?.used ?? 0) < before + LEFT) {
        expect((await ask()).status).toBe(200);
        await settled();
      }
      const [received, used] = [model.received.length, ((await quota())?.used ?? 0) - before];
      // The last call went over by less than it took.
      expect(used).toBeLessThan(LEFT + TOKENS);
      expect(used).toBe(received * TOKENS);
      const { status, body } = await ask();
      expect([status, model.received.length]).toEqual([200, received]);
      expect(body['answer']).toContain(`${SHIFTS.slice(0, -1)} [1].`);
    });
  });
});
