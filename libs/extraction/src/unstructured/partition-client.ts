import { endingOf } from '../formats';
import type { AcquiredFile } from '../reader';
import { type Element, elementsFrom } from './elements';
import type { Ask } from './sdk';
import type { UnstructuredStrategy } from './strategies';

export interface ServerOptions {
  readonly url: string;
  readonly apiKey: string | null;
  /** Largest accepted answer, in bytes. */
  readonly answerBytes: number;
}

/** The server answered with a status other than success. */
export class UnexpectedStatus extends Error {
  constructor(
    readonly status: number,
    /** The wait that the server requests, in milliseconds. */
    readonly retryAfterMs: number | null,
  ) {
    super(`The Unstructured server answered ${status}.`);
    this.name = 'UnexpectedStatus';
  }
}

/** The answer exceeds the largest possible result of a file. */
export class AnswerTooLarge extends Error {
  constructor() {
    super('The answer of the Unstructured server is too large.');
    this.name = 'AnswerTooLarge';
  }
}

const bounded = async (response: Response, most: number): Promise<Response> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    const bytes = piece as Uint8Array;
    size += bytes.length;
    if (size > most) throw new AnswerTooLarge();
    pieces.push(bytes);
  }
  const { status, headers } = response;
  return new Response(Buffer.concat(pieces), { status, headers });
};

const retryAfter = (headers: Headers): number | null => {
  const seconds = Number(headers.get('retry-after') ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
};

const checked = async (response: Response, most: number): Promise<Response> => {
  if (response.ok) return bounded(response, most);
  await response.body?.cancel();
  throw new UnexpectedStatus(response.status, retryAfter(response.headers));
};

/** The package wraps errors of the fetcher. */
const ownError = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof UnexpectedStatus || cause instanceof AnswerTooLarge ? cause : error;
};

/** Asks an Unstructured server, without retries. */
export class PartitionClient {
  private opened: Promise<Ask> | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly options: ServerOptions) {}

  /** The elements of a file. The server receives only its ending, not its name. */
  async partition(
    { name, bytes }: AcquiredFile,
    strategy: UnstructuredStrategy,
    timeoutMs: number,
  ): Promise<readonly Element[]> {
    const file = { content: new Uint8Array(bytes), fileName: `document.${endingOf(name)}` };
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(timeoutMs)]);
    const ask = await (this.opened ??= this.open());
    const answer = await ask(file, strategy, signal).catch((error: unknown) => {
      throw ownError(error);
    });
    return elementsFrom(answer);
  }

  /** Aborts running requests. */
  close(): void {
    this.closing.abort();
  }

  /** The package is large and rarely used: it is loaded for the first file. */
  private async open(): Promise<Ask> {
    const { openSdk } = await import('./sdk/index.js');
    const { url, apiKey, answerBytes } = this.options;
    // A redirect could send the file and the key to another host.
    const ask = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
      fetch(input, { ...init, redirect: 'error' });
    return openSdk({ url, apiKey }, async (input, init) => checked(await ask(input, init), answerBytes));
  }
}
