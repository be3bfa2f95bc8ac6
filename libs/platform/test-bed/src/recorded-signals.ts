import type { WorkSignal } from '@acervo/platform-queue';

/** The queue of a service in a test: accepts and records signals, and starts no work. */
export class RecordedSignals {
  /** The stages of the signals, in the order of their arrival. */
  readonly stages: string[] = [];
  /** Whether a signal is reported as pending. */
  isPending = false;

  add(_name: string, { stage }: WorkSignal): Promise<void> {
    this.stages.push(stage);
    return Promise.resolve();
  }

  getJob(): Promise<object | undefined> {
    return Promise.resolve(this.isPending ? {} : undefined);
  }

  getWaiting(): Promise<object[]> {
    return Promise.resolve([]);
  }

  on(): this {
    return this;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
