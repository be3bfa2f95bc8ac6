import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A process behind a balancer. */
export interface Backend {
  readonly port: number;
  /** The port that answers whether it is ready. */
  readonly health: number;
}

const EVERY_MS = 500;
const LATE_MS = 2_000;

/** Whether a process answers that it is ready; undefined where it is late, which tells nothing on a busy machine. */
const isReady = async ({ health }: Backend): Promise<boolean | undefined> => {
  const signal = AbortSignal.timeout(LATE_MS);
  try {
    const answer = await fetch(`http://127.0.0.1:${health}/health/ready`, { signal });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return signal.aborted ? undefined : false;
  }
};

/**
 * Gives each connection to one of the ready processes, in turn, as the network of a cluster does. An open connection
 * stays where it is.
 */
export class Balancer {
  private readonly server: Server;
  private readonly timer: NodeJS.Timeout;
  private readonly open = new Set<Socket>();
  private ready: readonly Backend[] = [];
  private turn = 0;

  private constructor(private readonly backends: readonly Backend[]) {
    this.server = createServer((socket) => this.forward(socket));
    this.timer = setInterval(() => void this.look(), EVERY_MS);
  }

  static async start(backends: readonly Backend[], port = 0): Promise<Balancer> {
    const balancer = new Balancer(backends);
    await new Promise<void>((resolve) => balancer.server.listen(port, '127.0.0.1', resolve));
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Asks every process whether it is ready. */
  async look(): Promise<void> {
    const answers = await Promise.all(this.backends.map(isReady));
    this.ready = this.backends.filter((backend, index) => answers[index] ?? this.ready.includes(backend));
  }

  close(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.open) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private forward(socket: Socket): void {
    const chosen = this.ready[(this.turn += 1) % Math.max(1, this.ready.length)];
    if (chosen === undefined) return void socket.destroy();
    const onward = connect(chosen.port, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.open.add(one);
      one.setNoDelay(true).pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => this.open.delete(one));
    }
  }
}
