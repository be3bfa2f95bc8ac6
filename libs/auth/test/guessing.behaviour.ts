import { Totp } from '../src/factors/totp';
import { PasswordHasher } from '../src/accounts/password-hasher';
import { ADMIN, type Answer, RunningAuth } from './support/auth';
import { AuthenticatorApp } from './support/authenticator-app';

const HOUR_S = 3_600;
const CODES = { addresses: 50, atOnce: 20, most: 10 } as const;
const PASSWORDS = { addresses: 100, atOnce: 20, most: 5, seconds: 900 } as const;

interface Attack {
  readonly codes: number;
  readonly sessions: number;
  readonly passwords: number;
}

const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
/** The same address, spelled as people may. */
const spelled = (email: string, index: number): string => (index % 3 === 0 ? email.toUpperCase() : email);

/** Sends guesses, some at a time. */
const inBursts = async (
  { guesses, atOnce }: { readonly guesses: number; readonly atOnce: number },
  guess: (index: number) => Promise<Answer>,
): Promise<Answer[]> => {
  const answers: Answer[] = [];
  while (answers.length < guesses)
    answers.push(...(await Promise.all(Array.from({ length: atOnce }, (_, index) => guess(answers.length + index)))));
  return answers;
};

/** However many guesses come from many addresses, few of them are compared. */
export const attemptsAreLimited = ({ codes, sessions, passwords }: Attack): void => {
  describe('guesses from many addresses', () => {
    const app = new AuthenticatorApp();
    let auth: RunningAuth;
    beforeAll(async () => {
      auth = await RunningAuth.start({ ACERVO_TRUSTED_PROXIES: '1' });
    });
    beforeEach(() => app.stopClock());
    afterAll(() => auth.close());
    afterEach(async () => {
      jest.restoreAllMocks();
      await auth.change('delete from auth.factor');
      await auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count'));
    });

    const from = (index: number, addresses: number, headers: Readonly<Record<string, string>> = {}) => ({
      headers: { 'x-forwarded-for': `198.51.100.${1 + (index % addresses)}`, ...headers },
    });
    const logIn = (password: string, options: { headers: Readonly<Record<string, string>> }, index = 1) =>
      auth.ask('POST', '/auth/login', { email: spelled(ADMIN.email, index), password }, options);
    /** Lets time pass for all counters. */
    const pass = (seconds: number) =>
      auth.database.ungrouped((tx) =>
        tx.query(
          'update auth.rate_count set hits = array(select hit - make_interval(secs => $1) from unnest(hits) hit)',
          [seconds],
        ),
      );

    it('wrong codes in parallel bursts are compared at most ten times an hour', async () => {
      const { body: enrolled } = await auth.ask('POST', '/auth/mfa/enroll', {}, { token: await auth.logIn() });
      const factorId = enrolled['factor_id'];
      const { secret } = enrolled['totp'] as { readonly secret: string };
      const post = (token: string, path: string, body: object, index = 0) =>
        auth.ask('POST', `/auth/mfa/${path}`, body, { token, ...from(index, CODES.addresses) });
      const open = async (token: string): Promise<{ token: string; challenge_id: unknown }> => {
        const { body } = await post(token, 'challenge', { factor_id: factorId });
        return { token, challenge_id: body['challenge_id'] };
      };
      const prove = async (steps = 0): Promise<Answer> => {
        const { token, challenge_id } = await open(await auth.logIn());
        return post(token, 'verify', { factor_id: factorId, challenge_id, code: app.codeOf(secret, steps) });
      };
      expect((await prove(-1)).status).toBe(200);
      const opened: { readonly token: string; readonly challenge_id: unknown }[] = [];
      for (let session = 0; session < sessions; session += 1) {
        const token = await auth.logIn();
        opened.push(await open(token), await open(token));
      }
      const compared = jest.spyOn(Totp.prototype, 'prove');
      const guess = (index: number): Promise<Answer> => {
        const { token, challenge_id } = opened[index % opened.length] ?? { token: '', challenge_id: '' };
        const code = String(index).padStart(6, '0');
        return post(token, 'verify', { factor_id: factorId, challenge_id, code }, index);
      };
      const answers = await inBursts({ guesses: codes, ...CODES }, guess);
      expect(answers).toHaveLength(codes);
      expect(compared.mock.calls.length).toBeGreaterThan(0);
      expect(compared.mock.calls.length).toBeLessThanOrEqual(CODES.most);
      expect(countOf(answers, 422)).toBeLessThanOrEqual(CODES.most);
      expect(countOf(answers, 422) + countOf(answers, 429)).toBe(codes);
      await pass(HOUR_S - 60);
      expect((await prove()).status).toBe(429);
      await pass(60);
      expect((await prove()).status).toBe(200);
    });

    it('wrong passwords are hashed at most five times in 15 minutes', async () => {
      const fromDevice = await logIn(ADMIN.password, from(0, 1));
      const device = { 'x-device-token': fromDevice.headers.get('x-device-token') ?? '' };
      const hashed = jest.spyOn(PasswordHasher.prototype, 'matches');
      const answers = await inBursts({ guesses: passwords, ...PASSWORDS }, (index) =>
        logIn(`no es esta ${index}`, from(index, PASSWORDS.addresses), index),
      );
      expect(hashed.mock.calls.length).toBeGreaterThan(0);
      expect(hashed.mock.calls.length).toBeLessThanOrEqual(PASSWORDS.most);
      expect(countOf(answers, 401)).toBe(hashed.mock.calls.length);
      expect(countOf(answers, 401) + countOf(answers, 429)).toBe(passwords);
      expect((await logIn(ADMIN.password, from(0, 1, device))).status).toBe(200);
      expect((await logIn(ADMIN.password, from(200, 250))).status).toBe(429);
      await pass(PASSWORDS.seconds);
      expect((await logIn(ADMIN.password, from(200, 250))).status).toBe(200);
    });
  });
};
