import { join } from 'node:path';
import { Secret as FactorSecret, TOTP } from 'otpauth';
import { programs } from '@acervo/contracts';
import { type Content, contentsOf, filesOf } from '../harness/dump';
import { Installation } from '../harness/installation';
import { logWatch } from '../harness/log-scan';
import { OtlpReceiver } from '../harness/otlp-receiver';
import { PASSWORD, People, registered } from '../harness/people';
import { temporary, write } from '../harness/program';
import { documentedMetrics, publishedMetrics } from '../harness/published-metrics';
import { type Secret, SecretFinder } from '../harness/secrets';
import { until } from '../harness/waiting';

const ADMINISTRATOR = 'admin@acervo.local';
const MEMBER = 'socia@example.test';
const KEYS = 100;
/** Keys that are created at a time. */
const AT_ONCE = 10;
/** Where secrets stand by design: those that a start generates, and mails of a machine without a mail server. */
const BY_DESIGN = / in file (?:secrets\.json$|mail\/)/;

/** A secret that two tables of auth contain in hexadecimal: a search that finds no other finds it. */
const PLANTED = 'un-secreto-plantado-para-esto';

/** Kinds of secrets that people and programs hold; the password is that of the first start and of all people. */
const KINDS = new Set([
  'api_key',
  'access_token',
  'refresh_token',
  'device token',
  'secret',
  'token',
  'mail link',
  'ACERVO_ADMIN_PASSWORD',
]);

describe('secrets after a hundred keys', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let receiver: OtlpReceiver;
  let installation: Installation;
  let people: People;
  let secrets: readonly Secret[];

  /** The places with a secret in them, each with the kinds that it contains. */
  const found = async (contents: AsyncIterable<Content>, finder: SecretFinder) => {
    const hits: string[] = [];
    const seen = { places: 0, bytes: 0 };
    for await (const { place: name, bytes } of contents) {
      seen.places += 1;
      seen.bytes += bytes.length;
      for (const kind of finder.kindsIn(bytes)) hits.push(`${kind} in ${name}`);
    }
    return { hits, seen };
  };

  const createKeys = async (token: string): Promise<void> => {
    for (let created = 0; created < KEYS; created += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          people.ask('POST', '/auth/api-key', { nombre: `clave ${created + index}` }, token),
        ),
      );
  };

  /** A member with a second factor, renewed tokens, and a link that is not used yet. */
  const enrolMember = async (): Promise<void> => {
    await registered(installation, data, MEMBER);
    const token = await people.tokenOf(MEMBER);
    const { factor_id, totp } = await people.ask('POST', '/auth/mfa/enroll', {}, token);
    const { challenge_id } = await people.ask('POST', '/auth/mfa/challenge', {}, token);
    const { secret } = totp as { readonly secret: string };
    const code = new TOTP({ secret: FactorSecret.fromBase32(secret) }).generate();
    const proved = await people.ask('POST', '/auth/mfa/verify', { factor_id, challenge_id, code }, token);
    await people.ask('POST', '/auth/refrescar', { refresh_token: proved['refresh_token'] });
    await people.ask('POST', '/auth/recuperar-clave', { email: MEMBER });
    const links = (): number => {
      logWatch.secrets.addMails(data);
      return logWatch.secrets.all.filter(({ kind }) => kind === 'mail link').length;
    };
    await until('the mail with the second link', () => links() >= 1);
  };

  beforeAll(async () => {
    receiver = await OtlpReceiver.open();
    write(folder, { 'acta.txt': 'El consejo aprueba la cuota de riego de este año.' });
    installation = await Installation.start({
      ...{ folder, data, processes: false },
      environment: { ACERVO_ADMIN_EMAIL: ADMINISTRATOR, ACERVO_ADMIN_PASSWORD: PASSWORD, ACERVO_LOG_LEVEL: 'info' },
      settings: { ACERVO_OTLP_URL: receiver.url },
    });
    await installation.running.ingested;
    people = new People(installation);
    await createKeys(await people.tokenOf(ADMINISTRATOR));
    for (const { kind, value } of logWatch.secrets.all.filter((each) => each.kind === 'api_key').slice(0, 3)) {
      const { status } = await installation.ask('GET', '/v1/session', undefined, { authorization: `Bearer ${value}` });
      if (status !== 200) throw new Error(`A key (${kind}) answered ${status}.`);
    }
    await installation.search('cuota de riego');
    await enrolMember();
    secrets = logWatch.secrets.all.filter(({ kind }) => KINDS.has(kind));
    const hex = Buffer.from(PLANTED).toString('hex');
    await installation.change('auth', `update auth.app_user set name = $2 where group_id = $1`, [hex]);
  }, 300_000);
  afterAll(async () => {
    await receiver.close();
    place.remove();
  });

  it('the suite holds a hundred keys and every other kind of secret', () => {
    const count = (kind: string): number => secrets.filter((each) => each.kind === kind).length;
    expect(count('api_key')).toBeGreaterThanOrEqual(KEYS);
    for (const kind of KINDS) expect([kind, count(kind)]).not.toEqual([kind, 0]);
  });

  it('no engine, metric or trace contains any of them, but the planted one', async () => {
    const planted = { kind: 'planted', value: PLANTED };
    const { hits, seen } = await found(contentsOf(installation), new SecretFinder([...secrets, planted]));
    process.stdout.write(`  ${secrets.length} secrets, ${seen.places} places, ${seen.bytes} characters\n`);
    expect(new Set(hits)).toEqual(
      new Set(['app_user', 'login_directory'].map((table) => `planted in table auth.${table}`)),
    );
    expect(seen.places).toBeGreaterThan(30);
    const finder = new SecretFinder(secrets);
    expect(receiver.spans.length).toBeGreaterThan(0);
    expect(finder.kindsIn(receiver.raw)).toEqual([]);
    expect(finder.kindsIn(installation.log)).toEqual([]);
  }, 240_000);

  it.each(programs.map(({ name }) => name))(
    'the metrics of %s are those of docs/metrics.md, and name no group, user or document',
    async (service) => {
      const { always, sometimes } = documentedMetrics(service);
      const { names, labels, series, text } = await publishedMetrics(installation, service);
      expect([...always].filter((name) => !names.has(name))).toEqual([]);
      expect([...names].filter((name) => !always.has(name) && !sometimes.has(name))).toEqual([]);
      expect([...labels].filter((label) => /group|user|document|mail|address|path/.test(label))).toEqual([]);
      expect(text).not.toContain(installation.scope.groupId);
      expect(text).not.toContain(MEMBER);
      process.stdout.write(`  ${service}: ${names.size} metrics, ${series} series\n`);
      expect(series).toBeLessThan(3_000);
    },
  );

  it('no file of the data directory contains any of them', async () => {
    await installation.stop();
    const { hits, seen } = await found(filesOf(data), new SecretFinder(secrets));
    process.stdout.write(`  ${seen.places} files, ${(seen.bytes / 1e6).toFixed(0)} MB\n`);
    expect(hits.filter((hit) => !BY_DESIGN.test(hit))).toEqual([]);
    expect(hits).toEqual(expect.arrayContaining([expect.stringMatching(/^mail link in file mail\//) as string]));
  }, 240_000);
});
