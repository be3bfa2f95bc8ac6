import { unlessAborted } from '@acervo/platform-resilience';
import type { ChatRequest } from './chat-model';
import type { ObservedRequest, RequestEnd } from './chat-observer';

/** A request that is about to be sent. */
export interface AccountedRequest {
  readonly callId: string;
  readonly request: ChatRequest;
  readonly model: string;
  /** Tokens that it takes at most: those of its prompt, estimated, and of the longest answer. */
  readonly mostTokens: number;
}

/** Admits requests to a chat model, and records what they took. */
export abstract class ModelAccounts {
  /**
   * Admits a request before it is sent.
   * @throws ChatModelFailure PLAN where the plan of the group has no tokens left, UNREACHABLE where that is not known
   */
  abstract admit(accounted: AccountedRequest): Promise<void>;

  /** Records how an admitted request ended; never throws. */
  abstract settle(accounted: AccountedRequest, ended: ObservedRequest): Promise<void>;
}

/** Admits every request and records nothing: for programs without groups, such as benches. */
export class NoAccounts extends ModelAccounts {
  admit(): Promise<void> {
    return Promise.resolve();
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }
}

/** The account of one request: opened when it is admitted, closed by its end. */
export class RequestAccount {
  private isOpen = false;

  /** @param began when the request began, by `performance.now` */
  constructor(
    private readonly accounts: ModelAccounts,
    private readonly accounted: AccountedRequest,
    private readonly began: number,
  ) {}

  /**
   * Waits for the admission until the signal ends the request. One that comes later counts nothing.
   * @throws as `ModelAccounts.admit`, and the reason of the signal
   */
  async open(signal: AbortSignal): Promise<void> {
    const admission = this.accounts.admit(this.accounted);
    try {
      await unlessAborted(signal, admission);
    } catch (error) {
      void admission.then(
        () => this.settle({ outcome: 'ABORTED', finish: null, usage: null }),
        () => undefined,
      );
      throw error;
    }
    this.isOpen = true;
  }

  /** Records the end of an admitted request; further ends do nothing. */
  async close(end: RequestEnd): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.settle(end);
  }

  private settle(end: RequestEnd): Promise<void> {
    const { model } = this.accounted;
    return this.accounts.settle(this.accounted, { ...end, model, seconds: (performance.now() - this.began) / 1_000 });
  }
}
