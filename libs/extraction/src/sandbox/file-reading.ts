import { type ExtractionRefusal, ReadingFailed, ReadingTookTooLong, ReadingTookTooMuch } from '../errors';
import type { AcquiredFile, Extraction, RawPage, Recogniser } from '../reader';
import type { SavedPages } from '../text-source';
import { Clock } from './clock';
import { type ExtractionLimits, readLimitsOf } from './limits';
import type { Answer, Task } from './protocol';
import { type Attendant, type Ending, ProcessEnded, ReadingInterrupted } from './reading-process';
import { TimedRecogniser } from './timed-recogniser';

/** Times that one place of a file may end a process before something else is tried, or the file is refused. */
const PATIENCE = 2;
/** Processes that one file may cost in all. */
const MOST_PROCESSES = 10;

/** Something that does one task, or ends over it. */
export interface Worker {
  ask(task: Task, attendant: Attendant): Promise<Answer>;
}

export interface ReadingMeans {
  /** Lends a worker, a fresh one where the last has ended. */
  readonly pool: { use<T>(work: (worker: Worker) => Promise<T>, urgent?: boolean): Promise<T> };
  readonly limits: ExtractionLimits;
  readonly recogniser: Recogniser | null;
  log(event: string, details: object): void;
}

/** Reads one file to its end, in as many processes as that takes within reason. */
export class FileReading {
  private readonly clock: Clock;
  private readonly recogniser: TimedRecogniser | null;
  private pages: RawPage[] = [];
  private readonly unseen: number[] = [];
  private isOpen = false;
  private endings = 0;
  /** Endings at the same place, one after the other. */
  private stuck = { place: -1, times: 0 };

  constructor(
    private readonly means: ReadingMeans,
    private readonly file: AcquiredFile,
    private readonly saved: SavedPages,
  ) {
    const { limits, recogniser } = means;
    this.clock = new Clock(limits.silenceMs, limits.fileMs);
    this.recogniser = recogniser === null ? null : new TimedRecogniser(recogniser, limits.recognitionsMs);
  }

  /** @throws ExtractionRefusal; ReadingInterrupted when it is worth another try. */
  async read(): Promise<Extraction> {
    this.pages = [...(await this.saved.load())];
    const answer = await this.persistently(() => this.readingTask());
    if (answer.kind === 'extracted') return answer.extraction;
    if (answer.kind !== 'pages-read') throw new Error('A file was read, and something else came out.');
    this.assertNothingLost();
    const { reader: name, facts, attachments } = answer;
    this.isOpen = false;
    const assembled = await this.persistently(() => ({ kind: 'assemble', name, pages: this.pages, facts }));
    if (assembled.kind !== 'assembled') throw new Error('Pages were put together, and something else came out.');
    return { document: assembled.document, attachments };
  }

  private readingTask(): Task {
    const { file, recogniser, unseen, means } = this;
    const limits = readLimitsOf(means.limits);
    return { kind: 'read', file, limits, recognises: recogniser !== null, from: this.pages.length + 1, unseen };
  }

  private async persistently(task: () => Task): Promise<Answer> {
    for (;;) {
      try {
        return await this.means.pool.use((process) => process.ask(task(), this.attendant()), this.file.urgent);
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error;
        this.means.log('reading-process-ended', { ending: error.ending, page: this.isOpen ? this.place : null });
        this.consider(error.ending);
      }
    }
  }

  /** Returns when another try is worth it. @throws ExtractionRefusal, ReadingInterrupted */
  private consider(ending: Ending): void {
    this.endings += 1;
    this.stuck = { place: this.place, times: this.stuck.place === this.place ? this.stuck.times + 1 : 1 };
    if (ending === 'time' || this.endings >= MOST_PROCESSES) throw this.refusal(ending);
    if (this.stuck.times < PATIENCE && (this.isOpen || ending === 'killed')) return;
    if (ending === 'killed' && !this.isOpen) throw new ReadingInterrupted();
    // Drawing the page may be what does it: its text is worth a last try.
    if (!this.isOpen || this.recogniser === null || this.unseen.includes(this.place)) throw this.refusal(ending);
    this.unseen.push(this.place);
    this.stuck.times = 0;
  }

  private refusal(ending: Ending): ExtractionRefusal {
    const { silenceMs, fileMs, memoryBytes } = this.means.limits;
    if (this.isOpen && ending !== 'time') return new ReadingFailed(this.place);
    if (ending === 'silence' || ending === 'time')
      return new ReadingTookTooLong(Math.round((ending === 'time' ? fileMs : silenceMs) / 1_000));
    if (ending === 'memory') return new ReadingTookTooMuch(Math.round(memoryBytes / 1_048_576));
    return new ReadingFailed(null);
  }

  /** A page that gave no text and was not looked at may hold text that nobody has seen. */
  private assertNothingLost(): void {
    const lost = this.unseen.find((number) => this.pages[number - 1]?.lines.length === 0);
    if (lost !== undefined) throw new ReadingFailed(lost);
    const { recognitionsMs } = this.means.limits;
    if (this.recogniser?.wasExhausted === true) throw new ReadingTookTooLong(Math.round(recognitionsMs / 1_000));
  }

  /** The page that is being read. */
  private get place(): number {
    return this.pages.length + 1;
  }

  private attendant(): Attendant {
    const { recogniser, clock } = this;
    return {
      recogniser,
      clock,
      opened: () => (this.isOpen = true),
      page: async (page) => {
        this.pages.push(page);
        await this.saved.save(this.pages);
      },
      mishap: (name, at) => this.means.log('reader-failed', { error: name, at }),
    };
  }
}
