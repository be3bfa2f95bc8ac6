import { exponential } from '@acervo/platform-resilience';
import { EmbedderUnavailable } from '../embedder.errors';
import type { Embedded, SessionRequest } from './session-messages';
import { type SessionThread, SessionThreadEnded } from './session-thread';
import { type QueuedText, TextQueue } from './text-queue';

export interface SessionThreadsSettings {
  readonly threads: number;
  /** Most texts that wait. */
  readonly mostWaiting: number;
  /** Opens a thread. @throws SessionThreadEnded if it cannot be opened */
  readonly open: () => Promise<SessionThread>;
  /** How many threads may work now, at least 1; all of them without it. */
  readonly allowed?: () => number;
  /** Reports that a thread died; it is replaced. */
  readonly onEnd?: (error: Error) => void;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
/** Threads that may die with one text before its request fails. */
const MOST_FAILURES = 3;

interface Run {
  readonly text: QueuedText;
  readonly since: number;
  readonly ended: Promise<unknown>;
}

/** Threads that share one bounded queue. A thread that dies is replaced, and its text goes to another one. */
export class SessionThreads {
  private readonly queue: TextQueue;
  private readonly idle: SessionThread[] = [];
  private readonly runs = new Map<SessionThread, Run>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private failures = 0;
  private isClosed = false;

  constructor(private readonly settings: SessionThreadsSettings) {
    this.queue = new TextQueue(settings.mostWaiting);
  }

  /** Resolves when all threads run. @throws SessionThreadEnded if one cannot be opened */
  async start(): Promise<void> {
    const threads = Array.from({ length: this.settings.threads }, () => this.settings.open());
    for (const thread of await Promise.all(threads)) this.join(thread);
  }

  /** Texts that wait for a thread. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Whether a thread runs; the others are being replaced. */
  get isOpen(): boolean {
    return this.idle.length + this.runs.size > 0;
  }

  /** How long the longest run has lasted, in milliseconds. */
  get longestRunMs(): number {
    return Math.max(0, ...[...this.runs.values()].map(({ since }) => performance.now() - since));
  }

  /** @throws EmbedderUnavailable when too many texts wait, or when threads die with a text repeatedly */
  embed(requests: readonly SessionRequest[], signal?: AbortSignal): Promise<Embedded[]> {
    if (this.isClosed) return Promise.reject(new EmbedderUnavailable('it stops'));
    const result = this.queue.add(requests, signal);
    this.handOut();
    return result;
  }

  /** Fails what waits, and ends the threads after their current text. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.queue.clear(new EmbedderUnavailable('it stops'));
    const busy = [...this.runs].map(([thread, { ended }]) => thread.close(ended));
    await Promise.all([...this.idle.splice(0).map((thread) => thread.close()), ...busy]);
  }

  private join(thread: SessionThread): void {
    void thread.ended.then(() => this.replace(thread));
    this.idle.push(thread);
    this.handOut();
  }

  private handOut(): void {
    const { allowed = () => this.settings.threads } = this.settings;
    while (this.idle.length > 0 && this.runs.size < Math.max(1, allowed())) {
      const text = this.queue.next();
      const thread = text === undefined ? undefined : this.idle.pop();
      if (text === undefined || thread === undefined) return;
      this.run(thread, text);
    }
  }

  private run(thread: SessionThread, text: QueuedText): void {
    const ended = thread.run(text.request).then(
      (embedded) => {
        this.failures = 0;
        text.done(embedded);
        this.release(thread);
      },
      (error: unknown) => this.failed(thread, text, error),
    );
    this.runs.set(thread, { text, since: performance.now(), ended });
  }

  private release(thread: SessionThread): void {
    this.runs.delete(thread);
    if (this.isClosed) return;
    this.idle.push(thread);
    this.handOut();
  }

  private failed(thread: SessionThread, text: QueuedText, error: unknown): void {
    if (!(error instanceof SessionThreadEnded)) {
      text.fail(new EmbedderUnavailable('the model refused a text'));
      this.release(thread);
      return;
    }
    this.runs.delete(thread);
    text.failures += 1;
    if (text.failures < MOST_FAILURES && !this.isClosed) this.queue.return(text);
    else text.fail(new EmbedderUnavailable('its threads end'));
    this.handOut();
  }

  private replace(thread: SessionThread): void {
    const place = this.idle.indexOf(thread);
    if (place >= 0) this.idle.splice(place, 1);
    if (this.isClosed) return;
    this.settings.onEnd?.(new SessionThreadEnded());
    this.reopen();
  }

  private reopen(): void {
    this.failures += 1;
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        this.settings.open().then(
          (thread) => (this.isClosed ? void thread.close() : this.join(thread)),
          () => this.isClosed || this.reopen(),
        );
      },
      exponential(this.failures, FIRST_WAIT_MS, LONGEST_WAIT_MS),
    );
    this.timers.add(timer);
  }
}
