import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { asOwners } from '../harness/in-database';
import { keyWith, PASSWORD } from '../harness/people';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

const ANA = 'ana@example.test';

describe('a deletion of a user', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let program: Program;
  let key = '';
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  /** All services run in one process: a failpoint of any service ends the program. */
  const request = async (failpoint?: string) => ({
    ...{ folder, data, port: await freePort(), processes: false },
    environment: {
      ACERVO_ADMIN_PASSWORD: PASSWORD,
      ...(failpoint === undefined ? {} : { ACERVO_FAILPOINT: failpoint }),
    },
  });
  const started = async (failpoint?: string): Promise<void> => {
    program = await Program.start(await request(failpoint));
    if (key === '') ({ key } = program);
    program.key = key;
  };
  const execute = (code: string, input: object, headers: Record<string, string> = {}): Promise<Answer> =>
    program.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true }, headers);
  const users = async (): Promise<string[]> =>
    ((await execute('users.list', {})).body['result'] as { items: { code: string }[] }).items.map(({ code }) => code);
  const endsDuringStart = async (failpoint: string): Promise<void> => {
    program = Program.run(await request(failpoint));
    expect(await program.ended).toBe('SIGKILL');
  };
  const STATES = ['auth', `select state from auth.app_user where group_id = $1 and email = '${ANA}'`] as const;
  const ANSWERS = [
    'operations',
    `select from operations.idempotency where group_id = $1 and answer is not null`,
  ] as const;
  const SPACES = ['retrieval', `select from retrieval.space where group_id = $1`] as const;

  it('a process killed at any step ends the deletion once', async () => {
    write(folder, { 'nota.txt': 'Una nota.' });
    await started('before-commit.users.delete');
    const anas = await keyWith(program, {
      email: ANA,
      role: 'TEMPORAL',
      level: 'ADMINISTRADOR',
      seen: ['MANAGE_ENTITIES', 'WORKSPACES'],
    });
    const ofAna = { authorization: `Bearer ${anas}` };
    const done = await execute('entities.create', { name: 'Siete' }, { ...ofAna, 'idempotency-key': 'once' });
    expect(done.status).toBe(200);
    expect((await execute('spaces.create', { name: 'De Ana' }, ofAna)).status).toBe(200);
    await expect(execute('users.delete', { code: ANA })).rejects.toThrow();
    expect(await program.ended).toBe('SIGKILL');
    expect(await asOwners(data, [STATES, ANSWERS])).toEqual([[{ state: 'ACTIVO' }], [{}]]);

    await started('after-commit.users.delete');
    expect((await program.ask('GET', '/v1/session', undefined, ofAna)).status).toBe(200);
    await expect(execute('users.delete', { code: ANA })).rejects.toThrow();
    expect(await program.ended).toBe('SIGKILL');
    expect(await asOwners(data, [STATES, ANSWERS])).toEqual([[{ state: 'ELIMINANDO' }], [{}]]);

    await endsDuringStart('handled.user.deletion_started.v1');
    expect(await asOwners(data, [STATES, ANSWERS])).toEqual([[{ state: 'ELIMINANDO' }], [{}]]);
    await endsDuringStart('handled.user.dependents_deleted.v1');
    // The answer of any service may have been the one.
    expect(await asOwners(data, [STATES])).toEqual([[{ state: 'ELIMINANDO' }]]);

    await started();
    expect((await program.ask('GET', '/v1/session', undefined, ofAna)).status).toBe(401);
    expect(await users()).not.toContain(ANA);
    await until('the address is free', async () => {
      const { status } = await execute('users.create', { code: ANA, name: 'Otra' });
      return status === 200;
    });
    const records = async (): Promise<(readonly [string | null, boolean])[]> => {
      const { result } = (await execute('audit.list', { subject: ANA, outcome: 'SUCCEEDED' })).body;
      return (result as { records: { operation: string | null; actor: string | null }[] }).records.map(
        ({ operation, actor }) => [operation, actor === null] as const,
      );
    };
    await until('the last record arrives', async () => (await records())[0]?.[0] === 'users.create');
    expect((await records()).slice(0, 3)).toEqual([
      ['users.create', false],
      [null, true],
      ['users.delete', false],
    ]);
    await program.stop();
    expect(await asOwners(data, [ANSWERS, SPACES])).toEqual([[], []]);
  }, 600_000);
});
