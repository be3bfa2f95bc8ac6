import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { call, Text } from '@acervo/contracts';
import { HttpTransport, ProofMint, ServiceKeys } from '@acervo/platform-calls';
import { type RunningServer, serve } from '@acervo/platform-http';
import { until } from '@acervo/platform-testing';

class Order {
  @Text({ max: 40, description: 'What to write' }) readonly text!: string;
}
const written = call({
  ...{ owner: 'chat', input: Order, output: Order, scope: 'anonymous', callers: ['gateway'] },
  code: 'test.written',
  effect: 'write',
} as const);
const CLIENTS = 8;
const SOME = 10;

describe('an owner of calls that drains', () => {
  let processes: readonly RunningServer[];
  /** The ports that get connections, in turn. */
  let ready: number[];
  let turn = 0;
  const balancer = createServer((socket) => {
    const onward = connect(ready[(turn += 1) % ready.length] ?? 0, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const answer = (): Promise<RunningServer> =>
    serve(
      'internal',
      (incoming, response) =>
        void incoming.resume().on('end', () => setTimeout(() => response.end('{"output":{"text":"yes"}}'), 5)),
      '127.0.0.1',
      0,
    );

  beforeAll(async () => {
    processes = [await answer(), await answer()];
    ready = processes.map(({ port }) => port);
    await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    balancer.close();
    await Promise.all(processes.map((each) => each.close()));
  });

  it('no write fails, though none is sent twice', async () => {
    const transport = new HttpTransport(
      () => `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
      new ProofMint('gateway', await ServiceKeys.generate()),
    );
    const send = (): Promise<unknown> =>
      transport.send({
        ...{ call: written, caller: 'gateway', scope: { kind: 'anonymous' }, input: { text: 'hi' } },
        ...{ idempotencyKey: undefined, deadlineMs: 60_000 },
      });
    const sent = Array.from({ length: CLIENTS }, () => 0);
    let isOver = false;
    const clients = Promise.all(
      sent.map(async (_, client) => {
        for (let count = 1; !isOver; count += 1) {
          await send();
          sent[client] = count;
        }
      }),
    );
    /** Each client sends some more writes; the first failure ends the test. */
    const someWrites = async (): Promise<void> => {
      const before = [...sent];
      const areMore = (): boolean => sent.every((count, client) => count >= (before[client] ?? 0) + SOME);
      await Promise.race([clients, until('each client sends some writes', areMore)]);
    };
    await someWrites();
    const [leaving] = processes;
    leaving?.drain();
    ready.shift();
    await someWrites();
    await leaving?.close();
    await someWrites();
    isOver = true;
    await clients;
    transport.close();
  });
});
