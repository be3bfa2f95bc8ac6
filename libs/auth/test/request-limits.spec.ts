import { verifyCredential } from '@acervo/contracts';
import { type LocalCalls, RoutedCalls, type Transport } from '@acervo/platform-calls';
import { Metrics } from '@acervo/platform-observability';
import { bootService, type RunningService } from '@acervo/platform-service';
import { anonymous } from '@acervo/rbac';
import { ADMIN, environmentOf, RunningAuth } from './support/auth';
import { authProgram } from './support/program';

const nowhere: Transport = { send: () => Promise.reject(new Error('There is no network in this test.')) };

const BURST = 12;
const USER_BURST = 2 * BURST;
/** The slowest rates: a key gets a request back after a minute, a user after half a minute. */
const SETTINGS = {
  ACERVO_KEY_RATE: '1',
  ACERVO_USER_RATE: '2',
  ACERVO_RATE_BURST_SECONDS: String(60 * BURST),
};
/** A verification that its caller gives up may still be counted: none is given up, and none outlasts the burst. */
const PATIENT = { deadlineMs: 50_000 };

describe('the limits of requests by key and user', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await RunningAuth.start(SETTINGS);
  });
  beforeEach(() => auth.database.ungrouped((tx) => tx.query('delete from auth.request_rate')));
  afterAll(() => auth.close());

  /** How many of these concurrent verifications failed, by the code of the error. */
  const verified = async (bearer: string, times: number, servesApiKeys = true): Promise<Record<string, number>> => {
    const counts: Record<string, number> = { admitted: 0 };
    const verify = async (): Promise<void> => {
      const outcome = await auth
        .callsOf('gateway')
        .send(verifyCredential, anonymous, { bearer, servesApiKeys }, PATIENT)
        .then(() => 'admitted')
        .catch((error: { code: string }) => error.code);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    };
    await Promise.all(Array.from({ length: times }, verify));
    return counts;
  };
  const key = (): string => auth.group.apiKey ?? '';

  it('a key gets exactly its burst of concurrent requests', async () => {
    expect(await verified(key(), 50)).toEqual({ admitted: BURST, RATE_LIMITED: 50 - BURST });
  });
  it('three replicas admit the burst of a key together', async () => {
    const more: RunningService[] = [];
    try {
      const sends = [auth.callsOf('gateway')];
      for (let replica = 0; replica < 2; replica += 1) {
        const local: LocalCalls = new Map();
        const environment = environmentOf(auth.server, auth.mailDirectory, SETTINGS);
        more.push(await bootService(authProgram, { environment, local }));
        sends.push(new RoutedCalls('gateway', local, nowhere, new Metrics('test')));
      }
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          sends[index % 3]?.send(verifyCredential, anonymous, { bearer: key() }, PATIENT),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(BURST);
    } finally {
      for (const service of more) await service.close();
    }
  });
  it('sessions and keys of a user share its limit', async () => {
    const session = await auth.logIn();
    expect(await verified(key(), BURST)).toEqual({ admitted: BURST });
    const left = USER_BURST - BURST;
    expect(await verified(session, left + 6)).toEqual({ admitted: left, RATE_LIMITED: 6 });
  });
  it('an invalid credential is 401 and uses nothing of a limit', async () => {
    const wrong = `${key().slice(0, -4)}wxyz`;
    expect(await verified(wrong, 30)).toEqual({ admitted: 0, UNAUTHORIZED: 30 });
    expect(await verified(key(), BURST)).toEqual({ admitted: BURST });
  });
  it('a key on an internal route is 403, also beyond its limit', async () => {
    await verified(key(), 30);
    for (let index = 0; index < 3; index += 1)
      expect((await auth.ask('GET', '/usuarios', undefined, { token: key() })).status).toBe(403);
  });
  it('the limit of a user precedes the 403 of its role', async () => {
    const user = { email: 'sin@example.test', password: 'otra clave larga de prueba' };
    const draft = { codigo: user.email, nombre: 'Sin', password: user.password, id_rol: 3 };
    await auth.ask('POST', '/usuarios', draft, { token: await auth.logIn(ADMIN) });
    const token = await auth.logIn(user);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => auth.ask('GET', '/usuarios', undefined, { token })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(USER_BURST);
    const [limited] = answers.filter(({ status }) => status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited?.body).toMatchObject({ codigo: 'RATE_LIMITED' });
  });
  it('a request that cannot be counted is refused', async () => {
    await auth.server.asOwner('auth', 'alter table auth.request_rate rename to away');
    try {
      expect((await verified(key(), 1))['admitted']).toBe(0);
    } finally {
      await auth.server.asOwner('auth', 'alter table auth.away rename to request_rate');
    }
    expect(await verified(key(), 1)).toEqual({ admitted: 1 });
  });
});
