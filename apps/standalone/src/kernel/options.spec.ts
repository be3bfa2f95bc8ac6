import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentFor, isExternal, startEnvironment, type StartOptions } from './options';

/** Every setting of every service. */
const documented = (): string[] => {
  const page = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'configuration.md'), 'utf8');
  return [...new Set([...page.matchAll(/^\| `(ACERVO_\w+)`/gm)].map(([, name]) => name ?? ''))];
};

/**
 * Settings that the program sets for its services, or leaves at their defaults; its own environment never overrides
 * them.
 */
const DECIDED = [
  'ACERVO_AUDIT_KEY',
  'ACERVO_AUDIT_KEY_CURRENT',
  'ACERVO_BUILT_AT',
  'ACERVO_COMMIT',
  'ACERVO_CURSOR_KEY',
  'ACERVO_CURSOR_KEY_CURRENT',
  'ACERVO_DRAIN_SECONDS',
  'ACERVO_EVENT_KEY',
  'ACERVO_EVENT_KEYS',
  'ACERVO_HOST',
  'ACERVO_INTERNAL_CA',
  'ACERVO_INTERNAL_HOST',
  'ACERVO_INTERNAL_PORT',
  'ACERVO_INTERNAL_TLS_CERTIFICATE',
  'ACERVO_INTERNAL_TLS_KEY',
  'ACERVO_INTERNAL_URL',
  'ACERVO_KEPT_DIRECTORY',
  'ACERVO_KEY_PEPPER',
  'ACERVO_KEY_PEPPER_CURRENT',
  'ACERVO_MAIL_DIRECTORY',
  'ACERVO_OBJECTS_DIRECTORY',
  'ACERVO_PORT',
  'ACERVO_PUBLIC_URL',
  'ACERVO_SIGNING_KEY_DAYS',
  'ACERVO_TOKEN_ISSUER',
  'ACERVO_VERSION',
  'ACERVO_WORK',
];

describe('the environment of a start', () => {
  it('every documented setting reaches the services, except those that the program sets', () => {
    const variables = Object.fromEntries(documented().map((name) => [name, `value of ${name}`]));
    const { mail, releases, reading, engines, server, embedder, chat, logLevel, failpoint } =
      startEnvironment(variables);
    const named = { ACERVO_LOG_LEVEL: logLevel, ACERVO_FAILPOINT: failpoint };
    const passedOn = { ...mail, ...releases, ...reading, ...engines, ...server, ...embedder, ...chat, ...named };
    const decided = documented().filter((name) => !(name in passedOn));
    expect(decided.toSorted()).toEqual(DECIDED);
    expect({ ...variables, ...passedOn }).toEqual(variables);
  });
  it('an environment without engines keeps the embedded ones', () => {
    const environment = startEnvironment({ PATH: '/bin', ACERVO_LOG_LEVEL: 'warn' });
    expect([environment.engines, environment.server, environment.replicas]).toEqual([{}, {}, 1]);
    expect(isExternal(environment)).toBe(false);
  });
  it('chosen engines and their addresses reach the services', () => {
    const chosen = {
      ACERVO_QUEUE: 'redis',
      ACERVO_COUNTERS: 'redis',
      ACERVO_REDIS_URL: 'redis://localhost',
      ACERVO_EVENTS: 'kafka',
      ACERVO_KAFKA_BROKERS: 'localhost:9092',
    };
    expect(startEnvironment({ ...chosen, ACERVO_OTHER: 'x' }).engines).toEqual(chosen);
  });
  it('settings of scans, extraction and concurrency reach the services', () => {
    const chosen = {
      ...{ ACERVO_LARGEST_FILE_MB: '900', ACERVO_EXTRACTION_FILE_MB: '900', ACERVO_RESCAN_SECONDS: '60' },
      ...{ ACERVO_CPU_THREADS: '2', ACERVO_STAGE_CONCURRENCY: '4', ACERVO_DATABASE_POOL: '12' },
      ...{ ACERVO_RECONCILE_SECONDS: '60', ACERVO_RECONCILE_SETTLE_SECONDS: '5', ACERVO_OBJECT_GRACE_HOURS: '48' },
      ...{ ACERVO_WEB_REFRESH_SECONDS: '60', ACERVO_EGRESS_LOOPBACK: 'true', NODE_ENV: 'test' },
    };
    expect(startEnvironment({ ...chosen, ACERVO_OTHER: 'x' }).reading).toEqual(chosen);
  });
  it.each([
    [{}, '60'],
    [{ scanOnly: true }, '0'],
    [{ commands: [{ name: 'retry-failed' }] }, '60'],
    [{ commands: [{ name: 'status' }] }, '0'],
    [{ commands: [{ name: 'export', value: 'a.json' }] }, '0'],
  ])('with %j, folders and web pages are read again every %s seconds', (asked, seconds) => {
    const options = { scanOnly: false, ...asked } as StartOptions;
    const intervals = { ACERVO_RESCAN_SECONDS: '60', ACERVO_WEB_REFRESH_SECONDS: '60' };
    const environment = startEnvironment({ ...intervals, ACERVO_OCR: 'false' });
    expect(environmentFor(options, environment).reading).toEqual({
      ACERVO_OCR: 'false',
      ACERVO_RESCAN_SECONDS: seconds,
      ACERVO_WEB_REFRESH_SECONDS: seconds,
    });
  });
  it('a PostgreSQL server with an administrator replaces the embedded database', () => {
    expect(isExternal(startEnvironment({ ACERVO_DATABASE_HOST: 'db' }))).toBe(false);
    expect(isExternal(startEnvironment({ ACERVO_DATABASE_ADMIN_USER: 'postgres' }))).toBe(true);
  });
  it.each([
    ['2', 2],
    ['0', 1],
    ['many', 1],
  ])('ACERVO_REPLICAS=%s gives each service %d processes', (text, count) => {
    expect(startEnvironment({ ACERVO_REPLICAS: text }).replicas).toBe(count);
  });
});
