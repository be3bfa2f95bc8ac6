import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { asOwner } from '../harness/in-database';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

type Body = Answer['body'];

describe('spaces on a schedule, with a process for each service', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let program: Program;
  /** Printed by the first start alone. */
  let key = '';

  const start = async (processes: boolean): Promise<void> => {
    program = await Program.start({ folder, data, port: await freePort(), processes });
    await program.done();
    key ||= program.key;
  };
  const execute = async (code: string, input: object): Promise<Body> => {
    const sent = { input, confirm: true };
    const authorization = `Bearer ${key}`;
    const { status, body } = await program.ask('POST', `/v1/operations/${code}:execute`, sent, { authorization });
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body['result'] as Body;
  };
  const documents = async (space_id: unknown): Promise<unknown> =>
    ((await execute('spaces.list_documents', { space_id }))['documents'] as { name: string }[]).map(({ name }) => name);

  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('a new document is in a space of the group after the next round', async () => {
    write(folder, { 'turnos-2024.txt': 'Los turnos de la acequia vieja.' });
    await start(false);
    const { space_id } = await execute('spaces.create', { name: 'Turnos', criteria: { name: 'turnos-*' } });
    await execute('parameters.update_group', { parameter_code: 'SPACES_REFRESH_HOURS', value: '24' });
    write(folder, { 'turnos-2025.txt': 'Los turnos de la acequia nueva.' });
    await until('the document is found', async () => (await program.search('acequia nueva')).length === 2);
    expect(await documents(space_id)).toEqual(['turnos-2024.txt']);
    await program.stop();
    await asOwner(data, 'retrieval', [
      `update retrieval.space set refreshed_at = refreshed_at - interval '1 day' where group_id = $1`,
      `update retrieval.task set not_before = now() where group_id = $1 and stage = 'schedule-spaces'`,
    ]);
    await start(true);
    await until('the space is refreshed', async () => JSON.stringify(await documents(space_id)).includes('2025'));
  });
});
