import { Writable } from 'node:stream';
import { Unauthorized, Unavailable } from '@acervo/contracts';
import { createLogger } from '@acervo/platform-observability';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import {
  KeyRegister,
  keyMigration,
  KeysUnavailable,
  PublishedKeys,
  ScopeMint,
  ScopeVerifier,
  ServiceKeys,
  CallServer,
  Handles,
} from '../src';
import { type Answer, asked, claimsOf, failureOf, greeted, overHttp, Ring, serve, worked } from './support';

const logger = createLogger({
  service: 'test',
  level: 'fatal',
  destination: new Writable({ write: (_chunk, _encoding, done) => done() }),
});
const DAY_MS = 24 * 3_600_000;

/** One process of auth. */
interface Replica {
  readonly keys: ServiceKeys;
  readonly register: KeyRegister;
  readonly mint: ScopeMint;
}

describe('two processes of auth', () => {
  let server: TestDatabase;
  const begin = async (): Promise<Replica> => {
    const keys = await ServiceKeys.generate();
    const register = new KeyRegister({ service: 'auth', database: server.database('auth'), keys, logger });
    await register.open();
    return { keys, register, mint: new ScopeMint(keys) };
  };
  /** A peer that asks whichever process answers it. */
  const peerOf = (replica: Replica): ScopeVerifier =>
    new ScopeVerifier(new PublishedKeys(() => replica.register.published()));

  beforeAll(async () => {
    server = await openTestDatabase({ auth: [keyMigration('auth')] });
  }, 60_000);
  afterAll(() => server.close());

  it('have their tokens accepted by whoever asks one of them, after the other has ended as well', async () => {
    const [one, two] = [await begin(), await begin()];
    const peer = peerOf(one);
    for (const { mint } of [one, two])
      expect((await peer.verify(await mint.mint(claimsOf()))).groupCode).toBe(claimsOf().groupCode);
    const last = await two.mint.mint(claimsOf());
    two.register.close();
    await expect(peerOf(one).renewable(last)).resolves.toMatchObject({ userCode: claimsOf().userCode });
    one.register.close();
  });

  it('sign with new keys each day, and no token is refused meanwhile', async () => {
    const [one, two] = [await begin(), await begin()];
    const peer = peerOf(two);
    const before = one.keys.signing.kid;
    const early = await one.mint.mint(claimsOf());
    await one.register.round(Date.now() + DAY_MS + 1_000);
    expect(one.keys.signing.kid).not.toBe(before);
    for (const token of [early, await one.mint.mint(claimsOf())])
      await expect(peer.verify(token)).resolves.toBeDefined();
    for (const { register } of [one, two]) register.close();
  });

  it('publish no key of a process that ended long ago', async () => {
    const one = await begin();
    one.register.close();
    await server.asOwner('auth', `update auth.service_key set published_until = now() - interval '1 second'`);
    const two = await begin();
    expect(await failureOf(peerOf(two).verify(await one.mint.mint(claimsOf())))).toBeInstanceOf(Unauthorized);
    two.register.close();
  });

  it('never write a private key down', async () => {
    const one = await begin();
    const rows = await server.asOwner('auth', 'select jwk from auth.service_key');
    expect(rows.length).toBeGreaterThan(0);
    for (const { jwk } of rows) expect(jwk).not.toHaveProperty('d');
    one.register.close();
  });
});

describe('a service whose keys cannot be fetched', () => {
  class Chat {
    @Handles(asked) ask(): Promise<Answer> {
      return Promise.resolve({ said: 'yes' });
    }
    @Handles(worked) work(): Promise<Answer> {
      return this.ask();
    }
    @Handles(greeted) greet(): Promise<Answer> {
      return this.ask();
    }
  }

  it('has its calls and its scopes put off, not refused', async () => {
    const ring = await Ring.make();
    let isAway = true;
    const peers = new PublishedKeys((service) =>
      isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve(ring.of(service).published),
    );
    const served = await serve(new CallServer({ service: 'chat', providers: [new Chat()] }), ring, peers);
    const way = overHttp(served, ring);
    const ask = async () => way.as('gateway').send(asked, await ring.scope(), { text: 'hi', times: 1 });
    expect(await failureOf(ask())).toBeInstanceOf(KeysUnavailable);
    expect(await failureOf(new ScopeVerifier(peers).verify((await ring.scope()).token))).toBeInstanceOf(Unavailable);
    expect(await failureOf(new ScopeVerifier(peers).verify('no token'))).toBeInstanceOf(Unauthorized);
    isAway = false;
    await expect(ask()).resolves.toMatchObject({ said: 'yes' });
    await way.close();
  });
});
