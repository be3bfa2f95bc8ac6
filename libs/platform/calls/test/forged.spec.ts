import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { encode, ScopeClaims, Unauthorized } from '@acervo/contracts';
import { Handles, inputHash, ProofMint, ScopeMint, ScopeVerifier, ServiceKeys } from '../src';
import {
  type Answer,
  asked,
  chatServer,
  claimsOf,
  greeted,
  listening,
  overHttp,
  KeyRing,
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
  @Handles(greeted) answerGreeting(): Promise<Answer> {
    return this.answer();
  }
  private answer(): Promise<Answer> {
    this.entered += 1;
    return Promise.resolve({ reply: 'yes' });
  }
}

describe('a frame', () => {
  let keyRing: KeyRing;
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
  /** A proof as the gateway makes it, with one part replaced. */
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
    const { kid, key } = (over.keys ?? keyRing.of('gateway')).signing;
    return new SignJWT({ call: greeted.code, hash, ...over.claims })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'acervo-call+jwt', ...over.header })
      .setIssuer(over.issuer ?? 'gateway')
      .setSubject(over.issuer ?? 'gateway')
      .setAudience(over.audience ?? 'chat')
      .setIssuedAt()
      .setExpirationTime(over.lifetime ?? '30s')
      .sign(key);
  };

  const operator = () => ({ keys: keyRing.of('operator'), issuer: 'operator' });

  beforeAll(async () => {
    keyRing = await KeyRing.make();
    served = await serve(chatServer(chat), keyRing);
  });
  afterAll(() => served.close());
  beforeEach(() => (chat.entered = 0));

  it('a valid frame is answered', async () => {
    expect(await post(greeted.code, { proof: await proof() })).toBe(200);
    expect(chat.entered).toBe(1);
  });

  it.each([
    ['has expired', () => proof({ lifetime: '-10s' })],
    ['was made for another owner', () => proof({ audience: 'auth' })],
    ['was made for another call', () => proof({ claims: { call: asked.code } })],
    ['was made for another input', () => proof({ claims: { hash: inputHash({ pregunta: 'ho' }, undefined) } })],
    ['was signed with an unknown key', async () => proof({ keys: await ServiceKeys.generate() })],
    ['was signed by another service than its issuer', () => proof({ keys: keyRing.of('ingestion') })],
    ['names an operator, who sends within one process only', () => proof(operator())],
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
        const [jwk] = keyRing.of('gateway').published;
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
      'contains its own key',
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
  ])('a frame whose proof %s is refused before its handler', async (_what, make) => {
    expect(await post(greeted.code, { proof: await make() })).toBe(403);
    expect(chat.entered).toBe(0);
    expect(served.lines.join('')).not.toContain('pregunta');
  });

  it('a frame with a changed idempotency key is refused', async () => {
    expect(await post(greeted.code, { proof: await proof(), idempotencyKey: 'other' })).toBe(403);
    expect(chat.entered).toBe(0);
  });

  it('a frame for a user needs a current scope signed by auth', async () => {
    const mint = new ProofMint('gateway', keyRing.of('gateway'));
    const sign = (): Promise<string> => mint.sign(asked, hash, undefined);
    const token = (over: { typ?: string; issuer?: string; lifetime?: string; keys?: ServiceKeys }): Promise<string> => {
      const { kid, key } = (over.keys ?? keyRing.of('auth')).signing;
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
      await token({ keys: keyRing.of('gateway') }),
      '',
    ])
      expect(await post(asked.code, { proof: await sign(), scope: bad })).toBe(401);
    expect(chat.entered).toBe(1);
  });

  it('a frame for a group needs a proven group and listed caller', async () => {
    const work = { claims: { call: worked.code, work: { groupId: 'g', service: 'gateway', cause: 'x' } } };
    expect(await post(worked.code, { proof: await proof(work) })).toBe(403);
    const mint = new ProofMint('ingestion', keyRing.of('ingestion'));
    expect(await post(worked.code, { proof: await mint.sign(worked, hash, undefined) })).toBe(403);
    expect(chat.entered).toBe(0);
  });
});

describe('keys', () => {
  it('keys rotate under load without a refused call', async () => {
    const keyRing = await KeyRing.make();
    const served = await serve(chatServer(new Chat()), keyRing);
    const way = overHttp(served, keyRing);
    const calls = way.as('gateway');
    const results: unknown[] = [];
    const load = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1)
        results.push(
          await calls.send(asked, await keyRing.scope(), { text: 'hi', times: 1 }).catch((error: unknown) => error),
        );
    };
    const rotate = async (): Promise<void> => {
      for (const service of ['gateway', 'auth']) {
        await keyRing.of(service).announce();
        await new Promise((resolve) => setTimeout(resolve, 20));
        await keyRing.of(service).rotate();
      }
    };
    await Promise.all([load(), load(), load(), rotate()]);
    expect(results.filter((result) => result instanceof Error)).toEqual([]);
    expect(results).toHaveLength(120);
    await way.close();
    expect(listening().lines).toEqual([]);
  });

  it('a scope token can be renewed for ten minutes, not longer', async () => {
    const keyRing = await KeyRing.make();
    const verifier = new ScopeVerifier(keyRing.peers());
    const token = await new ScopeMint(keyRing.of('auth')).mint(claimsOf());
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
