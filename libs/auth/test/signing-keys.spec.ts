import passport from 'passport';
import { Unauthorized } from '@acervo/contracts';
import { readConfig } from '@acervo/platform-config';
import { Database, DIRECTORY_ROLE } from '@acervo/platform-database';
import { MemoryRates, PostgresCounters } from '@acervo/platform-counters';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import { AuthConfig, authMigrations, Peppers, Seal, SigningKeys } from '../src';
import { ACCESS_TOKEN, AccessTokenStrategy } from '../src/tokens/access-token.strategy';
import { AccessTokens } from '../src/tokens/access-tokens';
import { ApplicationPassport } from '../src/tokens/application-passport';
import { DirectoryDatabase } from '../src/databases/databases';
import { ExpiredRows } from '../src/upkeep/expired-rows.store';
import { Upkeep } from '../src/upkeep/upkeep';

const claims = {
  userId: '00000000-0000-4000-8000-000000000001',
  groupId: '00000000-0000-4000-8000-000000000002',
  sessionId: '00000000-0000-4000-8000-000000000003',
  assurance: 1,
};

describe('signing keys', () => {
  let server: TestDatabase;
  const peppers = new Peppers('a pepper of the test');
  const replica = (
    database = server.database('auth'),
    config = readConfig(AuthConfig, {}),
  ): { keys: SigningKeys; tokens: AccessTokens } => {
    const keys = new SigningKeys(database, new Seal(peppers, 'signing-key'));
    const ownPassport = new ApplicationPassport();
    new AccessTokenStrategy(ownPassport, keys, config);
    return { keys, tokens: new AccessTokens(keys, config, ownPassport) };
  };
  const kids = async ({ keys }: { keys: SigningKeys }) => (await keys.published()).map(({ kid }) => kid);

  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  });
  afterAll(() => server.close());

  it('replicas that start together sign with one key, which each of them knows at once', async () => {
    const replicas = Array.from({ length: 4 }, () => replica());
    const strangers = replicas.map(({ keys }) => keys.find('an unknown key'));
    const tokens = await Promise.all(replicas.map(({ tokens: ofReplica }) => ofReplica.issue(claims)));
    expect(await Promise.all(strangers)).toEqual(strangers.map(() => undefined));
    const answers = replicas.flatMap(({ tokens: ofReplica }) => tokens.map((token) => ofReplica.verify(token)));
    expect(await Promise.all(answers)).toEqual(answers.map(() => claims));
    expect(await server.asOwner('auth', `select kid from auth.signing_key`)).toHaveLength(1);
  });

  it('a replica that found no key knows the first one of another replica at once', async () => {
    await server.asOwner('auth', 'delete from auth.signing_key');
    const [one, other] = [replica(), replica()];
    expect(await other.keys.find('an unknown key')).toBeUndefined();
    expect(await other.tokens.verify(await one.tokens.issue(claims))).toEqual(claims);
  });

  it('a replica accepts tokens of every other replica', async () => {
    const [one, other] = [replica(), replica()];
    const token = await one.tokens.issue(claims);
    expect(await other.tokens.verify(token)).toEqual(claims);
    expect(await kids(other)).toEqual(await kids(one));
  });

  it('a key is published before it signs; rotation rejects no token', async () => {
    const [one, other] = [replica(), replica()];
    const before = await one.tokens.issue(claims);
    const signing = (await one.keys.current()).kid;
    await one.keys.rotate();
    expect(await kids(one)).toHaveLength(2);
    expect((await one.keys.current()).kid).toBe(signing);
    await one.keys.rotate(0);
    const after = await one.tokens.issue(claims);
    expect((await one.keys.current()).kid).not.toBe(signing);
    for (const token of [before, after]) expect(await other.tokens.verify(token)).toEqual(claims);
  });

  it('a key is deleted two token lifetimes after its successor took over', async () => {
    const one = replica();
    await one.keys.rotate(-7_300);
    await one.keys.rotate(0);
    const all = await kids(one);
    const rows = await server.asOwner('auth', `select kid from auth.signing_key`);
    expect(rows).toHaveLength(all.length);
    await server.asOwner('auth', `update auth.signing_key set signs_from = now() - interval '3 hours'`);
    await one.keys.rotate(-7_300);
    await one.keys.rotate(0);
    expect((await kids(one)).length).toBeLessThan(all.length + 2);
  });

  it('upkeep replaces a key that served its days and deletes expired rows', async () => {
    const one = replica();
    const database = server.database('auth');
    const directory = new DirectoryDatabase(server.connection(DIRECTORY_ROLE));
    const upkeep = new Upkeep(
      one.keys,
      new PostgresCounters(database, 'auth'),
      new MemoryRates(),
      new ExpiredRows(database, directory),
      readConfig(AuthConfig, {}),
      silent,
    );
    const before = await kids(one);
    await database.ungrouped((tx) =>
      tx.query(
        `insert into auth.pending_registration (email, name, group_name, created_at) values ('a@b', 'A', 'B', '2026-01-01')`,
      ),
    );
    await upkeep.round();
    expect(await database.ungrouped((tx) => tx.query('select from auth.pending_registration'))).toEqual([]);
    expect(await kids(one)).toEqual(before);
    await upkeep.round(Date.now() + 31 * 86_400_000);
    expect(await kids(one)).toHaveLength(before.length + 1);
    await directory.close();
  });

  it('a failed read of the keys refuses no token', async () => {
    const token = await replica().tokens.issue(claims);
    const database = new Database(server.connection(DIRECTORY_ROLE));
    await database.close();
    const failing = replica(database);
    const answer = await failing.tokens.verify(token).catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(Error);
    expect(answer).not.toBeInstanceOf(Unauthorized);
  });

  it('signing keys are stored sealed', async () => {
    const rows = await server.asOwner(
      'auth',
      `select public_jwk::text as jwk, encode(private_sealed, 'escape') as sealed from auth.signing_key`,
    );
    expect(JSON.stringify(rows)).toContain('P-256');
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY|"d"/);
  });

  it("applications with different issuers in one process refuse each other's tokens", async () => {
    const [ours, theirs] = [replica(), replica(undefined, readConfig(AuthConfig, { ACERVO_TOKEN_ISSUER: 'another' }))];
    const token = await ours.tokens.issue(claims);
    await expect(theirs.tokens.verify(token)).rejects.toThrow(Unauthorized);
    expect(await ours.tokens.verify(token)).toEqual(claims);
    expect(Reflect.get(passport, '_strategies')).not.toHaveProperty(ACCESS_TOKEN);
  });

  it('tokens verified at the same time each get their own answer', async () => {
    const { tokens } = replica();
    const userIds = ['1', '2', '3'].map((last) => `${claims.userId.slice(0, -1)}${last}`);
    const issued = await Promise.all(userIds.map((userId) => tokens.issue({ ...claims, userId })));
    const answers = await Promise.allSettled([...issued, 'no token'].map((token) => tokens.verify(token)));
    expect(answers).toEqual([
      ...userIds.map((userId) => ({ status: 'fulfilled', value: { ...claims, userId } })),
      { status: 'rejected', reason: expect.any(Unauthorized) as unknown },
    ]);
  });
});
