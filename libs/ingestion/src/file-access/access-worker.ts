import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { WalkHung } from '@acervo/files';
import { forkFileProcess, START_MS } from '@acervo/files/process';
import { type AccessOrder, type AccessReport, errorOf } from './access-messages';
import { ShareUnresponsive } from './file-access';

const ENTRY = {
  beside: __dirname,
  compiled: join(__dirname, '..', '..', 'dist', 'file-access'),
  name: 'access-process.js',
};

type Ended = Exclude<AccessReport, { readonly kind: 'ready' | 'progress' | 'part' | 'failed' }>;

/** The order in progress. */
interface Conversation {
  part(report: Extract<AccessReport, { readonly kind: 'part' }>): void;
  done(report: Ended): void;
  fail(error: Error): void;
}

/** One access process. It is killed when it reports nothing for too long; one that hangs in the kernel may live on. */
export class AccessWorker {
  private readonly child: ChildProcess;
  private conversation: Conversation | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isKilled = false;
  private isReady = false;
  /** Resolves when the process has exited. */
  readonly gone: Promise<void>;

  constructor(private readonly silenceMs: number) {
    this.child = forkFileProcess(ENTRY);
    this.child.on('message', (report) => this.hear(report as AccessReport));
    this.gone = new Promise((resolve) => {
      const over = (): void => {
        this.isKilled = true;
        this.settle(({ fail }) => fail(new ShareUnresponsive()));
        resolve();
      };
      this.child.once('exit', over);
      this.child.once('error', over);
    });
  }

  /** Process id, for tests that stop it. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  get isOver(): boolean {
    return this.isKilled;
  }

  /** @throws ShareUnresponsive after silence, and errors of the order as their classes */
  execute(order: AccessOrder, part: Conversation['part'] = () => undefined): Promise<Ended> {
    return new Promise((done, fail) => {
      this.conversation = { part, done, fail };
      this.listen();
      this.child.send(order, () => undefined);
    });
  }

  kill(): void {
    this.isKilled = true;
    this.child.kill('SIGKILL');
    this.settle(({ fail }) => fail(new ShareUnresponsive()));
  }

  private hear(report: AccessReport): void {
    this.isReady = true;
    this.listen();
    if (report.kind === 'part') this.conversation?.part(report);
    else if (report.kind === 'failed') this.failed(errorOf(report.failure));
    else if (report.kind !== 'progress' && report.kind !== 'ready') this.settle(({ done }) => done(report));
  }

  private listen(): void {
    clearTimeout(this.timer);
    if (this.conversation !== undefined)
      this.timer = setTimeout(() => this.kill(), this.silenceMs + (this.isReady ? 0 : START_MS));
  }

  private failed(error: Error): void {
    this.settle(({ fail }) => fail(error instanceof WalkHung ? new ShareUnresponsive() : error));
  }

  private settle(how: (conversation: Conversation) => void): void {
    clearTimeout(this.timer);
    const { conversation } = this;
    this.conversation = undefined;
    if (conversation !== undefined) how(conversation);
  }
}
