import { randomUUID } from 'node:crypto';
import { allCalls, DoneBefore } from '@acervo/contracts';
import { CallServer } from '@acervo/platform-calls';
import { peopleRoutes } from './routes';
import { People } from './support';

type Dispatch = CallServer['dispatch'];

const isWriteOfUsers = (code: string): boolean =>
  allCalls().some((call) => call.code === code && call.effect === 'write' && call.scope === 'user');

/** Writes on users, roles and functions, those on the catalogue of the product included. */
const writes = allCalls().filter(
  ({ owner, code }) => owner === 'auth' && /^(users|roles|functions)\./.test(code) && isWriteOfUsers(code),
);

describe('a write whose first answer is lost', () => {
  let people: People;
  /** What the repetition of each write gave, by the code of its call and the caller. */
  const repeated = new Map<string, { readonly again: unknown; readonly effects: number }>();

  /** Effects of a call, by its audit records. Links of invitations are recorded meanwhile, by a call of their own. */
  const effectsOf = async (code: string): Promise<number> => {
    const [row] = await people.auth.server.asOwner(
      'auth',
      `select count(*)::int as effects from auth.outbox
       where payload ->> 'outcome' = 'SUCCEEDED' and payload ->> 'call' = $1`,
      [code],
    );
    return Number(row?.['effects']);
  };

  /** Sends every write twice with one key, and passes on its first answer. */
  const sendTwice = (dispatch: Dispatch): Dispatch =>
    async function (this: CallServer, sent) {
      if (!isWriteOfUsers(sent.code) || sent.scope.kind !== 'user') return dispatch.call(this, sent);
      const keyed = { ...sent, idempotencyKey: randomUUID() };
      const before = await effectsOf(sent.code);
      const first = await dispatch.call(this, keyed);
      const again = await dispatch.call(this, keyed).catch((error: unknown) => error);
      repeated.set(`${sent.code} by ${sent.scope.profile}`, { again, effects: (await effectsOf(sent.code)) - before });
      return first;
    };

  beforeAll(async () => {
    people = await People.open();
    const server = people.auth.service.app.get(CallServer);
    jest.spyOn(server, 'dispatch').mockImplementation(sendTwice(CallServer.prototype.dispatch));
    for (const { by, method, at, body, status, path } of peopleRoutes) {
      const answer = await people.as(by, method, at, body);
      expect([method, path, answer.status]).toEqual([method, path, status]);
    }
    // A SYSTEM user changes roles of all groups by the login of the catalogue.
    for (const { method, at, body } of peopleRoutes) await people.as('system', method, at, body);
  });
  afterAll(() => people.close());

  it('every write on users, roles and functions is tried, on the catalogue too', () => {
    const codes = new Set([...repeated.keys()].map((name) => name.split(' ')[0]));
    expect(writes.map(({ code }) => code).filter((code) => !codes.has(code))).toEqual([]);
    expect([...repeated.keys()]).toContain('functions.create by SISTEMA');
  });
  it('a repetition with the same key has no second effect and says so', () => {
    const found = [...repeated].map(([name, { again, effects: count }]) => [name, again instanceof DoneBefore, count]);
    expect(found).toEqual([...repeated.keys()].map((name) => [name, true, 1]));
  });
  it('the same write with another key is another request', async () => {
    const draft = { codigo: 'OTRA', nombre: 'Otra' };
    expect((await people.as('system', 'POST', '/funciones', draft)).status).toBe(201);
    expect((await people.as('system', 'POST', '/funciones', draft)).status).toBe(409);
  });
});
