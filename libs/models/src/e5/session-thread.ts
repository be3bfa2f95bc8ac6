import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Embedded, SessionReply, SessionRequest, SessionSettings } from './session-messages';

/** The thread ended before it answered. */
export class SessionThreadEnded extends Error {
  constructor(why = 'it ended by itself') {
    super(`The thread of the embedder ended: ${why}.`);
    this.name = 'SessionThreadEnded';
  }
}

/** JavaScript needs little; weights and activations lie outside of this limit. */
const LIMITS = { maxOldGenerationSizeMb: 128 };

/** The compiled entry: beside this file, or in `dist` when this file runs from its source. */
export const compiled = (name: string): string => {
  const beside = join(__dirname, name);
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', 'e5', name);
};

interface Waiter {
  readonly done: (embedded: Embedded) => void;
  readonly fail: (error: Error) => void;
}

/**
 * A thread with a session of the model; it takes one text at a time. It is never terminated during a run: ONNX Runtime
 * would abort the process.
 */
export class SessionThread {
  private waiter: Waiter | undefined;
  private why: string | undefined;
  private hasEnded = false;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>;

  private constructor(private readonly worker: Worker) {
    worker.on('error', (error) => (this.why = error instanceof Error ? error.message : String(error)));
    worker.on('message', (reply: SessionReply) => this.settle(reply));
    this.ended = new Promise((resolve) =>
      worker.once('exit', () => {
        this.hasEnded = true;
        this.take()?.fail(new SessionThreadEnded(this.why));
        resolve();
      }),
    );
  }

  /** Resolves when its session is open. @throws SessionThreadEnded if it cannot be opened */
  static async open(settings: SessionSettings, entry = compiled('session-worker.js')): Promise<SessionThread> {
    const worker = new Worker(entry, { workerData: settings, resourceLimits: LIMITS });
    const thread = new SessionThread(worker);
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      void thread.ended.then(() => reject(new SessionThreadEnded(thread.why)));
    });
    return thread;
  }

  /** @throws SessionThreadEnded if the thread dies first; Error with the reason if the session refuses the text */
  run(request: SessionRequest): Promise<Embedded> {
    if (this.hasEnded) return Promise.reject(new SessionThreadEnded(this.why));
    return new Promise((done, fail) => {
      this.waiter = { done, fail };
      this.worker.postMessage(request);
    });
  }

  /** Ends the thread. @param busy its current run, which is awaited */
  async close(busy?: Promise<unknown>): Promise<void> {
    await busy?.catch(() => undefined);
    await this.worker.terminate();
  }

  private settle(reply: SessionReply): void {
    if ('embedded' in reply) this.take()?.done(reply.embedded);
    if ('failure' in reply) this.take()?.fail(new Error(reply.failure));
  }

  private take(): Waiter | undefined {
    const { waiter } = this;
    this.waiter = undefined;
    return waiter;
  }
}
