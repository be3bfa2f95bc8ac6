import { join } from 'node:path';
import { ChatServer, type ChatScript, type ReceivedChat } from '@acervo/platform-testing';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

type Body = Answer['body'];

const HEADING = 'Arrendamiento de la casa de la acequia.';
const DUE = 'La renta vence el 5 de marzo de 2027.';
const LEASE = `${HEADING}\n${DUE}`;
/** What the scripted server counts for one answer. */
const TOKENS = 18;

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

describe('types and features by a chat model over HTTP', () => {
  const place = temporary();
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
  const found = (): Promise<Body> => execute('documents.get_features', { document_code: code });
  const searched = async (filter: object): Promise<string[]> =>
    (await installation.names('acequia', { filter })).toSorted();

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'casa.txt': LEASE, 'pozo.txt': 'El pozo y la acequia se limpian en marzo.' });
    const environment = { ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'scripted' };
    installation = await Installation.start({ folder, data: join(place.path, 'data'), environment });
    await until('the documents', async () => {
      const { documents } = await get('/v1/documents');
      const listed = documents as { status: string; code: string; name: string }[];
      code = listed.find(({ name }) => name === 'casa.txt')?.code ?? '';
      return listed.length === 2 && listed.every(({ status }) => status === 'VECTORIZED');
    });
  });
  afterAll(async () => {
    await installation.stop();
    await model.close();
    place.remove();
  });

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
    expect(await searched({})).toHaveLength(2);
  });

  it('its tokens are counted, and its runs are followed in the queue', async () => {
    const { items } = await get('/v1/queue?process=SKILL');
    const runs = (items as { document_code: string; skill_code: string; status: string }[]).filter(
      ({ document_code, skill_code }) =>
        document_code === code && ['DOCUMENT-CLASSIFY', 'FEATURE-EXTRACT'].includes(skill_code),
    );
    expect(runs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    await until('the reports of all calls', async () => {
      const { quotas } = await get('/v1/usage');
      const tokens = (quotas as { feature: string; used: number }[]).find(({ feature: f }) => f === 'MODEL_TOKENS');
      return tokens?.used === model.received.length * TOKENS;
    });
    expect(model.received.length).toBeGreaterThanOrEqual(3);
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
