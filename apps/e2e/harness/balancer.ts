import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A process behind a balancer. */
export interface Backend {
  readonly port: number;
  /** The port that answers whether it is ready. */
  readonly health: number;
}

const EVERY_MS = 500;
const LATE_MS = 2_000;
/** Answers in a row after which a process counts as not ready: one late engine is no reason. */
const FALL = 3;

/** What a process answers: ready, not ready, nothing at all, or too late to tell. */
const stateOf = async ({ health }: Backend): Promise<'ready' | 'unready' | 'gone' | 'late'> => {
  const signal = AbortSignal.timeout(LATE_MS);
  try {
    const answer = await fetch(`http://127.0.0.1:${health}/health/ready`, { signal });
    await answer.body?.cancel();
    return answer.ok ? 'ready' : 'unready';
  } catch {
    return signal.aborted ? 'late' : 'gone';
  }
};

/**
 * Gives each connection to one of the ready processes, in turn, as the network of a cluster does. An open connection
 * stays where it is. A process without a second one always gets them. The cluster has HAProxy instead; this one serves
 * suites that run where no program of the system may be needed.
 */
export class ConnectionBalancer {
  private readonly server: Server;
  private readonly closing = new AbortController();
  private readonly open = new Set<Socket>();
  /** Answers in a row by which a process was not ready. */
  private readonly unready = new Map<Backend, number>();
  private turn = 0;

  private constructor(private readonly backends: readonly Backend[]) {
    this.server = createServer((socket) => this.forward(socket));
    // A process without a second one is chosen whatever it answers.
    if (backends.length > 1) for (const backend of backends) void this.watch(backend);
  }

  static async start(backends: readonly Backend[], port = 0): Promise<ConnectionBalancer> {
    const balancer = new ConnectionBalancer(backends);
    await new Promise<void>((resolve) => balancer.server.listen(port, '127.0.0.1', resolve));
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Whether it gives connections to the process with this port of probes. */
  uses(health: number): boolean {
    return this.ready.some((each) => each.health === health);
  }

  private get ready(): readonly Backend[] {
    const { backends, unready } = this;
    return backends.length === 1 ? backends : backends.filter((each) => (unready.get(each) ?? FALL) < FALL);
  }

  /** Asks a process again and again, one probe at a time: an answer that is late does not undo a newer one. */
  private async watch(backend: Backend): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const state = await stateOf(backend);
      const before = this.unready.get(backend) ?? FALL;
      this.unready.set(backend, { ready: 0, unready: before + 1, gone: FALL, late: before }[state]);
      await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  close(): Promise<void> {
    this.closing.abort();
    for (const socket of this.open) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private forward(socket: Socket): void {
    const { ready } = this;
    const chosen = ready[(this.turn += 1) % Math.max(1, ready.length)];
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
