import dns from 'node:dns';
import { createServer, type IncomingMessage } from 'node:http';
import { workContext } from '@acervo/platform-observability';
import { call } from '@acervo/contracts';
import { CallUnanswered, HttpTransport, ProofMint } from '../src';
import { PeerConnections } from '../src/peer-connections';
import { until } from '@acervo/platform-testing';
import { Answer, failureOf, greeted, listen, Question, KeyRing } from './support';

const written = call({
  ...{ owner: 'gateway', input: Question, output: Answer, scope: 'anonymous', callers: ['chat'] },
  code: 'test.written',
  effect: 'write',
} as const);

describe('an owner that ends a connection', () => {
  const seen: IncomingMessage[] = [];
  let answers: 'never' | 'breaking' | 'well' | { readonly strangely: string } = 'well';
  const server = createServer((request, response) => {
    seen.push(request);
    if (answers === 'breaking') request.socket.destroy();
    if (typeof answers === 'object') response.writeHead(502).end(answers.strangely);
    if (answers === 'well') response.end(JSON.stringify({ output: { respuesta: 'yes' } }));
  });
  let url = '';
  /** The clock of the breakers. */
  let now = 0;
  let transport: HttpTransport;
  const send = (which: typeof greeted | typeof written, deadlineMs = 60_000): Promise<unknown> =>
    transport.send({
      ...{ call: which, caller: 'chat', scope: { kind: 'anonymous' }, input: { pregunta: 'hi' } },
      ...{ idempotencyKey: undefined, deadlineMs },
    });

  beforeAll(async () => {
    url = await listen(server);
  });
  beforeEach(async () => {
    seen.length = 0;
    answers = 'well';
    const mint = new ProofMint('chat', (await KeyRing.make()).of('chat'));
    transport = new HttpTransport(
      () => url,
      mint,
      new PeerConnections(),
      () => now,
    );
  });
  afterEach(() => transport.close());
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('a broken connection repeats a read once, and never a write', async () => {
    answers = 'breaking';
    expect(await failureOf(send(greeted))).toBeInstanceOf(CallUnanswered);
    expect(seen).toHaveLength(2);
    expect(await failureOf(send(written))).toBeInstanceOf(CallUnanswered);
    expect(seen).toHaveLength(3);
  });

  it.each(['<html>Bad chat</html>', '{}', 'null', '{"message":"no healthy upstream"}'])(
    'an owner behind a proxy answering %s gets no call after five',
    async (strangely) => {
      answers = { strangely };
      for (let turn = 0; turn < 5; turn += 1) expect(await failureOf(send(written))).toBeInstanceOf(CallUnanswered);
      answers = 'well';
      expect(await failureOf(send(written))).toBeInstanceOf(CallUnanswered);
      expect(seen).toHaveLength(5);
    },
  );

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EAI_AGAIN'])(
    'a call is unanswered when the network reports %s',
    async (code) => {
      const lookup = jest
        .spyOn(dns, 'lookup')
        .mockImplementation(((_host: string, _options: unknown, done: (error: Error) => void) =>
          done(Object.assign(new Error(code), { code }))) as never);
      transport = new HttpTransport(
        () => 'http://gone.invalid',
        new ProofMint('chat', (await KeyRing.make()).of('chat')),
      );
      expect(await failureOf(send(greeted))).toBeInstanceOf(CallUnanswered);
      expect(lookup).toHaveBeenCalledTimes(2);
      lookup.mockRestore();
    },
  );

  it('several failures pause calls to an owner until it is back', async () => {
    answers = 'breaking';
    for (let turn = 0; turn < 5; turn += 1) await failureOf(send(written));
    answers = 'well';
    expect(await failureOf(send(written))).toBeInstanceOf(CallUnanswered);
    expect(seen).toHaveLength(5);
    now += 999;
    expect(await failureOf(send(written))).toBeInstanceOf(CallUnanswered);
    expect(seen).toHaveLength(5);
    now += 1;
    await expect(send(written)).resolves.toEqual({ respuesta: 'yes' });
  });

  it('a call whose caller no longer waits is not sent', async () => {
    answers = 'never';
    const served = Array.from({ length: 64 }, () => failureOf(send(written, 600_000)));
    await until('the owner has 64 calls', () => seen.length === 64);
    // These wait for one of the 64 connections.
    const failures: unknown[] = [];
    for (let turn = 0; turn < 6; turn += 1) void failureOf(send(written, 100)).then((error) => failures.push(error));
    await until('their callers no longer wait', () => failures.length === 6);
    for (const failure of failures) expect(failure).toBeInstanceOf(CallUnanswered);
    for (const { socket } of seen) socket.destroy();
    await Promise.all(served);
    expect(seen).toHaveLength(64);
  });

  it('a call passes its request id to the owner', async () => {
    await workContext.run({ requestId: 'request-1' }, () => send(greeted));
    expect(seen[0]?.headers['x-request-id']).toBe('request-1');
  });
});
