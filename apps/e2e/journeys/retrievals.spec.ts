import { join } from 'node:path';
import { Database, EmbeddedDatabase, ownerRole } from '@acervo/platform-database';
import type { Answer } from '../harness/http-client';
import { assignPlan, commandsOn } from '../harness/plans';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { eventually, until } from '../harness/waiting';

const NOBODY = '00000000-0000-0000-0000-000000000000';

interface Count {
  readonly included: number | null;
  readonly used: number;
  readonly held: number;
}

type Look<T> = (database: Database, groupId: string) => Promise<T>;

/** Queries or changes the tables of retrieval while the program does not run; returns the first result. */
const inTables = async <T>(data: string, first: Look<T>, ...others: readonly Look<unknown>[]): Promise<T> => {
  const engine = await EmbeddedDatabase.start({ directory: join(data, 'database') });
  const [auth, database] = (['auth', 'retrieval'] as const).map(
    (service) => new Database({ ...engine.connection(ownerRole(service)), max: 1 }),
  ) as [Database, Database];
  try {
    const [group] = await auth.read({ groupId: NOBODY }, (tx) =>
      tx.query<{ groupId: string }>('select group_id as "groupId" from auth.installation'),
    );
    const groupId = group?.groupId ?? '';
    const answer = await first(database, groupId);
    for (const look of others) await look(database, groupId);
    return answer;
  } finally {
    await Promise.all([auth.close(), database.close()]);
    await engine.stop();
  }
};

/** A limit as it was set before there were plans. */
const include =
  (included: number): Look<unknown> =>
  (database, groupId) =>
    database.write({ groupId }, (tx) =>
      tx.query(
        `insert into retrieval.allowance (group_id, included) values ($1, $2)
         on conflict (group_id) do update set included = excluded.included, used = 0`,
        [groupId, included],
      ),
    );
const counted: Look<Count | undefined> = (database, groupId) =>
  database.read({ groupId }, async (tx) => {
    const [row] = await tx.query<Count>(
      'select included, used, (select count(*)::int from retrieval.taking) as held from retrieval.allowance',
    );
    return row;
  });
const age: Look<unknown> = (database, groupId) =>
  database.write({ groupId }, (tx) => tx.query(`update retrieval.taking set taken_at = now() - interval '1 hour'`));

const search = (program: Program): Promise<Answer> =>
  program.ask('POST', '/v1/documents/search', { query: 'cuota de riego', limit: 1 });

/** A search that is sent again while the program is too busy for it: 503 counts nothing. */
const answeredSearch = (program: Program): Promise<Answer> =>
  eventually('a search is answered', async () => {
    const answer = await search(program);
    return answer.status === 503 ? undefined : answer;
  });

describe('a group with ten retrievals left', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  afterAll(() => place.remove());

  const started = async (more: Partial<StartRequest> = {}, key = ''): Promise<Program> => {
    const program = await Program.start({ folder, data, port: await freePort(), ...more });
    if (key !== '') program.key = key;
    await program.done();
    return program;
  };

  it('ten remaining retrievals serve exactly ten of two hundred parallel searches', async () => {
    write(folder, { 'cuotas.txt': 'La cuota anual de riego se paga antes del treinta de junio.' });
    const second = await started();
    const { key } = second;
    const usage = async (): Promise<Answer['body']> => (await second.ask('GET', '/v1/usage')).body;
    expect(await usage()).toMatchObject({
      plan_code: 'FREE-LOCAL',
      quotas: [
        { feature: 'ACTIVE_CORPUS', included: null, used: 1, by_entity: [{ entity_code: 'E1', used: 1 }] },
        { feature: 'RETRIEVALS', included: null, used: 0 },
      ],
    });
    await assignPlan({ code: 'TEN', included: { RETRIEVALS: 10 }, run: commandsOn(data) });
    await until('the plan has arrived', async () => JSON.stringify(await usage()).includes('"included":10'));

    const answers = await Promise.all(Array.from({ length: 200 }, () => answeredSearch(second)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(190);
    for (const { body, headers } of refused) {
      expect(headers.get('content-type')).toContain('application/json');
      expect(body).toEqual({
        ...{ code: 'QUOTA_EXCEEDED', message: 'The plan quota for this operation is used up.', details: {} },
        request_id: expect.any(String) as string,
      });
    }
    expect(await usage()).toMatchObject({
      plan_code: 'TEN',
      quotas: [
        {},
        {
          ...{ feature: 'RETRIEVALS', unit: 'calls', included: 10, used: 10, on_limit: 'BLOCK' },
          by_entity: [
            { entity_code: 'E1', used: 10 },
            { entity_code: null, used: 0 },
          ],
        },
      ],
    });
    // Other routes still answer.
    expect((await second.ask('GET', '/v1/documents')).status).toBe(200);
    expect(await second.stop()).toBe(0);
    expect(await inTables(data, counted, include(2))).toEqual({ included: 10, used: 10, held: 0 });

    const killed = await started({ environment: { ACERVO_FAILPOINT: 'search.counted:2' } }, key);
    expect((await search(killed)).status).toBe(200);
    await expect(search(killed)).rejects.toThrow();
    expect(await killed.ended).toBe('SIGKILL');
    expect(await inTables(data, counted, age)).toEqual({ included: 2, used: 2, held: 1 });

    const last = await started({}, key);
    expect([(await search(last)).status, (await search(last)).status]).toEqual([200, 402]);
    await last.stop();
    expect(await inTables(data, counted)).toEqual({ included: 2, used: 2, held: 0 });
  });
});
