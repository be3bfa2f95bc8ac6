import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Listens with the shortest queue, prints its port and never accepts: when the queue is full, packets are dropped. */
const NEVER_ACCEPTS = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** More connections than the queue of such a server has places. */
const FILLING = 8;

/** A server that never answers: it looks like an engine behind a network that drops its packets. */
export class BlackHole {
  private constructor(
    readonly port: number,
    readonly close: () => Promise<void>,
  ) {}

  /** Accepts connections and answers nothing. */
  static async silent(): Promise<BlackHole> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new BlackHole((server.address() as AddressInfo).port, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  /** Its queue of connections is full, so the first packet of each further one is dropped. */
  static async dropping(): Promise<BlackHole> {
    const child = spawn(process.execPath, ['-e', NEVER_ACCEPTS], { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = Number(await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve)));
    const sockets = Array.from({ length: FILLING }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    return new BlackHole(port, async () => {
      for (const socket of sockets) socket.destroy();
      await ended(child);
    });
  }
}

const ended = async (child: ChildProcess): Promise<void> => {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
};
