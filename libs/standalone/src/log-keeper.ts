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

export interface LogKeeperParts {
  /** The file that everything of an installation appends to. */
  readonly file: string;
  readonly logger: Logger;
  /** Size in bytes above which the file is laid aside. */
  readonly largest?: number;
  /** How many files that were laid aside are kept: `.1` is the latest. */
  readonly kept?: number;
}

const LARGEST = 20_000_000;
const KEPT = 4;
const EVERY_MS = 60_000;

/**
 * Lays a log aside while it is written. Several programs have the file open, and none can be told to open another one:
 * it is copied and then emptied, and since all of them append, they go on at its beginning.
 * What another process writes between the last look and the emptying, some microseconds, is lost.
 */
export class LogKeeper {
  private readonly file: string;
  private readonly largest: number;
  private readonly kept: number;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly parts: LogKeeperParts) {
    this.file = parts.file;
    this.largest = parts.largest ?? LARGEST;
    this.kept = parts.kept ?? KEPT;
  }

  start(): void {
    const work = (): void => {
      this.working = this.working.then(() => this.round());
    };
    work();
    this.timer ??= setInterval(work, EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.working;
  }

  /** Lays the file aside where it has become large. Never rejects: a log that cannot be laid aside goes on growing. */
  async round(): Promise<void> {
    try {
      if ((await stat(this.file)).size > this.largest) await this.layAside();
    } catch (error) {
      this.parts.logger.warn({ error }, 'the log could not be laid aside');
    }
  }

  private async layAside(): Promise<void> {
    const copy = `${this.file}.part`;
    await copyFile(this.file, copy);
    const copied = (await stat(copy)).size;
    for (let age = this.kept; age > 1; age -= 1) {
      const younger = `${this.file}.${age - 1}`;
      if (existsSync(younger)) renameSync(younger, `${this.file}.${age}`);
    }
    this.empty(copied, copy);
    renameSync(copy, `${this.file}.1`);
  }

  /** What was written during the copy is added to it, and nothing of this process comes between that and the emptying. */
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
