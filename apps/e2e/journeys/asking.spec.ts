import { join } from 'node:path';
import { keyWith, PASSWORD, People } from '../harness/people';
import { copySample, freePort, Program, temporary } from '../harness/program';
import { until } from '../harness/waiting';

const QUESTION = '¿A qué hora empiezan los turnos de noche de riego?';
const ADMIN = 'admin@acervo.local';
/** Sentences that stand in place of an answer. */
const NO_ANSWER = /No encuentro la respuesta/;

type Body = Record<string, unknown>;
const numbered = (body: Body, field: string): number => Number(body[field]);

describe('asking the documents', () => {
  const place = temporary();
  let program: Program;
  let session = '';
  let reader = '';

  const ask = (body: object, headers: Record<string, string> = {}) => program.ask('POST', '/v1/ask', body, headers);
  const as = (bearer: string) => ({ authorization: `Bearer ${bearer}` });

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    copySample(folder);
    program = await Program.start({
      ...{ folder, data: join(place.path, 'data'), port: await freePort() },
      environment: { ACERVO_ADMIN_PASSWORD: PASSWORD },
    });
    await program.done();
    const person = { email: 'lectora@acervo.local', role: 'LECTORA', level: 'USUARIO', seen: ['CHAT-FINAL-USER'] };
    reader = await keyWith(program, person);
    session = await new People(program).tokenOf(ADMIN);
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('an answer quotes a document and names its source', async () => {
    const { status, body } = await ask({ question: QUESTION });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['answer', 'conversation_id', 'message_id', 'user_message_id']);
    expect(body['answer']).toContain('Los turnos de noche empiezan a las diez y duran cuatro horas [1].');
    expect(body['answer']).toMatch(/\[1\] acta-2025-01-comision-de-riego\.md: http/);
  });
  it('a question without an answer is answered without sources', async () => {
    const { body } = await ask({ question: '¿Quién pintó la capilla ducal de Aljubarrota?' });
    expect(body['answer']).toMatch(NO_ANSWER);
    expect(body['answer']).not.toMatch(/\[\d+\]|https?:/);
  });
  it('a further question belongs to its conversation', async () => {
    const first = await ask({ question: QUESTION });
    const conversation_id = numbered(first.body, 'conversation_id');
    const second = await ask({ question: '¿Y cuánto duran?', conversation_id });
    expect(numbered(second.body, 'conversation_id')).toBe(conversation_id);
    const { conversations, total } = (await program.ask('GET', '/v1/conversations')).body as {
      conversations: readonly Body[];
      total: number;
    };
    expect(conversations[0]).toMatchObject({ conversation_id, message_count: 4, title: QUESTION, mode: 'default' });
    expect(total).toBe(conversations.length);
  });
  it('requests with one key store one pair and get its answer', async () => {
    const key = { 'idempotency-key': 'asked-once' };
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await ask({ question: QUESTION }, key));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await ask({ question: 'Otra pregunta' }, key)).status).toBe(409);
  });
  it.each([
    [{ question: ' ' }, 400],
    [{ question: QUESTION, mode: 'other' }, 400],
    [{ question: QUESTION, mode: 'help' }, 409],
    [{ question: QUESTION, function_code: 'NONE' }, 404],
    [{ question: QUESTION, conversation_id: 999_999 }, 404],
    [{ question: QUESTION, location_code: 'L99999' }, 404],
    [{ question: QUESTION, extra: 1 }, 422],
    [{}, 422],
  ])('the question %j is answered %p', async (body, status) => {
    expect((await ask(body)).status).toBe(status);
  });
  it('a conversation of another user is not found', async () => {
    const { body } = await ask({ question: QUESTION });
    const conversation_id = numbered(body, 'conversation_id');
    expect((await ask({ question: QUESTION, conversation_id }, as(reader))).status).toBe(404);
    const path = `/v1/conversations/${conversation_id}`;
    expect((await program.ask('DELETE', path, undefined, as(reader))).status).toBe(404);
    expect((await program.ask('DELETE', path)).body).toEqual({ deleted: true, conversation_id });
    expect((await program.ask('DELETE', path)).status).toBe(404);
  });
  it('a key is refused by the routes of the web application', async () => {
    expect((await program.ask('GET', '/chat/conversaciones')).status).toBe(403);
  });
  it('a streamed answer is parts of its text, stored until its deletion', async () => {
    const opened = await program.ask('POST', '/chat/conversaciones', { codigo_funcion: 'CHAT-USER' }, as(session));
    expect(opened.body).toMatchObject({ codigo_funcion: 'CHAT-USER', titulo: '' });
    const path = `/chat/conversaciones/${String(opened.body['id'])}`;
    const streamed = await program.ask('POST', `${path}/mensajes/stream`, { mensaje: QUESTION }, as(session));
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    const frames = streamed.text
      .split('\n\n')
      .filter((frame) => frame !== '')
      .map((frame) => JSON.parse(frame.replace(/^data: /, '')) as Body);
    const last = frames.at(-1);
    expect(last).toEqual({
      done: true,
      id_mensaje_user: expect.any(Number) as number,
      id_mensaje_assistant: numbered(last ?? {}, 'id_mensaje_user') + 1,
    });
    const text = frames.slice(0, -1).map((frame) => String(frame['text']));
    expect(text.join('')).toContain('Los turnos de noche empiezan a las diez');
    const { body } = await program.ask('GET', path, undefined, as(session));
    expect(body).toMatchObject({
      titulo: QUESTION,
      mensajes: [
        { rol: 'USER', texto: QUESTION, citas: [] },
        { rol: 'ASSISTANT', texto: text.join(''), citas: [{ numero: 1, pagina: null }] },
      ],
    });
    const listed = async (): Promise<unknown> =>
      (await program.ask('GET', '/chat/conversaciones', undefined, as(session))).body['conversaciones'];
    const head = { id: opened.body['id'], codigo_funcion: 'CHAT-USER', titulo: QUESTION };
    expect(await listed()).toContainEqual(head);
    const gone = await program.ask('DELETE', path, undefined, as(session));
    expect(gone.body).toEqual({ eliminada: true, id: opened.body['id'] });
    expect(await listed()).not.toContainEqual(head);
  });
  it('an answer from a deleted document is shown no longer', async () => {
    const key = { 'idempotency-key': 'asked-before-the-deletion' };
    const { body } = await ask({ question: '¿Qué presupuesto tiene el taller de poda?', mode: 'default' }, key);
    expect(body['answer']).toBeDefined();
    const asked = await ask({ question: QUESTION }, { 'idempotency-key': 'night' });
    const source = /\[1\] (\S+): \S+\/(D\d+)/.exec(String(asked.body['answer']))?.[2] ?? '';
    const { status } = await program.ask('POST', '/v1/operations/documents.delete:execute', {
      input: { document_code: source },
      confirm: true,
    });
    expect(status).toBe(200);
    await until('the answer is hidden', async () => {
      const again = await ask({ question: QUESTION }, { 'idempotency-key': 'night' });
      return !String(again.body['answer']).includes('turnos de noche empiezan');
    });
  });
});
