import type { ExtractionLimits } from './limits';
import { ReadingInterrupted, ReadingProcess } from './reading-process';

interface Waiting {
  readonly urgent: boolean;
  take(process: ReadingProcess): void;
  giveUp(error: Error): void;
}

/** A few reused reading processes, replaced after a number of files or at high memory. */
export class ProcessPool {
  private idle: ReadingProcess[] = [];
  private readonly busy = new Set<ReadingProcess>();
  private readonly waiting: Waiting[] = [];
  private closed = false;

  constructor(private readonly limits: ExtractionLimits) {}

  /** The current processes. */
  get pids(): number[] {
    return [...this.idle, ...this.busy].map(({ pid }) => pid);
  }

  /** Starts missing processes, so that the next files need not wait for them. */
  warm(): void {
    if (this.closed) return;
    this.idle = this.idle.filter(({ isOver }) => !isOver);
    while (this.idle.length + this.busy.size < this.limits.processes) this.idle.push(new ReadingProcess(this.limits));
  }

  /**
   * Lends a process for the duration of the work, to urgent work before all waiting work. While every process is busy,
   * one extra process starts for urgent work.
   * @throws ReadingInterrupted once the pool is closed
   */
  async use<T>(work: (process: ReadingProcess) => Promise<T>, urgent = false): Promise<T> {
    const process = await this.take(urgent);
    try {
      return await work(process);
    } finally {
      await this.giveBack(process);
    }
  }

  /** Ends every process and waits for its exit. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { giveUp } of this.waiting.splice(0)) giveUp(new ReadingInterrupted());
    const processes = [...this.idle.splice(0), ...this.busy];
    for (const process of processes) process.kill();
    await Promise.all(processes.map(({ gone }) => gone));
  }

  private take(urgent: boolean): Promise<ReadingProcess> {
    if (this.closed) return Promise.reject(new ReadingInterrupted());
    const most = this.limits.processes + (urgent ? 1 : 0);
    if (this.busy.size >= most) return new Promise((take, giveUp) => this.enqueue({ urgent, take, giveUp }));
    return Promise.resolve(this.hand());
  }

  private enqueue(waiting: Waiting): void {
    const place = waiting.urgent ? this.waiting.findIndex(({ urgent }) => !urgent) : -1;
    this.waiting.splice(place < 0 ? this.waiting.length : place, 0, waiting);
  }

  private hand(): ReadingProcess {
    let process = this.idle.pop();
    while (process?.isOver === true) process = this.idle.pop();
    process ??= new ReadingProcess(this.limits);
    this.busy.add(process);
    return process;
  }

  private async giveBack(process: ReadingProcess): Promise<void> {
    process.files += 1;
    if (await this.isWorn(process)) process.kill();
    // A killed process counts until its exit, so that the limit is never exceeded.
    if (process.isOver) await process.gone;
    else this.idle.push(process);
    this.busy.delete(process);
    if (this.closed) return;
    // An extra process ran for urgent work; its free place does not admit another one.
    if (this.busy.size >= this.limits.processes && this.waiting[0]?.urgent !== true) return this.leaveOut();
    const next = this.waiting.shift();
    if (next === undefined) this.warm();
    else next.take(this.hand());
  }

  /** Ends an idle process beyond the limit. */
  private leaveOut(): void {
    if (this.idle.length + this.busy.size > this.limits.processes) this.idle.pop()?.kill();
  }

  private async isWorn(process: ReadingProcess): Promise<boolean> {
    const { filesPerProcess, memoryBytes } = this.limits;
    return this.closed || process.files >= filesPerProcess || (await process.memory()) > memoryBytes / 2;
  }
}
