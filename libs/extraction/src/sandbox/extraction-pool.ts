import { createHash } from 'node:crypto';
import {
  FileTooLarge,
  ReadingFailed,
  ReadingTookTooLong,
  ReadingTookTooMuch,
  type ExtractionRefusal,
  UnsupportedFile,
} from '../errors';
import { formatByName, isSupported, unsupportedReason } from '../formats';
import type { AcquiredFile, Extraction, RawPage, Recogniser } from '../reader';
import { noSavedPages, type SavedPages, TextSource } from '../text-source';
import { defaultLimits, type ExtractionLimits } from './limits';
import { ProcessPool } from './process-pool';
import { type Answer, ProcessEnded, type ReadingProcess } from './reading-process';

/** Rises when readers make something else of the same bytes: whatever they made before is read again. */
const READERS = 1;
/** Readers that hand pictures to a recogniser. */
const RECOGNISES: readonly string[] = ['pdf', 'image'];
/** Times that one place of a file may end a process before the file is refused. */
const PATIENCE = 2;

export interface PoolOptions {
  readonly limits?: Partial<ExtractionLimits>;
  readonly recogniser?: Recogniser | null;
}

/**
 * Reads files in processes of their own, which may be killed at any time: a file that harms its reader is refused,
 * and harms nobody else. A file that is read by pages goes on at the page where a process ended.
 */
export class ExtractionPool extends TextSource {
  readonly atOnce: number;
  private readonly limits: ExtractionLimits;
  private readonly recogniser: Recogniser | null;
  private readonly pool: ProcessPool;
  private readonly settings: string;

  constructor({ limits = {}, recogniser = null }: PoolOptions = {}) {
    super();
    this.limits = { ...defaultLimits, ...limits };
    this.recogniser = recogniser;
    this.atOnce = this.limits.processes;
    this.pool = new ProcessPool(this.limits);
    this.settings = createHash('sha256')
      .update(JSON.stringify(readLimitsOf(this.limits)))
      .digest('hex')
      .slice(0, 16);
  }

  /** Process ids, for tests and measurements. */
  get pids(): readonly number[] {
    return this.pool.pids;
  }

  /** Starts its processes ahead of the first file. */
  warm(): void {
    this.pool.warm();
  }

  whyNot(name: string): string | null {
    return isSupported(name) ? null : unsupportedReason(name);
  }

  signature(name: string): string {
    const reader = formatByName(name)?.reader ?? 'none';
    const recognises = RECOGNISES.includes(reader) && this.recogniser !== null;
    return `${READERS}:${reader}:${this.settings}${recognises ? ':recognised' : ''}`;
  }

  async extract(file: AcquiredFile, saved: SavedPages = noSavedPages): Promise<Extraction> {
    const reason = this.whyNot(file.name);
    if (reason !== null) throw new UnsupportedFile(reason);
    if (file.bytes.length > this.limits.fileBytes) throw new FileTooLarge(this.limits.fileBytes);
    const pages = [...(await saved.load())];
    const answer = await this.readAll(file, pages, saved);
    if (answer.kind === 'extracted') return answer.extraction;
    if (answer.kind !== 'pages-read') throw new Error('A file was read, and something else came out.');
    const { reader: name, facts, attachments } = answer;
    const assembled = await this.persistently(
      () => 0,
      (process) => process.ask({ kind: 'assemble', name, pages, facts }, this.attendant()),
    );
    if (assembled.kind !== 'assembled') throw new Error('Pages were put together, and something else came out.');
    return { document: assembled.document, attachments };
  }

  close(): Promise<void> {
    this.pool.close();
    return Promise.resolve();
  }

  /** Reads to the end; pages that come are added to those that are there. */
  private readAll(file: AcquiredFile, pages: RawPage[], saved: SavedPages): Promise<Answer> {
    const attendant = this.attendant(async (page) => {
      pages.push(page);
      await saved.save(pages);
    });
    const order = {
      kind: 'read',
      file,
      limits: readLimitsOf(this.limits),
      recognises: this.recogniser !== null,
    } as const;
    return this.persistently(
      () => pages.length,
      (process) => process.ask({ ...order, from: pages.length + 1 }, attendant),
    );
  }

  /** Begins again where a process ended, unless the same place ends one after the other. */
  private async persistently(
    progress: () => number,
    work: (process: ReadingProcess) => Promise<Answer>,
  ): Promise<Answer> {
    let [place, failures] = [progress(), 0];
    for (;;) {
      try {
        return await this.pool.use(work);
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error;
        if (progress() > place) [place, failures] = [progress(), 0];
        failures += 1;
        // Only who was killed from outside, or was worn by earlier pages, is worth another try.
        const worthATry = error.ending === 'killed' || place > 0;
        if (failures >= PATIENCE || !worthATry) throw this.refusal(error, place);
      }
    }
  }

  private refusal({ ending }: ProcessEnded, place: number): ExtractionRefusal {
    const { silenceMs, memoryBytes } = this.limits;
    if (ending === 'silence') return new ReadingTookTooLong(Math.round(silenceMs / 1_000));
    if (ending === 'memory') return new ReadingTookTooMuch(Math.round(memoryBytes / 1_048_576));
    return new ReadingFailed(place === 0 ? null : place + 1);
  }

  private attendant(page: (page: RawPage) => Promise<void> = () => Promise.resolve()) {
    return { page, recogniser: this.recogniser };
  }
}

const readLimitsOf = ({
  fileBytes,
  inflatedBytes,
  entries,
  ratio,
  depth,
  elementDepth,
  characters,
  pages,
  pixels,
}: ExtractionLimits) => ({
  fileBytes,
  inflatedBytes,
  entries,
  ratio,
  depth,
  elementDepth,
  characters,
  pages,
  pixels,
});
