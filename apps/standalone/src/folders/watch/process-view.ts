import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forkFileProcess, START_MS } from '@acervo/files/process';
import type { FolderState, FolderView } from './folder-view';
import { LONGEST_OPENING_MS, type TreeNews } from './tree-watch';
import type { WatchOrder, WatchReport } from './watch-messages';

const ENTRY = {
  beside: __dirname,
  compiled: join(__dirname, '..', '..', '..', 'dist', 'folders', 'watch'),
  name: 'watch-process.js',
};

type Answer = Extract<WatchReport, { readonly kind: 'answer' }>;

/**
 * A view in a process of its own, so that a share that does not answer stops nothing else. The process is killed when it
 * is silent for too long, and the folder counts as unreadable until it has exited.
 */
export class ProcessView implements FolderView {
  private child: ChildProcess | undefined;
  /** Resolves when the process has started, or cannot. */
  private begun: Promise<unknown> = Promise.resolve();
  private stuck = false;
  private closed = false;
  private orders = 0;
  private news: TreeNews | undefined;
  private readonly awaited = new Map<number, (answer: Answer | undefined) => void>();

  constructor(
    private readonly folder: string,
    private readonly silenceMs: number,
  ) {}

  /** Process id of the current process, for tests that stop it. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  async look(): Promise<FolderState> {
    const answer = await this.send('look', this.silenceMs);
    return answer?.state ?? { path: this.folder, identity: undefined };
  }

  async watch(news: TreeNews): Promise<void> {
    this.news = news;
    await this.send('watch', this.silenceMs + LONGEST_OPENING_MS);
  }

  async unwatch(): Promise<void> {
    this.news = undefined;
    if (this.child !== undefined) await this.send('unwatch', this.silenceMs);
  }

  /** Ends the process without waiting: it may hang in the kernel. */
  close(): Promise<void> {
    this.closed = true;
    this.news = undefined;
    this.child?.kill('SIGKILL');
    return Promise.resolve();
  }

  /** Sends an order; undefined without an answer in time. */
  private async send(kind: WatchOrder['kind'], patienceMs: number): Promise<Answer | undefined> {
    if (this.closed || this.stuck) return undefined;
    const child = (this.child ??= this.started());
    await this.begun;
    if (this.child !== child || this.stuck) return undefined;
    const order: WatchOrder = { number: (this.orders += 1), kind };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.giveUp(child), patienceMs);
      this.awaited.set(order.number, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      child.send(order, () => undefined);
    });
  }

  private started(): ChildProcess {
    const child = forkFileProcess(ENTRY, [this.folder]);
    child.on('message', (report) => this.hear(report as WatchReport));
    child.once('exit', () => this.over());
    child.once('error', () => this.over());
    const started = [once(child, 'message'), once(child, 'exit'), pause(START_MS, undefined, { ref: false })];
    this.begun = Promise.race(started).catch(() => undefined);
    return child;
  }

  private hear(report: WatchReport): void {
    if (report.kind === 'ready') return;
    if (report.kind === 'news')
      return report.news === 'changed' ? this.news?.changed(report.change) : this.news?.[report.news]();
    this.awaited.get(report.number)?.(report);
    this.awaited.delete(report.number);
  }

  /** The share does not answer. The process may hang in the kernel, so that no other one follows before it has exited. */
  private giveUp(child: ChildProcess): void {
    this.stuck = true;
    child.kill('SIGKILL');
    this.lose();
  }

  private over(): void {
    this.child = undefined;
    this.stuck = false;
    this.lose();
  }

  /** No order has an answer, and the watch is lost: the next look at the folder scans it under a new watch. */
  private lose(): void {
    for (const resolve of this.awaited.values()) resolve(undefined);
    this.awaited.clear();
    const { news } = this;
    this.news = undefined;
    news?.outdated();
  }
}
