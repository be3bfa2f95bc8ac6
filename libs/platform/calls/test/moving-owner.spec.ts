import dns from 'node:dns';
import { Agent, createServer, request, type Server } from 'node:http';
import { connect, createServer as createBalancer, type Server as NetServer, type AddressInfo } from 'node:net';
import { call } from '@acervo/contracts';
import { HttpTransport, ProofMint } from '../src';
import { withLimitedLife } from '../src/socket-life';
import { Answer, KeyRing, listen, Question } from './support';

const written = call({
  ...{ owner: 'gateway', input: Question, output: Answer, scope: 'anonymous', callers: ['chat'] },
  code: 'test.written',
  effect: 'write',
} as const);
type Looked = (error: null, found: readonly { readonly address: string; readonly family: number }[]) => void;
const SOCKETS = 4;
const LIFETIME_MS = 30_000;
const portOf = (server: NetServer | Server): number => (server.address() as AddressInfo).port;

describe('an owner of several processes', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** Gives each connection to one of the ports in turn, as the network of a cluster does. */
  const balancer = async (ports: number[]): Promise<number> => {
    let turn = 0;
    const server = createBalancer((socket) => {
      const onward = connect(ports[(turn += 1) % ports.length] ?? 0, '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return portOf(server);
  };
  const counting = async (): Promise<{ readonly port: number; answered: number }> => {
    const counted = { port: 0, answered: 0 };
    const server = createServer((_request, response) => {
      counted.answered += 1;
      response.end('{"output":{"respuesta":"yes"}}');
    });
    await listen(server);
    closing.push(() => (server.closeAllConnections(), server.close()));
    return Object.assign(counted, { port: portOf(server) });
  };
  const transportTo = async (url: string): Promise<() => Promise<unknown>> => {
    const transport = new HttpTransport(() => url, new ProofMint('chat', (await KeyRing.make()).of('chat')));
    closing.push(() => transport.close());
    return () =>
      transport.send({
        ...{ call: written, caller: 'chat', scope: { kind: 'anonymous' }, input: { pregunta: 'hi' } },
        ...{ idempotencyKey: undefined, deadlineMs: 60_000 },
      });
  };

  it('a process that appears later gets its share within a lifetime', async () => {
    const first = await counting();
    const ports = [first.port];
    const port = await balancer(ports);
    let now = 0;
    const agent = withLimitedLife(new Agent({ keepAlive: true, maxSockets: SOCKETS }), LIFETIME_MS, () => now);
    closing.push(() => agent.destroy());
    const ask = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, agent, host: '127.0.0.1' }, (response) => response.resume().on('end', resolve));
        sent.on('error', reject).end();
      });
    /** More requests at once than connections: some wait for one, and the agent passes it on without keeping it. */
    const burst = async (): Promise<void> => {
      await Promise.all(Array.from({ length: 6 * SOCKETS }, ask));
    };
    await burst();
    const second = await counting();
    ports.push(second.port);
    now = LIFETIME_MS / 2;
    await burst();
    expect(second.answered).toBe(0);
    now = LIFETIME_MS;
    // Each connection ends after its next answer.
    await burst();
    const before = [first.answered, second.answered];
    await burst();
    const [ofFirst, ofSecond] = [first.answered - (before[0] ?? 0), second.answered - (before[1] ?? 0)];
    expect(ofFirst + ofSecond).toBe(6 * SOCKETS);
    expect(ofSecond / (ofFirst + ofSecond)).toBeGreaterThan(0.25);
  });

  it('a write without a connection is sent once more, to another process', async () => {
    const alive = await counting();
    const addresses = ['127.0.0.9', '127.0.0.1'];
    const lookup = jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_host: string, _options: unknown, done: Looked) =>
        done(null, [{ address: addresses.shift() ?? '127.0.0.9', family: 4 }])) as never);
    const send = await transportTo(`http://gateway.invalid:${alive.port}`);
    await expect(send()).resolves.toEqual({ respuesta: 'yes' });
    expect([alive.answered, addresses]).toEqual([1, []]);
    lookup.mockRestore();
  });
});
