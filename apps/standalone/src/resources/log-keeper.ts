import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import type { Logger } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';

export interface LogKeeperDependencies {
  /** The log file that all processes of an installation append to. */
  readonly file: string;
  readonly logger: Logger;
  /** Size in bytes above which the file is rotated. */
  readonly largest?: number;
  /** Number of rotated files; `.1` is the latest. */
  readonly retained?: number;
}

const LARGEST = 20_000_000;
const RETAINED = 4;
const EVERY_MS = 60_000;

/**
 * Rotates a log while processes write it. They cannot reopen the file, so that it is copied and then truncated. All of
 * them append, and continue at the beginning of the file.
 * Lines that another process writes between the last read and the truncation, some microseconds, are lost.
 */
export class LogKeeper {
  private readonly file: string;
  private readonly largest: number;
  private readonly retained: number;
  private readonly rounds = new Periodic(() => this.round(), { firstMs: 0, everyMs: EVERY_MS });

  constructor(private readonly dependencies: LogKeeperDependencies) {
    this.file = dependencies.file;
    this.largest = dependencies.largest ?? LARGEST;
    this.retained = dependencies.retained ?? RETAINED;
  }

  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Rotates the file if it is too large. Never rejects: after a failure the log continues to grow. */
  async round(): Promise<void> {
    try {
      if ((await stat(this.file)).size > this.largest) await this.rotate();
    } catch (error) {
      this.dependencies.logger.warn({ error }, 'the log could not be rotated');
    }
  }

  private async rotate(): Promise<void> {
    const copy = `${this.file}.part`;
    await copyFile(this.file, copy);
    const copied = (await stat(copy)).size;
    for (let age = this.retained; age > 1; age -= 1) {
      const younger = `${this.file}.${age - 1}`;
      if (existsSync(younger)) renameSync(younger, `${this.file}.${age}`);
    }
    this.empty(copied, copy);
    renameSync(copy, `${this.file}.1`);
  }

  /**
   * Adds the lines written during the copy to the copy. Synchronous, so that this process writes nothing before the
   * truncation.
   */
  private empty(copied: number, copy: string): void {
    const log = openSync(this.file, 'r+');
    try {
      const rest = Buffer.alloc(Math.max(0, fstatSync(log).size - copied));
      const read = readSync(log, rest, 0, rest.length, copied);
      appendFileSync(copy, rest.subarray(0, read));
      ftruncateSync(log, 0);
    } finally {
      closeSync(log);
    }
  }
}
