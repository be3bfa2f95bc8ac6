import { AsyncLocalStorage } from 'node:async_hooks';
import { type Call, type CallerName, encode, revive, type ScopeKind } from '@acervo/contracts';
import { transactionIsOpen } from '@acervo/platform-database';
import { type Metrics, Tracer } from '@acervo/platform-observability';
import type { AnyScope, ScopeOf } from '@acervo/rbac';
import type { CallServer } from './call-server';
import { CallUnanswered, crossingOf } from './errors';

export interface SendOptions {
  readonly deadlineMs?: number;
  readonly idempotencyKey?: string;
}

/** Asks the service that owns a call, wherever it lives. */
export abstract class Calls {
  /** @throws the errors of the call as their classes; CallUnanswered when its owner does not answer in time. */
  abstract send<I extends object, O extends object, K extends ScopeKind>(
    call: Call<I, O, K>,
    scope: ScopeOf[K],
    input: I,
    options?: SendOptions,
  ): Promise<O>;
}

/** The services that live in one process, by name. Handed to each of them; there is no other way to be found. */
export type LocalCalls = Map<string, CallServer>;

/** One call as it is about to leave, input encoded. */
export interface Outgoing {
  readonly call: Call;
  readonly caller: CallerName;
  readonly scope: AnyScope;
  readonly input: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  readonly deadlineMs: number;
}

/** The way to owners that live elsewhere. */
export interface Transport {
  send(outgoing: Outgoing): Promise<unknown>;
}

const deadlines = new AsyncLocalStorage<number>();
/** What a callee leaves its caller to answer in. */
const MARGIN_MS = 50;

/** Runs what a call leads to: the calls that it sends in turn do not outlast the wait of its own caller. */
export const leavingWithin = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
  deadlines.run(Date.now() + ms, work);

/** Whether somebody still waits for what is being worked on: what comes later than its caller waits comes to nothing. */
export const isAwaited = (): boolean => (deadlines.getStore() ?? Infinity) > Date.now();

const within = async <T>(code: string, ms: number, work: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallUnanswered(code, `${ms} ms went by`)), ms);
  });
  try {
    return await Promise.race([leavingWithin(ms, work), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** In process where the owner lives there, else by the transport; both ways encode and decode alike. */
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
    this.seconds = metrics.seconds('call', 'Time until a call was answered', ['call', 'way', 'outcome']);
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
    if (left <= 0) throw new CallUnanswered(call.code, 'whoever asked waits no more');
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

  private async inProcess(owner: CallServer, outgoing: Outgoing): Promise<unknown> {
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
    const labels = { call: call.code, way: owner === undefined ? 'network' : 'process' };
    const span = { name: `call ${call.code}`, kind: 'client', attributes: { 'acervo.way': labels.way } } as const;
    const stop = this.seconds.startTimer();
    try {
      const answer = await this.tracer.run(span, () =>
        within(call.code, deadlineMs, () =>
          owner === undefined ? this.remote.send(outgoing) : this.inProcess(owner, outgoing),
        ),
      );
      stop({ ...labels, outcome: 'answered' });
      return answer;
    } catch (error) {
      stop({ ...labels, outcome: 'failed' });
      throw error;
    }
  }
}
