import { type ChildProcess, spawn } from 'node:child_process';
import type { RawPage, Recogniser } from '../reader';
import type { ExtractionLimits } from './limits';
import { residentMemory, watchMemory } from './memory';
import { failureOf, type Order, refusalOf, type Report } from './protocol';
import { readerCommand } from './walls';

/** Why a process that was reading is no more. */
export type Ending = 'silence' | 'memory' | 'crash' | 'killed';

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

export type Answer = Extract<Report, { kind: 'extracted' | 'pages-read' | 'assembled' }>;

/** What happens while an order is carried out. */
export interface Attendant {
  page(page: RawPage): Promise<void>;
  readonly recogniser: Recogniser | null;
}

interface Conversation extends Attendant {
  done(answer: Answer): void;
  fail(error: Error): void;
}

/** V8 ends its process like this when its heap is full. */
const HEAP_FULL = 'SIGABRT';
const HEAP_SHARE = 0.6;

/** One process that reads files, watched: it is killed when it takes too much memory or makes no progress. */
export class ReadingProcess {
  files = 0;
  private readonly child: ChildProcess;
  private conversation: Conversation | undefined;
  private silence: NodeJS.Timeout | undefined;
  private ending: Ending | undefined;
  private ended = false;

  constructor(private readonly limits: ExtractionLimits) {
    const heap = Math.floor((limits.memoryBytes * HEAP_SHARE) / (1024 * 1024));
    const { program, args } = readerCommand(heap);
    this.child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: {},
    });
    const stopWatching = watchMemory(this.pid, limits.memoryBytes, () => this.kill('memory'));
    this.child.on('message', (report) => void this.hear(report as Report));
    this.child.on('error', () => this.over('crash'));
    this.child.on('exit', (_code, signal) => {
      stopWatching();
      this.over(this.ending ?? (signal === HEAP_FULL ? 'memory' : signal === 'SIGKILL' ? 'killed' : 'crash'));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isOver(): boolean {
    return this.ended;
  }

  memory(): Promise<number> {
    return residentMemory(this.pid);
  }

  /** Has one order carried out. @throws ExtractionRefusal, ProcessEnded, or ReadingInterrupted for anything else. */
  ask(order: Extract<Order, { kind: 'read' | 'assemble' }>, attendant: Attendant): Promise<Answer> {
    if (this.ended) return Promise.reject(new ProcessEnded('killed'));
    return new Promise<Answer>((done, fail) => {
      this.conversation = { ...attendant, done, fail };
      this.heard();
      this.tell(order);
    }).finally(() => {
      clearTimeout(this.silence);
      this.conversation = undefined;
    });
  }

  kill(why: Ending = 'killed'): void {
    this.ending ??= why;
    this.child.kill('SIGKILL');
  }

  private async hear(report: Report): Promise<void> {
    const { conversation } = this;
    if (conversation === undefined || report.kind === 'ready') return;
    this.heard();
    if (report.kind === 'page') return conversation.page(report.page).catch(conversation.fail);
    if (report.kind === 'recognise') return this.recognise(report, conversation);
    if (report.kind !== 'failed') return conversation.done(report);
    conversation.fail(refusalOf(report.failure) ?? new ReadingInterrupted());
  }

  /** The clock of the file stands still meanwhile: a recogniser has one of its own. */
  private async recognise(
    { picture }: Extract<Report, { kind: 'recognise' }>,
    { recogniser }: Conversation,
  ): Promise<void> {
    clearTimeout(this.silence);
    try {
      if (recogniser === null) throw new Error('A picture came, and nobody recognises any.');
      this.tell({ kind: 'recognised', text: await recogniser.recognise(picture) });
    } catch (error) {
      this.tell({ kind: 'not-recognised', failure: failureOf(error) });
    }
    this.heard();
  }

  /** It lives: the time that it may be silent begins anew. */
  private heard(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.kill('silence'), this.limits.silenceMs);
  }

  private tell(order: Order): void {
    // A process that has just ended cannot be told anything; its end is what counts.
    if (this.child.connected) this.child.send(order, () => undefined);
  }

  private over(ending: Ending): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.silence);
    this.conversation?.fail(new ProcessEnded(ending));
  }
}
