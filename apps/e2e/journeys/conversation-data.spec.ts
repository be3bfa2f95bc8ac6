import { join } from 'node:path';
import { Installation } from '../harness/installation';
import { keyWith, PASSWORD } from '../harness/people';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

const FACT = 'La fianza del frontón es de 4321 euros';
const QUESTION = '¿De cuánto es la fianza del frontón?';

type Body = Record<string, unknown>;

describe('what is stored of conversations', () => {
  const place = temporary();
  let installation: Installation;
  let reader = '';

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, {
      'fronton.txt': `${FACT}. Se devuelve al mes.`,
      'piscina.txt': 'La piscina municipal abre el 15 de junio.',
    });
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD };
    installation = await Installation.start({ folder, data: join(place.path, 'data'), processes: false, environment });
    await installation.running.ingested;
    const person = { email: 'lector@acervo.local', role: 'LECTOR', level: 'USUARIO', seen: ['CHAT-FINAL-USER'] };
    reader = await keyWith(installation, person);
  });
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  const ask = async (question: string, headers: Record<string, string> = {}): Promise<Body> =>
    (await installation.ask('POST', '/v1/ask', { question }, headers)).body;
  const execute = (code: string, input: object): ReturnType<Installation['ask']> =>
    installation.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true });
  const counted = async (sql: string): Promise<number> =>
    Number((await installation.rows<{ count: number }>('chat', `select count(*)::int as count ${sql}`))[0]?.count);
  /** Rows of chat, of any column, that contain the fact. */
  const storing = async (): Promise<number> =>
    (await counted(`from chat.message m where m.group_id = $1 and strpos(m::text, '4321') > 0`)) +
    (await counted(`from chat.citation c where c.group_id = $1 and strpos(c::text, '4321') > 0`));

  it('a person who may only ask looks up the document of an answer', async () => {
    const headers = { authorization: `Bearer ${reader}` };
    const { answer } = await ask(QUESTION, headers);
    expect(answer).toContain('4321');
    const [code = ''] = /D\d+/.exec(String(answer)) ?? [];
    const { status, body } = await installation.ask('GET', `/v1/documents/${code}`, undefined, headers);
    expect([status, (body['document'] as Body | undefined)?.['code'] ?? body['code']]).toEqual([200, code]);
    expect((await installation.ask('GET', '/v1/documents', undefined, headers)).status).toBe(403);
  });

  it('a deleted document leaves no text in conversations, and others keep theirs', async () => {
    const { answer } = await ask(QUESTION);
    expect((await ask('¿Cuándo abre la piscina municipal?'))['answer']).toContain('15 de junio');
    expect(await storing()).toBeGreaterThanOrEqual(4);
    const document_code = /D\d+/.exec(String(answer))?.[0] ?? '';
    expect((await execute('documents.delete', { document_code })).status).toBe(200);
    await until('the answers are erased', async () => (await storing()) === 0);
    expect(await counted(`from chat.message where group_id = $1 and state = 'WITHDRAWN' and text = ''`)).toBe(2);
    expect(await counted(`from chat.message where group_id = $1 and strpos(text, '15 de junio') > 0`)).toBe(1);
    expect((await ask(QUESTION))['answer']).not.toContain('4321');
  });
});
