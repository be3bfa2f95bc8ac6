import type { ExtractionLimits } from './limits';
import { ReadingInterrupted, ReadingProcess } from './reading-process';

/** A few processes that read files, used one after the other and replaced when they are worn. */
export class ProcessPool {
  private readonly idle: ReadingProcess[] = [];
  private readonly busy = new Set<ReadingProcess>();
  private readonly waiting: ((process: ReadingProcess) => void)[] = [];
  private closed = false;

  constructor(private readonly limits: ExtractionLimits) {}

  /** Processes that are there now. */
  get pids(): number[] {
    return [...this.idle, ...this.busy].map(({ pid }) => pid);
  }

  /** Starts the processes, so that the first files need not wait for them. */
  warm(): void {
    while (this.idle.length + this.busy.size < this.limits.processes) this.idle.push(new ReadingProcess(this.limits));
  }

  /** Lends a process for as long as the work takes. @throws ReadingInterrupted once the pool is closed */
  async use<T>(work: (process: ReadingProcess) => Promise<T>): Promise<T> {
    const process = await this.take();
    try {
      return await work(process);
    } finally {
      await this.giveBack(process);
    }
  }

  close(): void {
    this.closed = true;
    for (const process of [...this.idle, ...this.busy]) process.kill();
    this.idle.length = 0;
  }

  private take(): Promise<ReadingProcess> {
    if (this.closed) return Promise.reject(new ReadingInterrupted());
    if (this.busy.size >= this.limits.processes) return new Promise((resolve) => this.waiting.push(resolve));
    return Promise.resolve(this.hand());
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
    const worn = process.files >= this.limits.filesPerProcess || (await process.memory()) > this.limits.memoryBytes / 2;
    this.busy.delete(process);
    if (worn || this.closed) process.kill();
    else if (!process.isOver) this.idle.push(process);
    this.waiting.shift()?.(this.hand());
  }
}
