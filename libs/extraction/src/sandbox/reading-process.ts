import { type ChildProcess, spawn } from 'node:child_process';
import { ReadingFailed } from '../errors';
import type { RawPage, Recogniser } from '../reader';
import type { Clock, Overdue } from './clock';
import { Malformed } from './decoders';
import { failureOf, refusalOf } from './failures';
import type { ExtractionLimits } from './limits';
import { residentMemory, watchMemory } from './memory';
import type { Answer, Order, Report, Task } from './protocol';
import { readReport } from './read-report';
import { readerCommand } from './walls';

/** The reason why a reading process ended. */
export type Ending = Overdue | 'memory' | 'crash' | 'killed';

/** The reading process of a file ended before it was done. */
export class ProcessEnded extends Error {
  constructor(readonly ending: Ending) {
    super('The process that read the file ended before it was done.');
    this.name = 'ProcessEnded';
  }
}

/** The reading failed for a reason unrelated to the file. */
export class ReadingInterrupted extends Error {
  constructor() {
    super('The reading was interrupted; try again.');
    this.name = 'ReadingInterrupted';
  }
}

/** Callbacks during a task. */
export interface Attendant {
  opened(): void;
  page(page: RawPage): Promise<void>;
  readonly recogniser: Recogniser | null;
  readonly clock: Clock;
  /** Called for an unexpected error of a reader, with its name and its position in the program. */
  mishap(name: string, at: string): void;
}

interface Conversation extends Attendant {
  done(answer: Answer): void;
  fail(error: Error): void;
}

type ReportOf<Kind extends Report['kind']> = Extract<Report, { kind: Kind }>;

const HEAP_SHARE = 0.6;
/** Longest time from the first task of a new process until its readers are loaded, in milliseconds. */
const START_MS = 120_000;

/** The meaning of a foreign signal: V8 aborts when its heap is full; the other signals come from outside. */
const endings: Partial<Record<NodeJS.Signals, Ending>> = {
  SIGABRT: 'memory',
  SIGKILL: 'killed',
  SIGTERM: 'killed',
  SIGINT: 'killed',
  SIGHUP: 'killed',
  SIGXCPU: 'killed',
};

/** One supervised reading process. It is killed when it uses too much memory or makes no progress. */
export class ReadingProcess {
  files = 0;
  /** Settles when the process has exited. */
  readonly gone: Promise<void>;
  private readonly child: ChildProcess;
  private conversation: Conversation | undefined;
  private ending: Ending | undefined;
  private ended = false;
  /** A process that is not ready is still starting: that is no silence of its file. */
  private isReady = false;
  private starting: NodeJS.Timeout | undefined;
  /** Serialises reports in order of arrival: an answer never overtakes a page that is still being saved. */
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
    this.child.on('message', (message) => {
      const report = this.read(message);
      if (report === undefined) return;
      this.isReady = true;
      clearTimeout(this.starting);
      this.conversation?.clock.progress();
      this.heard = this.heard.then(() => this.hear(report));
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

  /** Performs one task. After any result except an answer or a refusal, the process is not reused. */
  async ask(task: Task, attendant: Attendant): Promise<Answer> {
    if (this.isOver) throw new ProcessEnded('killed');
    const { clock } = attendant;
    clock.whenOverdue((which) => this.kill(which));
    try {
      return await new Promise<Answer>((done, fail) => {
        this.conversation = { ...attendant, done, fail };
        if (this.isReady) clock.progress();
        else this.starting = setTimeout(() => this.kill(), START_MS);
        this.send(task);
      });
    } finally {
      clearTimeout(this.starting);
      clock.pause();
      this.conversation = undefined;
    }
  }

  kill(why: Ending = 'killed'): void {
    this.ending ??= why;
    this.child.kill('SIGKILL');
  }

  /** Undefined for a message after the end, and for one that no reader sends: its process has other code, and ends. */
  private read(message: unknown): Report | undefined {
    if (this.isOver) return undefined;
    try {
      return readReport(message);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.conversation?.mishap(error.name, error.message);
      this.kill('crash');
      return undefined;
    }
  }

  private async hear(report: Report): Promise<void> {
    const { conversation } = this;
    if (conversation === undefined || report.kind === 'ready') return;
    conversation.clock.progress();
    if (report.kind === 'opened') conversation.opened();
    else if (report.kind === 'page') await conversation.page(report.page).catch((error) => this.cancel(error));
    else if (report.kind === 'recognise') await this.recognise(report, conversation);
    else if (report.kind === 'failed') this.failed(report, conversation);
    else conversation.done(report);
  }

  /** The caller cancelled in the middle of a task. */
  private cancel(error: unknown): void {
    this.conversation?.fail(error instanceof Error ? error : new ReadingInterrupted());
    this.conversation = undefined;
    this.kill();
  }

  private failed({ failure }: ReportOf<'failed'>, conversation: Conversation): void {
    const refusal = refusalOf(failure);
    if (refusal !== undefined) return conversation.fail(refusal);
    // The state of a process is unknown after an unexpected error.
    conversation.mishap(failure.name, failure.at);
    conversation.fail(new ReadingFailed(null));
    this.kill();
  }

  /** The clock of the file pauses meanwhile: recognition has a separate clock. */
  private async recognise({ picture }: ReportOf<'recognise'>, { recogniser, clock }: Conversation): Promise<void> {
    clock.pause();
    try {
      if (recogniser === null) throw new Error('A picture arrived, and no recogniser is configured.');
      const text = await recogniser.recognise(picture);
      this.send({ kind: 'recognised', text });
    } catch (error) {
      this.send({ kind: 'not-recognised', failure: failureOf(error) });
    }
    if (!this.isOver) clock.progress();
  }

  private send(order: Order): void {
    // A process that has just ended receives nothing; its end is handled separately.
    if (this.child.connected) this.child.send(order, () => undefined);
  }

  private over(ending: Ending): void {
    if (this.ended) return;
    this.ended = true;
    this.conversation?.fail(new ProcessEnded(ending));
  }
}
