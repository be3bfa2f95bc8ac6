import { HTTPClient, type SDKOptions, UnstructuredClient } from 'unstructured-client';
import { SDKHooks } from 'unstructured-client/hooks/hooks.js';
import { Strategy } from 'unstructured-client/sdk/models/shared';
import { endingOf } from '../formats';
import type { AcquiredFile } from '../reader';
import { type Element, elementsFrom } from './elements';

const STRATEGIES = {
  auto: Strategy.Auto,
  fast: Strategy.Fast,
  hi_res: Strategy.HiRes,
  ocr_only: Strategy.OcrOnly,
} as const;

/** How a server reads: the fast way takes text as it stands, the others look at pages as pictures. */
export type UnstructuredStrategy = keyof typeof STRATEGIES;
export const unstructuredStrategies = Object.keys(STRATEGIES) as readonly UnstructuredStrategy[];

export interface ServerOptions {
  readonly url: string;
  readonly apiKey: string | null;
  /** Largest answer that is taken, in bytes. */
  readonly answerBytes: number;
}

/** The server answered with something else than elements. */
export class UnexpectedStatus extends Error {
  constructor(
    readonly status: number,
    /** What the server asks to wait, in milliseconds. */
    readonly retryAfterMs: number | null,
  ) {
    super(`The Unstructured server answered ${status}.`);
    this.name = 'UnexpectedStatus';
  }
}

/** The answer is larger than anything that a file may become. */
export class AnswerTooLarge extends Error {
  constructor() {
    super('The answer of the Unstructured server is too large.');
    this.name = 'AnswerTooLarge';
  }
}

/** The hooks of the package split PDFs by themselves and write to the console; neither is wanted here. */
const quietHooks = (): SDKHooks => {
  const hooks = new SDKHooks();
  return Object.assign(hooks, { sdkInitHooks: [], beforeRequestHooks: [], afterSuccessHooks: [], afterErrorHooks: [] });
};

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

/** The package wraps what the fetcher throws. */
const ownError = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof UnexpectedStatus || cause instanceof AnswerTooLarge ? cause : error;
};

/** Asks an Unstructured server, once each time. */
export class PartitionClient {
  private readonly client: UnstructuredClient;
  private readonly closing = new AbortController();

  constructor(options: ServerOptions) {
    const { url, apiKey, answerBytes } = options;
    const httpClient = new HTTPClient({
      fetcher: async (input, init) => checked(await fetch(input, init), answerBytes),
    });
    const settings: SDKOptions & { hooks: SDKHooks } = {
      serverURL: url,
      httpClient,
      retryConfig: { strategy: 'none' },
      ...(apiKey === null ? {} : { security: { apiKeyAuth: apiKey } }),
      hooks: quietHooks(),
    };
    this.client = new UnstructuredClient(settings);
  }

  /** The elements of a file. Its name stays here: the server learns the ending alone. */
  async partition(
    { name, bytes }: AcquiredFile,
    strategy: UnstructuredStrategy,
    timeoutMs: number,
  ): Promise<readonly Element[]> {
    const files = { content: new Uint8Array(bytes), fileName: `document.${endingOf(name)}` };
    const partitionParameters = { files, strategy: STRATEGIES[strategy], splitPdfPage: false };
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await this.client.general.partition({ partitionParameters }, { signal }).catch((error: unknown) => {
      throw ownError(error);
    });
    return elementsFrom(answer);
  }

  /** Ends what is being asked. */
  close(): void {
    this.closing.abort();
  }
}
