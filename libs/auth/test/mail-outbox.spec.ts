import { bootService, type RunningService } from '@acervo/platform-service';
import { eventually } from '@acervo/platform-testing';
import { ADMIN, environmentOf, RunningAuth } from './support/auth';
import { MailServer } from './support/mail-server';
import { authProgram } from './support/program';

interface Row {
  readonly kind: string;
  readonly attempts: number;
  readonly text: string;
}

/** The address of a server that is away. */
const addressOfNobody = async (): Promise<string> => {
  const gone = new MailServer();
  const url = await gone.start();
  await gone.stop();
  return url;
};

describe('mail while the mail server is away', () => {
  const mail = new MailServer();
  let auth: RunningAuth;
  let second: RunningService | undefined;
  const settings = { ACERVO_PUBLIC_URL: 'http://acervo.example.test', ACERVO_TRUSTED_PROXIES: '1' };
  beforeAll(async () => {
    auth = await RunningAuth.start({ ...settings, ACERVO_SMTP_URL: await addressOfNobody() });
  });
  afterAll(async () => {
    await second?.close();
    await auth.close();
    await mail.stop();
  });

  const rows = (): Promise<Row[]> =>
    auth.database.ungrouped((tx) =>
      tx.query<Row>('select m.kind, m.attempts, m::text as text from auth.mail_outbox m order by m.mail_id'),
    );
  const settled = (done: (found: readonly Row[]) => boolean): Promise<readonly Row[]> =>
    eventually('the mail outbox is settled', async () => {
      const found = await rows();
      return done(found) ? found : undefined;
    });
  const requestRecovery = () => auth.ask('POST', '/auth/recuperar-clave', { email: ADMIN.email });

  it('mail is given up after 24 hours', async () => {
    await requestRecovery();
    await settled(([found]) => (found?.attempts ?? 0) > 0);
    await auth.database.ungrouped((tx) =>
      tx.query(`update auth.mail_outbox set created_at = now() - interval '23 hours', not_before = now()`),
    );
    expect(await settled(([found]) => (found?.attempts ?? 0) > 1)).toHaveLength(1);
    await auth.database.ungrouped((tx) =>
      tx.query(`update auth.mail_outbox set created_at = now() - interval '25 hours', not_before = now()`),
    );
    expect(await settled((found) => found.length === 0)).toEqual([]);
  });

  it('mail survives its process and arrives with a link that works', async () => {
    await requestRecovery();
    const [failed] = await settled(([found]) => (found?.attempts ?? 0) > 0);
    expect(failed?.kind).toBe('RECUPERACION');
    expect(failed?.text).not.toMatch(/acp_|#/);
    await auth.change(`update auth.action_token set expires_at = now()`);
    await auth.end();
    const environment = environmentOf(auth.server, auth.mailDirectory, {
      ...settings,
      ACERVO_SMTP_URL: await mail.start(),
    });
    await auth.database.ungrouped((tx) => tx.query('update auth.mail_outbox set not_before = now()'));
    second = await bootService(authProgram, { environment });
    const { token } = await mail.link(ADMIN.email);
    const [{ open } = {}] = await auth.change(`select count(*)::int as open from auth.action_token
      where used_at is null and expires_at > now() and purpose = 'RECUPERACION'`);
    expect([token.slice(0, 3), open]).toEqual(['acp', 1]);
    expect(await settled((found) => found.length === 0)).toEqual([]);
  });
});
