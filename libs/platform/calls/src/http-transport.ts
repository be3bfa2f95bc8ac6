import { Agent, request } from 'node:http';
import { type ErrorFrame, raiseFrame } from '@acervo/contracts';
import type { Outgoing, Transport } from './calls';
import { CallUnanswered } from './errors';
import { inputHash, type ProofMint } from './proof';

/** Where the internal port of a service is. */
export type Endpoints = (service: string) => string;

/** What stands in the body of a call over the network, beside its input. */
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

const LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND']);
const isLost = (error: unknown): boolean => LOST.has((error as NodeJS.ErrnoException | null)?.code ?? '');

/** Sends calls to the internal port of their owner over kept connections; reads are repeated once when one breaks. */
export class HttpTransport implements Transport {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 5_000 });

  constructor(
    private readonly endpoints: Endpoints,
    private readonly mint: ProofMint,
  ) {}

  async send(outgoing: Outgoing): Promise<unknown> {
    const { call, scope, input, idempotencyKey, deadlineMs } = outgoing;
    const work = scope.kind === 'work' ? scope : undefined;
    const frame: CallFrame = {
      proof: await this.mint.sign(call, inputHash(input, idempotencyKey), work),
      deadlineMs,
      ...(scope.kind === 'user' ? { scope: scope.token } : {}),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    };
    const post = (): Promise<Answer> =>
      this.post(`${this.endpoints(call.owner)}/internal/calls/${call.code}`, { frame, input }, deadlineMs);
    const answer = await post()
      .catch((error: unknown) => {
        if (call.effect === 'read' && isLost(error)) return post();
        throw error;
      })
      .catch((error: unknown) => {
        throw isLost(error) ? new CallUnanswered(call.code, `${call.owner} cannot be reached`) : error;
      });
    if (answer.error !== undefined) throw raiseFrame(answer.error);
    return answer.output;
  }

  close(): void {
    this.agent.destroy();
  }

  private post(url: string, body: object, timeout: number): Promise<Answer> {
    const bytes = Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method: 'POST',
          agent: this.agent,
          timeout,
          headers: { 'content-type': 'application/json', 'content-length': bytes.length },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            try {
              resolve(JSON.parse(Buffer.concat(parts).toString()) as Answer);
            } catch {
              reject(new Error(`${url} did not answer in JSON.`));
            }
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('The call took too long.')));
      sent.on('error', reject);
      sent.end(bytes);
    });
  }
}
