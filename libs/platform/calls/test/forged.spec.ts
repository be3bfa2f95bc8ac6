import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { encode, ScopeClaims, Unauthorized } from '@acervo/contracts';
import { CallServer, Handles, inputHash, ProofMint, ScopeMint, ScopeVerifier, ServiceKeys } from '../src';
import {
  type Answer,
  asked,
  claimsOf,
  greeted,
  listening,
  overHttp,
  Ring,
  serve,
  type Served,
  worked,
} from './support';

class Chat {
  entered = 0;
  @Handles(asked) ask(): Promise<Answer> {
    return this.answer();
  }
  @Handles(worked) work(): Promise<Answer> {
    return this.answer();
  }
  @Handles(greeted) greet(): Promise<Answer> {
    return this.answer();
  }
  private answer(): Promise<Answer> {
    this.entered += 1;
    return Promise.resolve({ said: 'yes' });
  }
}

describe('a frame', () => {
  let ring: Ring;
  let served: Served;
  const chat = new Chat();
  const input = { pregunta: 'hi' };
  const hash = inputHash(input, undefined);

  const post = async (code: string, frame: object, sent: object = input): Promise<number> => {
    const answer = await fetch(`${served.url}/internal/calls/${code}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ frame: { deadlineMs: 1_000, ...frame }, input: sent }),
    });
    return answer.status;
  };
  /** A proof as the gateway makes it, with something else in one place. */
  const proof = async (
    over: {
      claims?: object;
      header?: object;
      audience?: string;
      issuer?: string;
      lifetime?: string;
      keys?: ServiceKeys;
    } = {},
  ): Promise<string> => {
    const { kid, key } = (over.keys ?? ring.of('gateway')).signing;
    return new SignJWT({ call: greeted.code, hash, ...over.claims })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'acervo-call+jwt', ...over.header })
      .setIssuer(over.issuer ?? 'gateway')
      .setSubject(over.issuer ?? 'gateway')
      .setAudience(over.audience ?? 'chat')
      .setIssuedAt()
      .setExpirationTime(over.lifetime ?? '30s')
      .sign(key);
  };

  const operator = () => ({ keys: ring.of('operator'), issuer: 'operator' });

  beforeAll(async () => {
    ring = await Ring.make();
    served = await serve(new CallServer({ service: 'chat', providers: [chat] }), ring);
  });
  afterAll(() => served.close());
  beforeEach(() => (chat.entered = 0));

  it('with everything in its place is answered', async () => {
    expect(await post(greeted.code, { proof: await proof() })).toBe(200);
    expect(chat.entered).toBe(1);
  });

  it.each([
    ['has expired', () => proof({ lifetime: '-10s' })],
    ['was made for another owner', () => proof({ audience: 'auth' })],
    ['was made for another call', () => proof({ claims: { call: asked.code } })],
    ['was made for another input', () => proof({ claims: { hash: inputHash({ pregunta: 'ho' }, undefined) } })],
    ['was signed by somebody else', async () => proof({ keys: await ServiceKeys.generate() })],
    ['was signed by another service than it says', () => proof({ keys: ring.of('ingestion') })],
    ['says that an operator sends it, who asks within one process alone', () => proof(operator())],
    ['names a service that does not exist', () => proof({ issuer: 'mallory' })],
    ['is a token of another type', () => proof({ header: { typ: 'JWT' } })],
    [
      'has no signature',
      () =>
        Promise.resolve(
          new UnsecuredJWT({ call: greeted.code, hash }).setIssuer('gateway').setAudience('chat').encode(),
        ),
    ],
    [
      'is signed with the public key as a shared secret',
      async () => {
        const [jwk] = ring.of('gateway').published;
        const secret = createHash('sha256').update(JSON.stringify(jwk)).digest();
        return new SignJWT({ call: greeted.code, hash })
          .setProtectedHeader({ alg: 'HS256', kid: jwk?.kid ?? '', typ: 'acervo-call+jwt' })
          .setIssuer('gateway')
          .setSubject('gateway')
          .setAudience('chat')
          .setIssuedAt()
          .setExpirationTime('30s')
          .sign(secret);
      },
    ],
    [
      'brings its own key along',
      async () => {
        const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
        return new SignJWT({ call: greeted.code, hash })
          .setProtectedHeader({ alg: 'EdDSA', typ: 'acervo-call+jwt', kid: 'own', jwk: await exportJWK(publicKey) })
          .setIssuer('gateway')
          .setSubject('gateway')
          .setAudience('chat')
          .setIssuedAt()
          .setExpirationTime('30s')
          .sign(privateKey);
      },
    ],
    ['is no token', () => Promise.resolve('x.y.z')],
    ['is missing', () => Promise.resolve('')],
  ])('whose proof %s is refused before its handler', async (_what, make) => {
    expect(await post(greeted.code, { proof: await make() })).toBe(403);
    expect(chat.entered).toBe(0);
    expect(served.lines.join('')).not.toContain('pregunta');
  });

  it('whose idempotency key was changed on the way is refused', async () => {
    expect(await post(greeted.code, { proof: await proof(), idempotencyKey: 'other' })).toBe(403);
    expect(chat.entered).toBe(0);
  });

  it('for a user needs a scope that auth signed for this moment', async () => {
    const mint = new ProofMint('gateway', ring.of('gateway'));
    const sign = (): Promise<string> => mint.sign(asked, hash, undefined);
    const token = (over: { typ?: string; issuer?: string; lifetime?: string; keys?: ServiceKeys }): Promise<string> => {
      const { kid, key } = (over.keys ?? ring.of('auth')).signing;
      return new SignJWT({ scope: encode(ScopeClaims, claimsOf()) })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: over.typ ?? 'acervo-scope+jwt' })
        .setIssuer(over.issuer ?? 'auth')
        .setAudience('acervo-internal')
        .setIssuedAt()
        .setExpirationTime(over.lifetime ?? '60s')
        .sign(key);
    };
    expect(await post(asked.code, { proof: await sign(), scope: await token({}) })).toBe(200);
    for (const bad of [
      await token({ lifetime: '-10s' }),
      await token({ typ: 'JWT' }),
      await token({ issuer: 'gateway' }),
      await token({ keys: ring.of('gateway') }),
      '',
    ])
      expect(await post(asked.code, { proof: await sign(), scope: bad })).toBe(401);
    expect(chat.entered).toBe(1);
  });

  it('for a group needs the group inside the proof, from a caller that is listed', async () => {
    const work = { claims: { call: worked.code, work: { groupId: 'g', service: 'gateway', cause: 'x' } } };
    expect(await post(worked.code, { proof: await proof(work) })).toBe(403);
    const mint = new ProofMint('ingestion', ring.of('ingestion'));
    expect(await post(worked.code, { proof: await mint.sign(worked, hash, undefined) })).toBe(403);
    expect(chat.entered).toBe(0);
  });
});

describe('keys', () => {
  it('rotate under load without a call that is refused', async () => {
    const ring = await Ring.make();
    const served = await serve(new CallServer({ service: 'chat', providers: [new Chat()] }), ring);
    const way = overHttp(served, ring);
    const calls = way.as('gateway');
    const results: unknown[] = [];
    const load = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1)
        results.push(
          await calls.send(asked, await ring.scope(), { text: 'hi', times: 1 }).catch((error: unknown) => error),
        );
    };
    const rotate = async (): Promise<void> => {
      for (const service of ['gateway', 'auth']) {
        await ring.of(service).announce();
        await new Promise((resolve) => setTimeout(resolve, 20));
        await ring.of(service).rotate();
      }
    };
    await Promise.all([load(), load(), load(), rotate()]);
    expect(results.filter((result) => result instanceof Error)).toEqual([]);
    expect(results).toHaveLength(120);
    await way.close();
    expect(listening().lines).toEqual([]);
  });

  it('of a scope serve to renew it for ten minutes, not for longer', async () => {
    const ring = await Ring.make();
    const verifier = new ScopeVerifier(ring.peers());
    const token = await new ScopeMint(ring.of('auth')).mint(claimsOf());
    const now = Date.now();
    const at = async (minutes: number, work: () => Promise<unknown>): Promise<unknown> => {
      jest.useFakeTimers({
        now: now + minutes * 60_000,
        doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'],
      });
      try {
        return await work().catch((error: unknown) => error);
      } finally {
        jest.useRealTimers();
      }
    };
    expect(await at(2, () => verifier.verify(token))).toBeInstanceOf(Unauthorized);
    expect(await at(9, () => verifier.renewable(token))).toMatchObject({ userCode: 'ana@example.org' });
    expect(await at(11, () => verifier.renewable(token))).toBeInstanceOf(Unauthorized);
  });
});
