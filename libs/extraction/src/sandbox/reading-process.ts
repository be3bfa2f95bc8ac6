import { type ChildProcess, spawn } from 'node:child_process';
import { ReadingFailed } from '../errors';
import type { RawPage, Recogniser } from '../reader';
import type { Clock, Overdue } from './clock';
import { failureOf, refusalOf } from './failures';
import type { ExtractionLimits } from './limits';
import { residentMemory, watchMemory } from './memory';
import type { Answer, Order, Report, Task } from './protocol';
import { readerCommand } from './walls';

/** Why a process that was reading is no more. */
export type Ending = Overdue | 'memory' | 'crash' | 'killed';

/** The process that read a file ended before it was done. */
export class ProcessEnded extends Error {
  constructor(readonly ending: Ending) {
    super('The process that read the file ended before it was done.');
    this.name = 'ProcessEnded';
  }
}

/** Something went wrong that says nothing about the file. */
export class ReadingInterrupted extends Error {
  constructor() {
    super('The reading was interrupted; it is worth another try.');
    this.name = 'ReadingInterrupted';
  }
}

/** What happens while a task is done. */
export interface Attendant {
  opened(): void;
  page(page: RawPage): Promise<void>;
  readonly recogniser: Recogniser | null;
  readonly clock: Clock;
  /** Told of an error that no reader should make: its name and its place in the program. */
  mishap(name: string, at: string): void;
}

interface Conversation extends Attendant {
  done(answer: Answer): void;
  fail(error: Error): void;
}

type ReportOf<Kind extends Report['kind']> = Extract<Report, { kind: Kind }>;

const HEAP_SHARE = 0.6;

/** What a signal says that we did not send: V8 aborts when its heap is full; the others come from outside. */
const endings: Partial<Record<NodeJS.Signals, Ending>> = {
  SIGABRT: 'memory',
  SIGKILL: 'killed',
  SIGTERM: 'killed',
  SIGINT: 'killed',
  SIGHUP: 'killed',
  SIGXCPU: 'killed',
};

/** One process that reads files, watched: it is killed when it takes too much memory or makes no progress. */
export class ReadingProcess {
  files = 0;
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  private readonly child: ChildProcess;
  private conversation: Conversation | undefined;
  private ending: Ending | undefined;
  private ended = false;
  /** Reports count in the order of their coming: an answer never overtakes a page that is still being kept. */
  private heard: Promise<void> = Promise.resolve();

  constructor(limits: ExtractionLimits) {
    const heap = Math.floor((limits.memoryBytes * HEAP_SHARE) / (1024 * 1024));
    const { program, args } = readerCommand(heap);
    this.child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: {},
    });
    const stopWatching = watchMemory(this.pid, limits.memoryBytes, () => this.kill('memory'));
    this.child.on('message', (report) => {
      this.conversation?.clock.progress();
      this.heard = this.heard.then(() => this.hear(report as Report));
    });
    this.gone = new Promise((resolve) => {
      const over = (ending: Ending): void => {
        stopWatching();
        this.over(ending);
        resolve();
      };
      this.child.on('error', () => over('killed'));
      this.child.on('exit', (_code, signal) => over(this.ending ?? endings[signal ?? 'SIGSEGV'] ?? 'crash'));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isOver(): boolean {
    return this.ended || this.ending !== undefined;
  }

  memory(): Promise<number> {
    return residentMemory(this.pid);
  }

  /** Has one task done. After anything else than an answer or a refusal the process is not used again. */
  async ask(task: Task, attendant: Attendant): Promise<Answer> {
    if (this.isOver) throw new ProcessEnded('killed');
    const { clock } = attendant;
    clock.whenOverdue((which) => this.kill(which));
    try {
      return await new Promise<Answer>((done, fail) => {
        this.conversation = { ...attendant, done, fail };
        clock.progress();
        this.tell(task);
      });
    } finally {
      clock.pause();
      this.conversation = undefined;
    }
  }

  kill(why: Ending = 'killed'): void {
    this.ending ??= why;
    this.child.kill('SIGKILL');
  }

  private async hear(report: Report): Promise<void> {
    const { conversation } = this;
    if (conversation === undefined || report.kind === 'ready') return;
    conversation.clock.progress();
    if (report.kind === 'opened') conversation.opened();
    else if (report.kind === 'page') await conversation.page(report.page).catch((error) => this.abandon(error));
    else if (report.kind === 'recognise') await this.recognise(report, conversation);
    else if (report.kind === 'failed') this.failed(report, conversation);
    else conversation.done(report);
  }

  /** Who asked does not want it any more; the process is in the middle of it. */
  private abandon(error: unknown): void {
    this.conversation?.fail(error instanceof Error ? error : new ReadingInterrupted());
    this.conversation = undefined;
    this.kill();
  }

  private failed({ failure }: ReportOf<'failed'>, conversation: Conversation): void {
    const refusal = refusalOf(failure);
    if (refusal !== undefined) return conversation.fail(refusal);
    // Nothing is known of a process after an error that nobody foresaw.
    conversation.mishap(failure.name, failure.at);
    conversation.fail(new ReadingFailed(null));
    this.kill();
  }

  /** The clock of the file stands still meanwhile: a recogniser has one of its own. */
  private async recognise({ picture }: ReportOf<'recognise'>, { recogniser, clock }: Conversation): Promise<void> {
    clock.pause();
    try {
      if (recogniser === null) throw new Error('A picture came, and nobody recognises any.');
      const text = await recogniser.recognise(picture);
      this.tell({ kind: 'recognised', text });
    } catch (error) {
      this.tell({ kind: 'not-recognised', failure: failureOf(error) });
    }
    if (!this.isOver) clock.progress();
  }

  private tell(order: Order): void {
    // A process that has just ended cannot be told anything; its end is what counts.
    if (this.child.connected) this.child.send(order, () => undefined);
  }

  private over(ending: Ending): void {
    if (this.ended) return;
    this.ended = true;
    this.conversation?.fail(new ProcessEnded(ending));
  }
}
