import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A request of a mix; `expects` is the only status that is no failure. */
export interface Asked {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly expects?: number;
}

export interface Traffic {
  readonly sent: number;
  readonly failures: readonly string[];
  /** Those of the failures whose connection was refused or broke; a late answer is no broken connection. */
  readonly broken: readonly string[];
  /** Milliseconds of each answer, in the order of the answers. */
  readonly times: readonly number[];
}

const LONGEST_MS = 30_000;
const TICK_MS = 5;

interface Reply {
  readonly status: number;
  readonly text: string;
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const send = (port: number, agent: Agent, { method, path, headers, body }: Asked): Promise<Reply> => {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const length =
    content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } };
    const sent = request({ ...options, timeout: LONGEST_MS }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sent.on('timeout', () => sent.destroy(new NoAnswer('no answer')));
    sent.on('error', reject);
    sent.end(content);
  });
};

export interface TrafficRequest {
  readonly perSecond: number;
  readonly mix: (turn: number) => Asked;
  readonly until: AbortSignal;
  /** Otherwise each request opens a connection, as those of different people do. */
  readonly keptConnections?: boolean;
}

/**
 * Sends requests at a steady rate until the signal, whether earlier ones were answered or not.
 * Nothing is sent twice: every answer other than the expected one is a failure.
 */
export const traffic = async (
  port: number,
  { perSecond, mix, until, keptConnections = true }: TrafficRequest,
): Promise<Traffic> => {
  const agent = new Agent({ keepAlive: keptConnections, maxSockets: 64 });
  const found = { sent: 0, failures: [] as string[], broken: [] as string[], times: [] as number[] };
  const open = new Set<Promise<void>>();
  const one = async (asked: Asked): Promise<void> => {
    const started = performance.now();
    const at = new Date().toISOString();
    try {
      const { status, text } = await send(port, agent, asked);
      found.times.push(performance.now() - started);
      if (status !== (asked.expects ?? 200))
        found.failures.push(`${at} ${asked.name}: ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      const failure = `${at} ${asked.name}: ${String(error)}`;
      found.failures.push(failure);
      if (!(error instanceof NoAnswer)) found.broken.push(failure);
    }
  };
  for (const started = performance.now(); !until.aborted; await pause(TICK_MS))
    for (const due = ((performance.now() - started) / 1_000) * perSecond; found.sent < due; found.sent += 1) {
      const sending = one(mix(found.sent)).finally(() => open.delete(sending));
      open.add(sending);
    }
  await Promise.all(open);
  agent.destroy();
  return found;
};
