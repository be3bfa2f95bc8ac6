import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { keyWith, PASSWORD } from '../harness/people';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

type Body = Answer['body'];

const FILES = {
  'arrendamiento.txt': 'Contrato de arrendamiento del molino. La renta es de 850 euros al mes.',
  'acta.txt': 'Acta de la junta: se repara el canal de la acequia.',
};
const USER = 'ana@example.org';

describe('processes over HTTP', () => {
  const place = temporary();
  const keys = { admin: '', user: '', other: '' };
  let program: Program;

  const ask = (caller: keyof typeof keys, method: string, path: string, body?: object): Promise<Answer> =>
    program.ask(method, path, body, { authorization: `Bearer ${keys[caller]}` });
  const execute = (code: string, input: object, confirm = false): Promise<Answer> =>
    ask('admin', 'POST', `/v1/operations/${code}:execute`, { input, confirm });
  const list = async (caller: keyof typeof keys, query = ''): Promise<readonly Body[]> =>
    (await ask(caller, 'GET', `/v1/processes${query}`)).body['processes'] as Body[];
  const startByHand = async (code: string): Promise<string> => {
    const { body } = await execute('group_processes.update', { process_code: code, start: true });
    return String((body['result'] as Body)['started_process']);
  };

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, FILES);
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD };
    program = await Program.start({ folder, data: join(place.path, 'data'), port: await freePort(), environment });
    await program.done();
    keys.admin = program.key;
    const person = { level: 'USUARIO', seen: ['PROFILE_PROCESS'] };
    keys.user = await keyWith(program, { ...person, role: 'TRAMITADORA', email: USER });
    keys.other = await keyWith(program, { ...person, role: 'AYUDANTE', email: 'luis@example.org' });
    await execute('group_processes.create', { process_code: 'RENEW', name: 'Renovar', default_assignee: USER });
    for (const [code, assignee] of [
      ['READ', null],
      ['SIGN', USER],
    ])
      await execute('group_tasks.create', { process_code: 'RENEW', task_code: code, name: code, assignee, days: 2 });
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('a process is started, seen by its people alone, and finished task by task', async () => {
    const code = await startByHand('RENEW');
    expect(await list('user')).toMatchObject([{ code, name: 'Renovar', process_type: 'GROUP', assigned_to: USER }]);
    expect(await list('other')).toEqual([]);
    expect((await ask('other', 'GET', `/v1/processes/${code}`)).status).toBe(404);
    expect((await ask('other', 'PATCH', `/v1/processes/${code}`, { name: 'x' })).status).toBe(404);
    for (const task of ['READ', 'SIGN'])
      await execute('processes.update', { process_code: code, tasks: [{ code: task, status: 'DONE' }] });
    const { body } = await ask('user', 'GET', `/v1/processes/${code}`);
    expect(body).toMatchObject({ status: 'DONE', tasks: [{ status: 'DONE' }, { status: 'DONE' }] });
    expect(body['finished_at']).not.toBeNull();
    expect(await list('user', '?only_open=true')).toEqual([]);
  });

  it('a change writes what is sent, and what it cannot mean is refused', async () => {
    const path = `/v1/processes/${await startByHand('RENEW')}`;
    const patch = (body: object): Promise<Answer> => ask('user', 'PATCH', path, body);
    expect((await patch({ priority: 'URGENT', cost: 12.5, due_at: '2027-02-01T00:00:00Z' })).body).toMatchObject({
      ...{ priority: 'URGENT', cost: 12.5, due_at: '2027-02-01T00:00:00.000Z', name: 'Renovar' },
    });
    expect((await patch({ due_at: null, cost: null })).body).toMatchObject({ due_at: null, cost: null });
    expect((await patch({ status: 'CANCELLED' })).body).toMatchObject({ status: 'CANCELLED', finished_at: null });
    const refused = await Promise.all(
      [
        {},
        { status: 'DONE' },
        { status: 'ABIERTO' },
        { due_at: '2027-02-30T00:00:00Z' },
        { cost: 1.234 },
        { assigned_to: 'unknown@example.org' },
        { tasks: [] },
      ].map(patch),
    );
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
      [400, 'INVALID_REQUEST'],
      [409, 'CONFLICT'],
      [422, 'VALIDATION_ERROR'],
      [422, 'VALIDATION_ERROR'],
      [422, 'VALIDATION_ERROR'],
      [404, 'NOT_FOUND'],
      [422, 'VALIDATION_ERROR'],
    ]);
    expect((await ask('admin', 'GET', '/v1/processes?status=ABIERTO')).status).toBe(422);
  });

  it('a document that gets a type starts what the group does with such documents, once', async () => {
    await execute('document_types.create', { code: 'LEASE', name: 'Arrendamiento' });
    await execute('group_processes.create', {
      ...{ process_code: 'LEASES', name: 'Revisar arrendamientos', trigger: 'DOCUMENT_CLASSIFIED' },
      document_type_code: 'LEASE',
    });
    await execute('document_types.set_boundary', {
      ...{
        document_type_code: 'LEASE',
        rules: [{ field: 'NAME', match: 'CONTAINS', value: 'arrendamiento', effect: 'REQUIRES' }],
      },
    });
    const reviews = async (): Promise<readonly Body[]> =>
      (await list('admin')).filter(({ name }) => name === 'Revisar arrendamientos');
    await until('the document starts its process', async () => (await reviews()).length > 0);
    const document_code = expect.any(String) as string;
    expect(await reviews()).toMatchObject([{ process_type: 'GROUP', created_by: null, document_code }]);
    await execute('document_types.update', { document_type_code: 'LEASE', description: 'Otra vez.' });
    expect(await reviews()).toHaveLength(1);
  });

  it('an agent starts a process for its user', async () => {
    const call = (tool: string, toolArguments: object): Promise<Answer> =>
      ask('admin', 'POST', `/v1/agent/tools/${tool}`, { arguments: toolArguments });
    const { body } = await call('list_startable_processes', {});
    expect(JSON.stringify(body)).toContain('RENEW');
    expect(JSON.stringify(body)).not.toContain('LEASES');
    const started = await call('start_process', { process_code: 'RENEW' });
    expect(JSON.stringify(started.body)).toContain('"process_type":"GROUP"');
    expect((await call('start_process', { process_code: 'LEASES' })).status).toBe(422);
  });
});
