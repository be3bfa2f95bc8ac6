import { ADMIN, RunningAuth } from './support/auth';
import { AuthReplica } from './support/auth-replica';
import { AuthenticatorApp } from './support/authenticator-app';

const ROUNDS = 3;
const [FIRST, SECOND] = ['a pepper of the test', 'another pepper of the test'];

/** The settings of a replica at each step of the procedure in docs/operations.md. */
const STEPS = {
  before: { ACERVO_KEY_PEPPER: FIRST },
  added: { ACERVO_KEY_PEPPER: `1:${FIRST},2:${SECOND}`, ACERVO_KEY_PEPPER_CURRENT: '1' },
  promoted: { ACERVO_KEY_PEPPER: `1:${FIRST},2:${SECOND}`, ACERVO_KEY_PEPPER_CURRENT: '2' },
  after: { ACERVO_KEY_PEPPER: `1:${FIRST},2:${SECOND}` },
} as const;

/** What is asked of two replicas while the settings of one are a step further. */
class RollingReplicas {
  readonly failures: string[] = [];

  constructor(private readonly replicas: readonly [AuthReplica, AuthReplica]) {}

  /** Sessions and keys that each replica makes, used at the other one. More logins at once would be limited. */
  async run(): Promise<void> {
    const [one, other] = this.replicas;
    for (let round = 0; round < ROUNDS; round += 1) await Promise.all([this.round(one, other), this.round(other, one)]);
  }

  private async round(maker: AuthReplica, user: AuthReplica): Promise<void> {
    const session = await this.expect('login', maker.ask('POST', '/auth/login', ADMIN));
    await this.expect('session', user.ask('GET', '/auth/me', undefined, String(session['access_token'])));
    const body = { refresh_token: session['refresh_token'] };
    const renewed = await this.expect('refresh', user.ask('POST', '/auth/refrescar', body));
    const token = String(renewed['access_token']);
    await this.expect('renewed session', maker.ask('GET', '/auth/me', undefined, token));
    const key = await this.expect('key', maker.ask('POST', '/auth/api-key', { nombre: 'clave' }, token));
    await user.verify(String(key['api_key'])).catch((error: Error) => this.failures.push(`verify: ${error.message}`));
  }

  private async expect(what: string, asked: Promise<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const answer = await asked;
    if (![200, 201].includes(Number(answer['httpStatus']))) this.failures.push(`${what}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

describe('a pepper that is replaced while replicas answer', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await RunningAuth.start(STEPS.before);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => auth.close());

  const withBoth = async (
    settings: readonly [Record<string, string>, Record<string, string>],
    work: (one: AuthReplica, other: AuthReplica) => Promise<void>,
  ): Promise<void> => {
    const [one, other] = [await AuthReplica.start(auth, settings[0]), await AuthReplica.start(auth, settings[1])];
    try {
      await work(one, other);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  };

  it.each([
    ['before', 'added'],
    ['added', 'promoted'],
    ['promoted', 'after'],
  ] as const)('logins, sessions and keys of replicas %s and %s work at both', async (earlier, later) => {
    await withBoth([STEPS[earlier], STEPS[later]], async (one, other) => {
      const rolling = new RollingReplicas([one, other]);
      await rolling.run();
      expect(rolling.failures).toEqual([]);
    });
  });

  it('a replica without the new pepper refuses what a promoted one made', async () => {
    await withBoth([STEPS.before, STEPS.promoted], async (one, other) => {
      const rolling = new RollingReplicas([one, other]);
      await rolling.run();
      expect(rolling.failures).toContainEqual(expect.stringMatching(/^refresh: .*UNAUTHORIZED/));
      expect(rolling.failures).toContainEqual(expect.stringMatching(/^verify: /));
    });
  });

  it('a second factor sealed by a promoted replica is checked by an earlier one', async () => {
    const app = new AuthenticatorApp();
    app.stopClock();
    await withBoth([STEPS.added, STEPS.promoted], async (added, promoted) => {
      const token = String((await promoted.ask('POST', '/auth/login', ADMIN))['access_token']);
      const enrolled = await promoted.ask('POST', '/auth/mfa/enroll', {}, token);
      const factor = { factor_id: enrolled['factor_id'] };
      const { challenge_id: challengeId } = await added.ask('POST', '/auth/mfa/challenge', factor, token);
      const { secret } = enrolled['totp'] as { secret: string };
      const code = app.codeOf(secret);
      const proof = { ...factor, challenge_id: challengeId, code };
      expect(await added.ask('POST', '/auth/mfa/verify', proof, token)).toMatchObject({ httpStatus: 200 });
    });
  });
});
