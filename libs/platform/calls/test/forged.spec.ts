import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { encode, ScopeClaims, Unauthorized } from '@acervo/contracts';
import { until } from '@acervo/platform-testing';
import { anonymous } from '@acervo/rbac';
import {
  Handles,
  inputHash,
  PROOF_HEADER,
  ProofMint,
  provesSender,
  ScopeMint,
  ScopeVerifier,
  ServiceKeys,
  WriteContexts,
} from '../src';
import {
  type Answer,
  asked,
  gatewayServer,
  claimsOf,
  greeted,
  listen,
  listening,
  overHttp,
  KeyRing,
  serve,
  type Served,
  worked,
} from './support';

class Gateway {
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
  const gateway = new Gateway();
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
  /** A proof as the chat makes it, with one part replaced. */
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
    const { kid, key } = (over.keys ?? keyRing.of('chat')).signing;
    return new SignJWT({ call: greeted.code, hash, ...over.claims })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'acervo-call+jwt', ...over.header })
      .setIssuer(over.issuer ?? 'chat')
      .setSubject(over.issuer ?? 'chat')
      .setAudience(over.audience ?? 'gateway')
      .setIssuedAt()
      .setExpirationTime(over.lifetime ?? '30s')
      .sign(key);
  };

  const operator = () => ({ keys: keyRing.of('operator'), issuer: 'operator' });

  beforeAll(async () => {
    keyRing = await KeyRing.make();
    served = await serve(gatewayServer(gateway), keyRing);
  });
  afterAll(() => served.close());
  beforeEach(() => (gateway.entered = 0));

  it('a valid frame is answered', async () => {
    expect(await post(greeted.code, { proof: await proof() })).toBe(200);
    expect(gateway.entered).toBe(1);
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
          new UnsecuredJWT({ call: greeted.code, hash }).setIssuer('chat').setAudience('gateway').encode(),
        ),
    ],
    [
      'is signed with the public key as a shared secret',
      async () => {
        const [jwk] = keyRing.of('chat').published;
        const secret = createHash('sha256').update(JSON.stringify(jwk)).digest();
        return new SignJWT({ call: greeted.code, hash })
          .setProtectedHeader({ alg: 'HS256', kid: jwk?.kid ?? '', typ: 'acervo-call+jwt' })
          .setIssuer('chat')
          .setSubject('chat')
          .setAudience('gateway')
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
          .setIssuer('chat')
          .setSubject('chat')
          .setAudience('gateway')
          .setIssuedAt()
          .setExpirationTime('30s')
          .sign(privateKey);
      },
    ],
    ['is no token', () => Promise.resolve('x.y.z')],
    ['is missing', () => Promise.resolve('')],
  ])('a frame whose proof %s is refused before its handler', async (_what, make) => {
    expect(await post(greeted.code, { proof: await make() })).toBe(403);
    expect(gateway.entered).toBe(0);
    expect(served.lines.join('')).not.toContain('pregunta');
  });

  describe('with its proof in a header', () => {
    /** The status of a call whose body is not finished; undefined while it waits for the rest. */
    const begun = (header: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': 1_000, [PROOF_HEADER]: header };
        const sent = request(`${served.url}/internal/calls/${greeted.code}`, { method: 'POST', headers }, (answer) => {
          resolve(answer.statusCode ?? 0);
          sent.destroy();
        });
        sent.on('error', reject);
        sent.write('{');
      });
    const posted = async (header: string, sent: object = input): Promise<number> => {
      const answer = await fetch(`${served.url}/internal/calls/${greeted.code}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [PROOF_HEADER]: header },
        body: JSON.stringify({ frame: { deadlineMs: 1_000 }, input: sent }),
      });
      return answer.status;
    };

    it('a call is answered, and needs no proof in its body', async () => {
      expect(await posted(await proof())).toBe(200);
    });
    it('another input than that of the proof is refused', async () => {
      expect(await posted(await proof(), { pregunta: 'ho' })).toBe(403);
      expect(gateway.entered).toBe(0);
    });
    it.each([
      ['that expired', () => proof({ lifetime: '-10s' })],
      ['for another owner', () => proof({ audience: 'auth' })],
      ['for another call', () => proof({ claims: { call: asked.code } })],
      ['signed by another service', () => proof({ keys: keyRing.of('ingestion') })],
      ['that is no token', () => Promise.resolve('x')],
    ])('a proof %s is refused before the body is read', async (_what, make) => {
      expect(await begun(await make())).toBe(403);
    });
    it('bodies without a proof leave memory to calls with one', async () => {
      const bodies = Array.from({ length: 10 }, () => {
        const sent = request(`${served.url}/internal/calls/${greeted.code}`, {
          ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        });
        sent.on('error', () => undefined);
        sent.write('{');
        return sent;
      });
      await until('their memory is used up', async () => (await post(greeted.code, { proof: await proof() })) === 503);
      expect(await posted(await proof())).toBe(200);
      for (const sent of bodies) sent.destroy();
      await until('their memory is free', async () => (await post(greeted.code, { proof: await proof() })) === 200);
    });
    it('only the header of the call itself proves a sender', async () => {
      const proves = provesSender(gatewayServer(gateway), keyRing.peers());
      const asks = async (url: string, header: string, method = 'POST'): Promise<boolean> =>
        proves({ method, url, headers: { [PROOF_HEADER]: header } } as unknown as IncomingMessage);
      const path = `/internal/calls/${greeted.code}`;
      expect(await asks(path, await proof())).toBe(true);
      expect([
        await asks(path, await proof({ lifetime: '-10s' })),
        await asks(path, await proof({ keys: keyRing.of('ingestion') })),
        await asks(path, 'x'),
        await asks(`/internal/calls/${asked.code}`, await proof()),
        await asks('/internal/calls/test.absent', await proof()),
        await asks(path, await proof(), 'GET'),
        await asks('/metrics', await proof()),
      ]).toEqual(Array(7).fill(false));
    });
    it('a call sends its proof in header and body, for owners of two releases', async () => {
      const seen: { header: unknown; frame: { proof?: string } }[] = [];
      const owner = createServer((incoming, response) => {
        void json(incoming).then((body) => {
          const { frame } = body as { frame: { proof?: string } };
          seen.push({ header: incoming.headers[PROOF_HEADER], frame });
          response.end(JSON.stringify({ output: { respuesta: 'yes' } }));
        });
      });
      const url = await listen(owner);
      const way = overHttp({ url, lines: [], close: () => Promise.resolve() }, keyRing);
      await way.as('chat').send(greeted, anonymous, { text: 'hi', times: 1 });
      expect(seen).toHaveLength(1);
      expect(seen[0]?.frame.proof).toBe(seen[0]?.header);
      await way.close();
      owner.close();
    });
  });

  it('a frame with a changed idempotency key is refused', async () => {
    expect(await post(greeted.code, { proof: await proof(), idempotencyKey: 'other' })).toBe(403);
    expect(gateway.entered).toBe(0);
  });

  it('a frame for a user needs a current scope signed by auth', async () => {
    const mint = new ProofMint('chat', keyRing.of('chat'));
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
      await token({ issuer: 'chat' }),
      await token({ keys: keyRing.of('chat') }),
      '',
    ])
      expect(await post(asked.code, { proof: await sign(), scope: bad })).toBe(401);
    expect(gateway.entered).toBe(1);
  });

  it('a proof with another scope than its own is refused', async () => {
    const mint = new ProofMint('chat', keyRing.of('chat'));
    const scopes = new ScopeMint(keyRing.of('auth'));
    const [first, second] = [await scopes.mint(claimsOf()), await scopes.mint(claimsOf({ userName: 'Eva' }))];
    const bound = (): Promise<string> => mint.sign(asked, hash, undefined, first);
    expect(await post(asked.code, { proof: await bound(), scope: second })).toBe(403);
    expect(gateway.entered).toBe(0);
    expect(await post(asked.code, { proof: await bound(), scope: first })).toBe(200);
  });

  it('a proof that is sent twice is admitted once, in header and body', async () => {
    const proved = await new ProofMint('chat', keyRing.of('chat')).sign(greeted, hash, undefined);
    const inHeader = (): Promise<number> =>
      fetch(`${served.url}/internal/calls/${greeted.code}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [PROOF_HEADER]: proved },
        body: JSON.stringify({ frame: { deadlineMs: 1_000 }, input }),
      }).then(({ status }) => status);
    const opened = jest.spyOn(WriteContexts.prototype, 'open');
    const answers = await Promise.all(Array.from({ length: 5 }, inHeader));
    expect(answers.toSorted()).toEqual([200, 403, 403, 403, 403]);
    expect(await post(greeted.code, { proof: proved })).toBe(403);
    expect(gateway.entered).toBe(1);
    expect(opened.mock.calls.map(([{ proofId }]) => proofId)).toEqual([decodeJwt(proved).jti]);
    opened.mockRestore();
  });

  it('a frame for a group needs a proven group and listed caller', async () => {
    const work = { claims: { call: worked.code, work: { groupId: 'g', service: 'chat', cause: 'x' } } };
    expect(await post(worked.code, { proof: await proof(work) })).toBe(403);
    const mint = new ProofMint('ingestion', keyRing.of('ingestion'));
    expect(await post(worked.code, { proof: await mint.sign(worked, hash, undefined) })).toBe(403);
    expect(gateway.entered).toBe(0);
  });
});

describe('keys', () => {
  it('keys rotate under load without a refused call', async () => {
    const keyRing = await KeyRing.make();
    const served = await serve(gatewayServer(new Gateway()), keyRing);
    const way = overHttp(served, keyRing);
    const calls = way.as('chat');
    const results: unknown[] = [];
    const load = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1)
        results.push(
          await calls.send(asked, await keyRing.scope(), { text: 'hi', times: 1 }).catch((error: unknown) => error),
        );
    };
    const rotate = async (): Promise<void> => {
      for (const service of ['chat', 'auth']) {
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
