import { setTimeout as pause } from 'node:timers/promises';
import { DamagedFile, ExtractionRefusal, FileTooLarge, LimitExceeded, UnsupportedFile } from '../errors';
import { endingOf } from '../formats';
import type { AcquiredFile, Extraction, ReadLimits } from '../reader';
import { type SavedPages, TextSource } from '../text-source';
import { assembleElements } from './assemble-elements';
import { AnswerTooLarge, PartitionClient, UnexpectedStatus } from './partition-client';
import type { UnstructuredStrategy } from './strategies';

/** Rises when other text comes out of the same elements. */
const VERSION = 1;

export interface UnstructuredOptions {
  readonly url: string;
  readonly apiKey: string | null;
  readonly strategy: UnstructuredStrategy;
  /** Longest time for a file, all tries together. */
  readonly deadlineMs: number;
  /** Tries of a request before the server counts as unavailable. */
  readonly tries: number;
  /** Files that the server is asked for at the same time. */
  readonly atOnce: number;
  readonly limits: ReadLimits;
  /** Reads in place of a server that does not answer; null leaves the file for another try. */
  readonly fallback: TextSource | null;
  /** Wait before the second try; it doubles from there. */
  readonly firstWaitMs?: number;
}

/** The server does not answer, is busy, or refuses this client: the file waits for another try. */
export class UnstructuredUnavailable extends Error {
  constructor(why: string) {
    super(`The Unstructured server cannot read now (${why}); check its address, its key and its log.`);
    this.name = 'UnstructuredUnavailable';
  }
}

const FIRST_WAIT_MS = 1_000;
/** No answer is larger than the longest text in the most talkative JSON. */
const BYTES_A_CHARACTER = 20;

const reasonOf = (error: unknown): string =>
  error instanceof UnexpectedStatus ? `it answered ${error.status}` : error instanceof Error ? error.name : 'no answer';

/** What an answer says about the file itself; null where it says nothing about it. */
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

/** A key that is refused, or an address that is none, does not become right by asking again. */
const isOurFault = (error: unknown): boolean =>
  error instanceof UnexpectedStatus && [401, 403, 404, 405].includes(error.status);

/** An Unstructured server as the reader of some formats. Attachments of mails do not come out of it. */
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

  /** What it is chosen for, it reads. */
  whyNot(_name: string): string | null {
    return null;
  }

  signature(_name: string): string {
    const { strategy, limits } = this.options;
    return `unstructured ${VERSION} ${strategy} ${limits.fileBytes} ${limits.characters} ${limits.pages}`;
  }

  async extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction> {
    const { limits, fallback, strategy } = this.options;
    if (file.bytes.length > limits.fileBytes) throw new FileTooLarge(limits.fileBytes);
    try {
      const elements = await this.persistently((timeoutMs) => this.client.partition(file, strategy, timeoutMs));
      return { document: assembleElements(elements, endingOf(file.name), limits), attachments: [] };
    } catch (error) {
      const refusal = refusalOf(error, limits);
      if (refusal !== null) throw refusal;
      if (fallback !== null && fallback.whyNot(file.name) === null) return fallback.extract(file, pages);
      throw new UnstructuredUnavailable(reasonOf(error));
    }
  }

  /** The fallback belongs to who made it. */
  close(): Promise<void> {
    this.client.close();
    return Promise.resolve();
  }

  private async persistently<T>(ask: (timeoutMs: number) => Promise<T>): Promise<T> {
    const { tries, deadlineMs, limits, firstWaitMs = FIRST_WAIT_MS } = this.options;
    const end = performance.now() + deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(Math.max(1, Math.ceil(end - performance.now())));
      } catch (error) {
        const asked = error instanceof UnexpectedStatus ? error.retryAfterMs : null;
        const wait = Math.max(asked ?? 0, firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
        const isHopeless = refusalOf(error, limits) !== null || isOurFault(error);
        if (isHopeless || attempt >= tries || performance.now() + wait > end) throw error;
        await pause(wait);
      }
    }
  }
}
