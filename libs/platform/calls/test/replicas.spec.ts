import type { JWK } from 'jose';
import { Unauthorized, Unavailable } from '@acervo/contracts';
import { appRole, Database } from '@acervo/platform-database';
import { SingleFlight } from '@acervo/platform-resilience';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import {
  KEPT_MS,
  KeyRegister,
  keyMigration,
  KeysUnavailable,
  PublishedKeys,
  ScopeMint,
  ScopeVerifier,
  ServiceKeys,
  Handles,
} from '../src';
import {
  type Answer,
  asked,
  gatewayServer,
  claimsOf,
  failureOf,
  greeted,
  overHttp,
  KeyRing,
  serve,
  worked,
} from './support';

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
    const register = new KeyRegister('auth', server.database('auth'), keys, silent);
    await register.open();
    return { keys, register, mint: new ScopeMint(keys) };
  };
  /** A peer that asks any process that answers. */
  const peerOf = (replica: Replica): ScopeVerifier =>
    new ScopeVerifier(new PublishedKeys(() => replica.register.published()));

  beforeAll(async () => {
    server = await openTestDatabase({ auth: [keyMigration('auth')] });
  });
  afterAll(() => server.close());

  it('tokens of two processes are accepted by peers of either one', async () => {
    const [one, two] = [await begin(), await begin()];
    const peer = peerOf(one);
    for (const { mint } of [one, two])
      expect((await peer.verify(await mint.mint(claimsOf()))).groupCode).toBe(claimsOf().groupCode);
    const last = await two.mint.mint(claimsOf());
    two.register.close();
    await expect(peerOf(one).renewable(last)).resolves.toMatchObject({ userCode: claimsOf().userCode });
    one.register.close();
  });

  it('daily key rotation refuses no token', async () => {
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

  it('keys of a process that ended long ago are not published', async () => {
    const one = await begin();
    one.register.close();
    await server.asOwner('auth', `update auth.service_key set published_until = now() - interval '1 second'`);
    const two = await begin();
    expect(await failureOf(peerOf(two).verify(await one.mint.mint(claimsOf())))).toBeInstanceOf(Unauthorized);
    two.register.close();
  });

  it('without the database the last known keys are published, if any', async () => {
    const [one, two] = [await begin(), await begin()];
    const away = new Database(server.connection(appRole('auth')));
    const asked = new KeyRegister('auth', away, one.keys, silent);
    const unasked = new KeyRegister('auth', away, one.keys, silent);
    const kids = async (register: KeyRegister) => (await register.published()).map(({ kid }) => kid);
    const keyIds = await kids(asked);
    expect(keyIds).toEqual(expect.arrayContaining([one.keys.signing.kid, two.keys.signing.kid]));
    await away.close();
    expect(await kids(asked)).toEqual(keyIds);
    await expect(unasked.published()).rejects.toThrow();
    for (const { register } of [one, two]) register.close();
  });

  it('a private key is never written', async () => {
    const one = await begin();
    const rows = await server.asOwner('auth', 'select jwk from auth.service_key');
    expect(rows.length).toBeGreaterThan(0);
    for (const { jwk } of rows) expect(jwk).not.toHaveProperty('d');
    one.register.close();
  });
});

describe('a public key that a peer has fetched', () => {
  const MINUTE_MS = 60_000;
  const begun = Date.now();

  /** A peer with a clock of its own, and the keys that a service publishes. */
  const peerOf = async () => {
    const keys = await ServiceKeys.generate();
    let time = begun;
    let published: readonly JWK[] | undefined = keys.published;
    let fetched = 0;
    const fetch = (): Promise<readonly JWK[]> => {
      fetched += 1;
      return published === undefined ? Promise.reject(new Error('ECONNREFUSED')) : Promise.resolve(published);
    };
    const peers = new PublishedKeys(fetch, () => time);
    return {
      find: () =>
        peers.find('gateway', keys.signing.kid).then(
          () => 'found',
          (error: unknown) => (error instanceof KeysUnavailable ? 'KeysUnavailable' : String(error)),
        ),
      pass: (minutes: number) => (time += minutes * MINUTE_MS),
      publish: (next: readonly JWK[] | undefined) => (published = next),
      keys,
      fetched: () => fetched,
    };
  };
  const flights = jest.spyOn(SingleFlight.prototype, 'run');
  afterAll(() => flights.mockRestore());
  /** Waits for the background fetches. */
  const settle = () => Promise.allSettled(flights.mock.results.map(({ value }) => value as Promise<unknown>));

  it('an unpublished key is refused within ten minutes, in use or not', async () => {
    for (const step of [1, KEPT_MS / MINUTE_MS + 0.01]) {
      const peer = await peerOf();
      expect(await peer.find()).toBe('found');
      peer.publish((await ServiceKeys.generate()).published);
      for (let passed = 0; passed <= KEPT_MS / MINUTE_MS; passed += step) {
        peer.pass(step);
        if (passed + step <= KEPT_MS / MINUTE_MS) await peer.find();
        await settle();
      }
      expect(await peer.find()).toMatch(/publishes no key/);
    }
  });

  it('a published key is accepted for one fetch in five minutes', async () => {
    const peer = await peerOf();
    for (let minute = 0; minute < 20; minute += 1, peer.pass(1)) {
      expect(await peer.find()).toBe('found');
      await settle();
    }
    expect(peer.fetched()).toBeLessThanOrEqual(5);
  });

  it('a service silent for ten minutes causes retries, not refusals', async () => {
    const peer = await peerOf();
    await peer.find();
    peer.publish(undefined);
    peer.pass(9);
    expect(await peer.find()).toBe('found');
    await settle();
    peer.pass(2);
    expect(await peer.find()).toBe('KeysUnavailable');
    peer.publish(peer.keys.published);
    peer.pass(1);
    expect(await peer.find()).toBe('found');
  });
});

describe('a service whose keys cannot be fetched', () => {
  class Gateway {
    @Handles(asked) ask(): Promise<Answer> {
      return Promise.resolve({ reply: 'yes' });
    }
    @Handles(worked) work(): Promise<Answer> {
      return this.ask();
    }
    @Handles(greeted) answerGreeting(): Promise<Answer> {
      return this.ask();
    }
  }

  it('unavailable keys make calls and scopes retriable, not refused', async () => {
    const keyRing = await KeyRing.make();
    let isAway = true;
    const peers = new PublishedKeys((service) =>
      isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve(keyRing.of(service).published),
    );
    const served = await serve(gatewayServer(new Gateway()), keyRing, peers);
    const way = overHttp(served, keyRing);
    const ask = async () => way.as('chat').send(asked, await keyRing.scope(), { text: 'hi', times: 1 });
    expect(await failureOf(ask())).toBeInstanceOf(KeysUnavailable);
    expect(await failureOf(new ScopeVerifier(peers).verify((await keyRing.scope()).token))).toBeInstanceOf(Unavailable);
    expect(await failureOf(new ScopeVerifier(peers).verify('no token'))).toBeInstanceOf(Unauthorized);
    isAway = false;
    await expect(ask()).resolves.toMatchObject({ reply: 'yes' });
    await way.close();
  });
});
