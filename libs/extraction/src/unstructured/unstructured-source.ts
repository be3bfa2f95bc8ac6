import { exponential, retry, withJitter } from '@acervo/platform-resilience';
import { DamagedFile, ExtractionRefusal, FileTooLarge, LimitExceeded, UnsupportedFile } from '../errors';
import { endingOf } from '../formats';
import type { AcquiredFile, Extraction, ReadLimits } from '../reader';
import { type SavedPages, TextSource } from '../text-source';
import { assembleElements } from './assemble-elements';
import { AnswerTooLarge, PartitionClient, UnexpectedStatus } from './partition-client';
import type { UnstructuredStrategy } from './strategies';

/** Increased when the same elements produce different text. */
const VERSION = 2;

export interface UnstructuredOptions {
  readonly url: string;
  readonly apiKey: string | null;
  readonly strategy: UnstructuredStrategy;
  /** Time limit of a file, including all tries. */
  readonly deadlineMs: number;
  /** Tries of a request before the server counts as unavailable. */
  readonly tries: number;
  /** Number of concurrent requests to the server. */
  readonly atOnce: number;
  readonly limits: ReadLimits;
  /** Replaces an unavailable server; null leaves the file for a retry. */
  readonly fallback: TextSource | null;
  /** Wait before the second try; it doubles from there. */
  readonly firstWaitMs?: number;
}

/** The server does not answer, is busy, or refuses this client; the file is retried later. */
export class UnstructuredUnavailable extends Error {
  constructor(why: string) {
    super(`The Unstructured server cannot read now (${why}); check its address, its key and its log.`);
    this.name = 'UnstructuredUnavailable';
  }
}

const FIRST_WAIT_MS = 1_000;
/** Bytes of the most verbose JSON for one character, which bounds an answer. */
const BYTES_A_CHARACTER = 20;

const reasonOf = (error: unknown): string =>
  error instanceof UnexpectedStatus ? `it answered ${error.status}` : error instanceof Error ? error.name : 'no answer';

/** The refusal of a file by an answer; null if the answer does not concern the file. */
const refusalOf = (error: unknown, { characters, fileBytes }: ReadLimits): ExtractionRefusal | null => {
  if (error instanceof ExtractionRefusal) return error;
  if (error instanceof AnswerTooLarge) return new LimitExceeded('characters of text', characters);
  if (!(error instanceof UnexpectedStatus)) return null;
  if (error.status === 422) return new DamagedFile();
  if (error.status === 413) return new FileTooLarge(fileBytes);
  if (error.status === 400 || error.status === 415)
    return new UnsupportedFile('The Unstructured server does not read files of this kind.');
  return null;
};

/** A refused key or an invalid address does not become valid by a retry. */
const isOurFault = (error: unknown): boolean =>
  error instanceof UnexpectedStatus && [401, 403, 404, 405].includes(error.status);

/** An Unstructured server as the reader of some formats. It does not extract attachments of mails. */
export class UnstructuredSource extends TextSource {
  readonly atOnce: number;
  private readonly client: PartitionClient;

  constructor(private readonly options: UnstructuredOptions) {
    super();
    const { url, apiKey, limits, atOnce } = options;
    this.atOnce = atOnce;
    const answerBytes = limits.characters * BYTES_A_CHARACTER;
    this.client = new PartitionClient({ url, apiKey, answerBytes });
  }

  /** It reads every file that it is chosen for. */
  whyNot(_name: string): string | null {
    return null;
  }

  isQuick(): boolean {
    return false;
  }

  signature(_name: string): string {
    const { strategy, limits } = this.options;
    return `unstructured ${VERSION} ${strategy} ${limits.fileBytes} ${limits.characters} ${limits.pages}`;
  }

  async extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction> {
    const { limits, fallback, strategy } = this.options;
    if (file.bytes.length > limits.fileBytes) throw new FileTooLarge(limits.fileBytes);
    try {
      const elements = await this.askWithRetries((timeoutMs) => this.client.partition(file, strategy, timeoutMs));
      return { document: assembleElements(elements, endingOf(file.name), limits), attachments: [] };
    } catch (error) {
      const refusal = refusalOf(error, limits);
      if (refusal !== null) throw refusal;
      if (fallback !== null && fallback.whyNot(file.name) === null) return fallback.extract(file, pages);
      throw new UnstructuredUnavailable(reasonOf(error));
    }
  }

  /** The creator of the fallback closes it. */
  close(): Promise<void> {
    this.client.close();
    return Promise.resolve();
  }

  private askWithRetries<T>(ask: (timeoutMs: number) => Promise<T>): Promise<T> {
    const { tries, deadlineMs, limits, firstWaitMs = FIRST_WAIT_MS } = this.options;
    const end = performance.now() + deadlineMs;
    const waitMs = (failures: number, error: unknown): number | undefined => {
      const asked = error instanceof UnexpectedStatus ? error.retryAfterMs : null;
      const wait = Math.max(asked ?? 0, withJitter(exponential(failures, firstWaitMs)));
      const isHopeless = refusalOf(error, limits) !== null || isOurFault(error);
      return isHopeless || failures >= tries || performance.now() + wait > end ? undefined : wait;
    };
    return retry(() => ask(Math.max(1, Math.ceil(end - performance.now()))), waitMs);
  }
}
