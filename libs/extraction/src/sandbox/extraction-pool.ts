import { createHash } from 'node:crypto';
import { FileTooLarge, UnsupportedFile } from '../errors';
import { formatByName, isPlainText, type ReaderName, unreadByName } from '../formats';
import type { AcquiredFile, Extraction, Recogniser } from '../reader';
import { noSavedPages, type SavedPages, TextSource } from '../text-source';
import { FileReading } from './file-reading';
import { defaultLimits, type ExtractionLimits, readLimitsOf } from './limits';
import { ProcessPool } from './process-pool';

/** A version rises when its reader produces another text of the same bytes; its files are then read again. */
const VERSIONS: Readonly<Partial<Record<ReaderName, number>>> = {
  csv: 4,
  doc: 2,
  docx: 3,
  eml: 5,
  epub: 2,
  html: 4,
  json: 5,
  markdown: 3,
  mhtml: 2,
  msg: 3,
  opendocument: 3,
  pdf: 5,
  ppt: 2,
  pptx: 3,
  rtf: 2,
  signed: 2,
  text: 4,
  tnef: 3,
  xls: 2,
  xlsx: 4,
  xml: 5,
};
/** Readers that send pictures to a recogniser. */
const RECOGNISES: readonly ReaderName[] = ['pdf', 'image'];

export interface PoolOptions {
  readonly limits?: Partial<ExtractionLimits>;
  readonly recogniser?: Recogniser | null;
  /** Logs events for operators, never content of a file. */
  readonly log?: (event: string, details: object) => void;
}

/**
 * Reads files in separate processes that may be killed at any time. A file that harms its reader is refused, without
 * harm to other files. A file that is read by pages resumes at the page where a process ended.
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
    const limitsText = JSON.stringify(readLimitsOf(this.limits));
    this.settings = createHash('sha256').update(limitsText).digest('hex').slice(0, 16);
  }

  /** Process IDs, for tests and measurements. */
  get pids(): readonly number[] {
    return this.pool.pids;
  }

  /** Starts the processes before the first file. */
  warm(): void {
    this.pool.warm();
  }

  whyNot(name: string): string | null {
    return unreadByName(name);
  }

  isQuick(name: string): boolean {
    return isPlainText(name);
  }

  signature(name: string): string {
    // Content of an unknown name is plain text, or of a format that it identifies.
    const reader = formatByName(name)?.reader ?? 'text';
    const version = VERSIONS[reader] ?? 1;
    const recognises = RECOGNISES.includes(reader) && this.recogniser !== null;
    return `${version}:${reader}:${this.settings}${recognises ? ':recognised' : ''}`;
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
