import { join } from 'node:path';
import { Installation } from '../harness/installation';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

/** Rounds of upkeep begin a minute after the start. */
const FIRST_ROUND_MS = 120_000;

describe('upkeep of a running installation', () => {
  const place = temporary();
  let installation: Installation;

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'piscina.txt': 'La piscina municipal abre el 15 de junio.' });
    installation = await Installation.start({ folder, data: join(place.path, 'data'), processes: false });
    await installation.running.ingested;
  });
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  const counted = async (table: string): Promise<number> => {
    const sql = `select count(*)::int as count from chat.${table} where group_id = $1`;
    return Number((await installation.rows<{ count: number }>('chat', sql))[0]?.count);
  };
  const ask = async (): Promise<void> => {
    const question = '¿Cuándo abre la piscina municipal?';
    expect((await installation.ask('POST', '/v1/ask', { question })).status).toBe(200);
  };

  it('deletes conversations that are older than the group allows', async () => {
    for (let asked = 0; asked < 2; asked += 1) await ask();
    const input = { parameter_code: 'CONVERSATION_RETENTION_DAYS', value: '30' };
    const set = { input, confirm: true };
    expect((await installation.ask('POST', '/v1/operations/parameters.update_group:execute', set)).status).toBe(200);
    await installation.change(
      'chat',
      `update chat.conversation set updated_at = now() - interval '31 days'
       where group_id = $1 and conversation_id = (select min(conversation_id) from chat.conversation where group_id = $1)`,
    );
    await until('the older one is deleted', async () => (await counted('conversation')) === 1, FIRST_ROUND_MS);
    expect(await counted('message')).toBe(2);
  });
});
