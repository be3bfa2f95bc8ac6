import { createHash } from 'node:crypto';
import { FileTooLarge, UnsupportedFile } from '../errors';
import { formatByName, isSupported, unsupportedReason } from '../formats';
import type { AcquiredFile, Extraction, Recogniser } from '../reader';
import { noSavedPages, type SavedPages, TextSource } from '../text-source';
import { FileReading } from './file-reading';
import { defaultLimits, type ExtractionLimits, readLimitsOf } from './limits';
import { ProcessPool } from './process-pool';

/** Rises when readers make something else of the same bytes: whatever they made before is read again. */
const READERS = 1;
/** Readers that hand pictures to a recogniser. */
const RECOGNISES: readonly string[] = ['pdf', 'image'];

export interface PoolOptions {
  readonly limits?: Partial<ExtractionLimits>;
  readonly recogniser?: Recogniser | null;
  /** Told what operators may want to know: never anything of a file. */
  readonly log?: (event: string, details: object) => void;
}

/**
 * Reads files in processes of their own, which may be killed at any time: a file that harms its reader is refused,
 * and harms nobody else. A file that is read by pages goes on at the page where a process ended.
 */
export class ExtractionPool extends TextSource {
  readonly atOnce: number;
  private readonly limits: ExtractionLimits;
  private readonly recogniser: Recogniser | null;
  private readonly log: NonNullable<PoolOptions['log']>;
  private readonly pool: ProcessPool;
  private readonly settings: string;

  constructor({ limits = {}, recogniser = null, log = () => undefined }: PoolOptions = {}) {
    super();
    this.limits = { ...defaultLimits, ...limits };
    this.recogniser = recogniser;
    this.log = log;
    this.atOnce = this.limits.processes;
    this.pool = new ProcessPool(this.limits);
    const kept = JSON.stringify(readLimitsOf(this.limits));
    this.settings = createHash('sha256').update(kept).digest('hex').slice(0, 16);
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
    const { pool, limits, recogniser, log } = this;
    return new FileReading({ pool, limits, recogniser, log }, file, saved).read();
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
