import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Call,
  type CallerName,
  DomainError,
  encode,
  InternalFailure,
  revive,
  type ScopeKind,
  Unavailable,
} from '@acervo/contracts';
import { transactionIsOpen } from '@acervo/platform-database';
import { type Metrics, Tracer } from '@acervo/platform-observability';
import { withTimeout } from '@acervo/platform-resilience';
import type { AnyScope, ScopeOf } from '@acervo/rbac';
import { CALLS } from './call-metrics';
import type { CallServer } from './call-server';
import { AnswerWithoutPublicName, CallUnanswered, crossingOf } from './errors';

export interface SendOptions {
  readonly deadlineMs?: number;
  readonly idempotencyKey?: string;
}

/** Sends a call to the service that owns it, in this process or over the network. */
export abstract class Calls {
  /** @throws the errors of the call as their classes; CallUnanswered when its owner does not answer in time. */
  abstract send<I extends object, O extends object, K extends ScopeKind>(
    call: Call<I, O, K>,
    scope: ScopeOf[K],
    input: I,
    options?: SendOptions,
  ): Promise<O>;
}

/** A service of this process, as the others call it. */
type LocalOwner = Pick<CallServer, 'dispatch'>;

/** The services of one process, by name. The process passes the map to each of them; there is no global registry. */
export type LocalCalls = Map<string, LocalOwner>;

/** One call before it is sent, input encoded. */
export interface Outgoing {
  readonly call: Call;
  readonly caller: CallerName;
  readonly scope: AnyScope;
  readonly input: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  readonly deadlineMs: number;
}

/** Sends calls to services of other processes. */
export interface Transport {
  send(outgoing: Outgoing): Promise<unknown>;
}

const deadlines = new AsyncLocalStorage<number>();
/** Time that a service reserves to answer its own caller. */
const MARGIN_MS = 50;

/** Runs work under a deadline: calls that it sends end before the wait of its own caller. */
export const leavingWithin = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
  deadlines.run(Date.now() + ms, work);

/** Milliseconds that the caller of the current work still waits; a later result is useless. Infinite without a caller. */
export const awaitedMs = (): number => (deadlines.getStore() ?? Infinity) - Date.now();

/** Whether the caller of the current work still waits. */
export const isAwaited = (): boolean => awaitedMs() > 0;

const within = <T>(code: string, ms: number, work: () => Promise<T>): Promise<T> =>
  withTimeout(ms, leavingWithin(ms, work), () => new CallUnanswered(code, `${ms} ms went by`));

/** Errors of the contract that are no answer to the caller: the owner, or what it needs, is broken or away. */
const FAILURES = [Unavailable, InternalFailure, AnswerWithoutPublicName] as const;

/** What an error of a call says: the owner refused, did not answer, or failed. */
const outcomeOf = (error: unknown): 'refused' | 'unanswered' | 'failed' => {
  if (error instanceof CallUnanswered) return 'unanswered';
  if (!(error instanceof DomainError) || FAILURES.some((type) => error instanceof type)) return 'failed';
  return error.code === 'INTERNAL_ERROR' ? 'failed' : 'refused';
};

/** Calls a local owner in process, any other by the transport; both ways encode and decode alike. */
export class RoutedCalls extends Calls {
  private readonly seconds;

  constructor(
    private readonly caller: CallerName,
    private readonly local: LocalCalls,
    private readonly remote: Transport,
    metrics: Metrics,
    private readonly tracer: Tracer = Tracer.none,
  ) {
    super();
    this.seconds = metrics.seconds(CALLS);
  }

  async send<I extends object, O extends object, K extends ScopeKind>(
    call: Call<I, O, K>,
    scope: ScopeOf[K],
    input: I,
    options: SendOptions = {},
  ): Promise<O> {
    if (transactionIsOpen()) throw new Error(`${call.code} was sent while a transaction is open; send it before.`);
    const wanted = options.deadlineMs ?? call.deadlineMs;
    const left = (deadlines.getStore() ?? Infinity) - Date.now() - MARGIN_MS;
    if (left <= 0) {
      this.seconds.observe({ call: call.code, way: this.wayTo(call), outcome: 'unanswered' }, 0);
      throw new CallUnanswered(call.code, 'the caller no longer waits');
    }
    const deadlineMs = Math.min(wanted, left);
    const outgoing: Outgoing = {
      call: call as Call,
      caller: this.caller,
      scope,
      input: encode(call.input, input),
      idempotencyKey: options.idempotencyKey,
      deadlineMs,
    };
    return revive(call.output, await this.measured(outgoing));
  }

  private wayTo({ owner }: Pick<Call, 'owner'>): 'network' | 'process' {
    return this.local.has(owner) ? 'process' : 'network';
  }

  private async inProcess(owner: LocalOwner, outgoing: Outgoing): Promise<unknown> {
    const { code } = outgoing.call;
    try {
      return await owner.dispatch({ ...outgoing, code });
    } catch (error) {
      throw crossingOf(error, code);
    }
  }

  private async measured(outgoing: Outgoing): Promise<unknown> {
    const { call, deadlineMs } = outgoing;
    const owner = this.local.get(call.owner);
    const labels = { call: call.code, way: this.wayTo(call) };
    const span = { name: `call ${call.code}`, kind: 'client', attributes: { 'acervo.way': labels.way } } as const;
    const stop = this.seconds.startTimer();
    try {
      const answer = await this.tracer.run(span, () =>
        within(call.code, deadlineMs, () =>
          owner === undefined ? this.remote.send(outgoing) : this.inProcess(owner, outgoing),
        ),
      );
      stop({ ...labels, outcome: 'ok' });
      return answer;
    } catch (error) {
      stop({ ...labels, outcome: outcomeOf(error) });
      throw error;
    }
  }
}
