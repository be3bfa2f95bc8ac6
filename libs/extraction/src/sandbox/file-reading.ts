import { type ExtractionRefusal, ReadingFailed, ReadingTookTooLong, ReadingTookTooMuch } from '../errors';
import type { AcquiredFile, Extraction, RawPage, Recogniser } from '../reader';
import { pagedReport } from '../report-of-file';
import type { SavedPages } from '../text-source';
import { Clock } from './clock';
import { type ExtractionLimits, readLimitsOf } from './limits';
import type { Answer, Task } from './protocol';
import { type Attendant, type Ending, ProcessEnded, ReadingInterrupted } from './reading-process';
import { TimedRecogniser } from './timed-recogniser';

/** Process ends at one place of a file before a fallback, or before the refusal of the file. */
const PATIENCE = 2;
/** Maximum number of ended processes for one file. */
const MOST_PROCESSES = 10;

/** Performs one task, or ends during it. */
export interface Worker {
  ask(task: Task, attendant: Attendant): Promise<Answer>;
}

export interface ReadingMeans {
  /** Lends a worker; a new one replaces an ended worker. */
  readonly pool: { use<T>(work: (worker: Worker) => Promise<T>, urgent?: boolean): Promise<T> };
  readonly limits: ExtractionLimits;
  readonly recogniser: Recogniser | null;
  log(event: string, details: object): void;
}

/** Reads one file completely, with a limited number of processes. */
export class FileReading {
  private readonly clock: Clock;
  private readonly recogniser: TimedRecogniser | null;
  private pages: RawPage[] = [];
  private readonly unseen: number[] = [];
  private isOpen = false;
  private endings = 0;
  /** Consecutive process ends at the same place. */
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

  /** @throws ExtractionRefusal; ReadingInterrupted if a retry is useful. */
  async read(): Promise<Extraction> {
    this.pages = [...(await this.saved.load())];
    const answer = await this.askWithRetries(() => this.readingTask());
    if (answer.kind === 'extracted') return answer.extraction;
    if (answer.kind !== 'pages-read') throw new Error('A file was read, and something else came out.');
    this.assertNothingLost();
    const { reader: name, facts, attachments, parts } = answer;
    this.isOpen = false;
    const assembled = await this.askWithRetries(() => ({ kind: 'assemble', name, pages: this.pages, facts }));
    if (assembled.kind !== 'assembled') throw new Error('Pages were put together, and something else came out.');
    return { document: assembled.document, attachments, report: pagedReport(this.pages, attachments, parts) };
  }

  private readingTask(): Task {
    const { file, recogniser, unseen, means } = this;
    const limits = readLimitsOf(means.limits);
    return { kind: 'read', file, limits, recognises: recogniser !== null, from: this.pages.length + 1, unseen };
  }

  private async askWithRetries(task: () => Task): Promise<Answer> {
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

  /**
   * Returns if a retry is useful.
   * @throws ExtractionRefusal, ReadingInterrupted
   */
  private consider(ending: Ending): void {
    this.endings += 1;
    this.stuck = { place: this.place, times: this.stuck.place === this.place ? this.stuck.times + 1 : 1 };
    if (ending === 'time' || this.endings >= MOST_PROCESSES) throw this.refusal(ending);
    if (this.stuck.times < PATIENCE && (this.isOpen || ending === 'killed')) return;
    if (ending === 'killed' && !this.isOpen) throw new ReadingInterrupted();
    // Rendering the page may be the cause: a last try reads only its text.
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

  /** A page without text that was not rendered may contain undetected text. */
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
