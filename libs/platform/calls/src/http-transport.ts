import { type Call, type ErrorFrame, raiseFrame } from '@acervo/contracts';
import { workContext } from '@acervo/platform-observability';
import { CircuitBreaker } from '@acervo/platform-resilience';
import type { Outgoing, Transport } from './calls';
import { CallUnanswered } from './errors';
import { PeerConnections } from './peer-connections';
import { inputHash, PROOF_HEADER, type ProofMint } from './proof';

/** The address of a service's internal port. */
export type Endpoints = (service: string) => string;

/** The fields of a call's body over the network, beside its input. */
export interface CallFrame {
  readonly proof: string;
  readonly scope?: string;
  readonly deadlineMs: number;
  readonly idempotencyKey?: string;
}

interface Answer {
  readonly output?: unknown;
  readonly error?: ErrorFrame;
}

/** The answer came from an intermediary: the owner answers with one of two statuses, in JSON. */
class NotTheOwner extends Error {}

const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';
const isLost = (error: unknown): boolean => error instanceof NotTheOwner || LOST.has(codeOf(error));
/** No connection was made, so that the owner cannot have received the call. */
const isUnsent = (error: unknown): boolean =>
  isLost(error) && ['connect', 'getaddrinfo'].includes(String(Reflect.get(error as object, 'syscall')));
const isLate = (error: unknown): boolean => codeOf(error) === 'ABORT_ERR';

const answerOf = (text: string): Answer | undefined => {
  try {
    const answer = JSON.parse(text) as Answer | null;
    return answer?.output === undefined && answer?.error === undefined ? undefined : answer;
  } catch {
    return undefined;
  }
};

/** Log lines of caller and owner share the request id and the trace. */
const traceHeaders = (): Record<string, string> => {
  const [id, traceparent] = [workContext.get()?.requestId, workContext.traceparent()];
  return {
    ...(id === undefined ? {} : { 'x-request-id': id }),
    ...(traceparent === null ? {} : { traceparent }),
  };
};

/** After five failures in a row, no call goes to a service for a second. Then one caller probes it until it answers. */
const CIRCUIT = { failures: 5, openMs: 1_000, probeMs: Infinity } as const;

/**
 * Sends calls to the internal port of their owner over kept connections, 64 to a service. A read is repeated once when
 * its connection breaks. A write is repeated only where no connection was made: another process may answer it. Calls to an absent service soon fail at once, until it is back.
 */
export class HttpTransport implements Transport {
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly endpoints: Endpoints,
    private readonly mint: ProofMint,
    private readonly connections = new PeerConnections(),
    private readonly clock = (): number => performance.now(),
  ) {}

  async send(outgoing: Outgoing): Promise<unknown> {
    const { call, scope, input, idempotencyKey, deadlineMs } = outgoing;
    const work = scope.kind === 'work' ? scope : undefined;
    const token = scope.kind === 'user' ? scope.token : undefined;
    const hash = inputHash(input, idempotencyKey);
    const rest = {
      deadlineMs,
      ...(token === undefined ? {} : { scope: token }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    };
    const url = `${this.endpoints(call.owner)}/internal/calls/${call.code}`;
    // A proof is used once: a call that is sent again gets another one.
    const post = async (): Promise<Answer> => {
      const proof = await this.mint.sign(call, hash, work, token);
      const frame: CallFrame = { proof, ...rest };
      return this.guarded(call, () => this.post(url, { frame, input }, proof, deadlineMs));
    };
    const answer = await post()
      .catch((error: unknown) => {
        if (isUnsent(error) || (call.effect === 'read' && isLost(error))) return post();
        throw error;
      })
      .catch((error: unknown) => {
        if (isLate(error)) throw new CallUnanswered(call.code, `${deadlineMs} ms went by`);
        throw isLost(error) ? new CallUnanswered(call.code, `${call.owner} cannot be reached`) : error;
      });
    if (answer.error !== undefined) throw raiseFrame(answer.error);
    return answer.output;
  }

  close(): void {
    this.connections.close();
  }

  private async guarded({ owner, code }: Call, post: () => Promise<Answer>): Promise<Answer> {
    const breaker = this.breakers.get(owner) ?? new CircuitBreaker({ ...CIRCUIT, now: this.clock });
    this.breakers.set(owner, breaker);
    if (!breaker.admits()) throw new CallUnanswered(code, `${owner} did not answer the calls before it`);
    try {
      const answer = await post();
      breaker.succeeded();
      return answer;
    } catch (error) {
      if (isLost(error) || isLate(error)) breaker.failed();
      else breaker.succeeded();
      throw error;
    }
  }

  private post(url: string, body: object, proof: string, timeout: number): Promise<Answer> {
    const bytes = Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const sent = this.connections.request(
        url,
        {
          method: 'POST',
          // Includes the wait for a connection: a call whose caller no longer waits is not sent.
          signal: AbortSignal.timeout(timeout),
          headers: {
            ...{ 'content-type': 'application/json', 'content-length': bytes.length, [PROOF_HEADER]: proof },
            ...traceHeaders(),
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            const answer = answerOf(Buffer.concat(parts).toString());
            if (answer === undefined) reject(new NotTheOwner(`Another program answered at ${url}.`));
            else resolve(answer);
          });
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }
}
