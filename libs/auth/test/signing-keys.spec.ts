import { PostgresCounters } from '@acervo/platform-counters';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import { authMigrations, Peppers, Seal, SigningKeys } from '../src';
import { AccessTokens } from '../src/tokens/access-tokens';
import { Upkeep } from '../src/tokens/upkeep';

const claims = {
  userId: '00000000-0000-4000-8000-000000000001',
  groupId: '00000000-0000-4000-8000-000000000002',
  sessionId: '00000000-0000-4000-8000-000000000003',
  assurance: 1,
};

describe('signing keys', () => {
  let server: TestDatabase;
  const peppers = new Peppers('a pepper of the test');
  const replica = (): { keys: SigningKeys; tokens: AccessTokens } => {
    const keys = new SigningKeys(server.database('auth'), new Seal(peppers, 'signing-key'));
    return { keys, tokens: new AccessTokens(keys, 'acervo') };
  };
  const kids = async ({ keys }: { keys: SigningKeys }) => (await keys.published()).map(({ kid }) => kid);

  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  }, 60_000);
  afterAll(() => server.close());

  it('are the same for every replica, and a token of one is good at the other', async () => {
    const [one, other] = [replica(), replica()];
    const token = await one.tokens.issue(claims);
    expect(await other.tokens.verify(token)).toEqual(claims);
    expect(await kids(other)).toEqual(await kids(one));
  });

  it('are published before they sign, and no token is refused while they change', async () => {
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

  it('go two token lifetimes after the next one took over', async () => {
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

  it('are renewed once the newest has served its days', async () => {
    const one = replica();
    const upkeep = new Upkeep(one.keys, new PostgresCounters(server.database('auth'), 'auth'), 30, silent);
    const before = await kids(one);
    await upkeep.round();
    expect(await kids(one)).toEqual(before);
    await upkeep.round(Date.now() + 31 * 86_400_000);
    expect(await kids(one)).toHaveLength(before.length + 1);
    upkeep.stop();
  });

  it('lie sealed in the table', async () => {
    const rows = await server.asOwner(
      'auth',
      `select public_jwk::text as jwk, encode(private_sealed, 'escape') as sealed from auth.signing_key`,
    );
    expect(JSON.stringify(rows)).toContain('P-256');
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY|"d"/);
  });
});
