/**
 * Each service runs in a process of its own, so that the test can end one of them.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { keyWith, PASSWORD, People } from '../harness/people';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

const ANA = 'ana@example.test';
const PATH = `/usuarios/${ANA}`;

describe('the deletion of a user', () => {
  const place = temporary();
  let installation: Installation;
  let administrator = '';
  let key = '';
  let userId = '';

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'nota.txt': 'Una nota.' });
    // The second process of operations ends while it deletes the rows of a user.
    const ends = 'operations/handled.user.deletion_started.v1';
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD, ACERVO_FAILPOINT: `;${ends}` };
    installation = await Installation.start({ folder, data: join(place.path, 'data'), environment });
    await installation.running.ingested;
    administrator = await new People(installation).tokenOf('admin@acervo.local');
    const seen = ['MANAGE_ENTITIES', 'CHAT-USER'];
    key = await keyWith(installation, { email: ANA, role: 'TEMPORAL', level: 'ADMINISTRADOR', seen });
    userId = (await accounts())[0]?.id ?? '';
  }, 200_000);
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  const asAdministrator = (method: string, path: string, body?: object): Promise<Answer> =>
    installation.ask(method, path, body, { authorization: `Bearer ${administrator}` });
  const accounts = (): Promise<{ id: string; state: string }[]> =>
    installation.rows('auth', 'select user_id as id, state from auth.app_user where group_id = $1 and email = $2', [
      ANA,
    ]);
  const answers = (): Promise<object[]> =>
    installation.rows('operations', 'select from operations.idempotency where group_id = $1 and user_id = $2', [
      userId,
    ]);
  const conversations = (): Promise<object[]> =>
    installation.rows('chat', 'select from chat.conversation where group_id = $1 and user_id = $2', [userId]);
  const messages = (): Promise<object[]> => installation.rows('chat', 'select from chat.message where group_id = $1');
  const create = (): Promise<Answer> => asAdministrator('POST', '/usuarios', { codigo: ANA, nombre: 'Otra' });
  const storeAnswer = (): Promise<Answer> =>
    installation.ask(
      'POST',
      '/v1/operations/entities.create:execute',
      { input: { code: 'E7', name: 'Siete' } },
      { authorization: `Bearer ${key}`, 'idempotency-key': 'once' },
    );

  it('the preview counts the rows of every service', async () => {
    expect((await storeAnswer()).status).toBe(200);
    const ofAna = { authorization: `Bearer ${key}` };
    for (let asked = 0; asked < 2; asked += 1)
      expect((await installation.ask('POST', '/v1/ask', { question: '¿Qué dice la nota?' }, ofAna)).status).toBe(200);
    expect([(await conversations()).length, (await messages()).length]).toEqual([2, 4]);
    const { body } = await asAdministrator('GET', `${PATH}/preview-eliminar`);
    for (const previewed of [
      { tipo: 'respuestas_guardadas', cantidad: 1 },
      { tipo: 'conversaciones', cantidad: 2 },
    ])
      expect(body['dependencias']).toContainEqual(previewed);
    const operation = { input: { code: ANA } };
    const { body: published } = await installation.ask('POST', '/v1/operations/users.delete:execute', operation);
    const { effect } = published['preview'] as { effect: Record<string, unknown> };
    expect(effect['dependencies']).toContainEqual({ kind: 'STORED_ANSWERS', count: 1 });
    expect(effect['dependencies']).toContainEqual({ kind: 'CONVERSATIONS', count: 2 });
    expect(effect['total']).toBe(body['total']);
  });

  it('the preview is unavailable while a service is away', async () => {
    const killed = installation.processesOf('operations');
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until('the process has ended', () => !killed.some(lives));
    expect((await asAdministrator('GET', `${PATH}/preview-eliminar`)).status).toBe(503);
    await until('the service is back', async () => {
      const { status } = await asAdministrator('GET', `${PATH}/preview-eliminar`);
      return status === 200;
    });
  });

  it('access ends at once, while the account waits for a service that ends', async () => {
    expect((await asAdministrator('DELETE', PATH)).body).toEqual({ codigo: ANA, eliminado: true });
    const ofAna = { authorization: `Bearer ${key}` };
    expect((await installation.ask('GET', '/v1/session', undefined, ofAna)).status).toBe(401);
    expect((await asAdministrator('GET', PATH)).status).toBe(404);
    const refused = await create();
    expect([refused.status, refused.body['detalles']]).toEqual([409, { motivo: 'USER_BEING_DELETED' }]);
    expect(await accounts()).toEqual([{ id: userId, state: 'ELIMINANDO' }]);
  });

  it('the deletion ends after all services, and a new account inherits nothing', async () => {
    await until('the address is free', async () => (await create()).status === 201, 100_000);
    const [account] = await accounts();
    expect([account?.id === userId, account?.state]).toEqual([false, 'PENDIENTE']);
    expect([await answers(), await conversations(), await messages()]).toEqual([[], [], []]);
    expect((await asAdministrator('GET', `${PATH}/roles`)).text).toBe('[]');
  });
});
