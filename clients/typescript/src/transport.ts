import { type AcervoError, ConnectionFailed, errorOf, UnexpectedAnswer } from './errors';
import type { RequestOptions, Route } from './types';

/** How a client reaches the API. */
export interface TransportOptions {
  readonly key: string;
  /** Address of the service, without `/v1`. */
  readonly baseUrl: string;
  /** Tries after the first one, for 429, 503 and broken connections. */
  readonly retries: number;
  /** Longest time of one try. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

const LONGEST_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const RETRIED: readonly number[] = [429, 503];

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted === true) return end();
    signal?.addEventListener('abort', end, { once: true });
  });

/** Time until the next try: what the service says, else a random part of a time that doubles. */
export const pauseMs = (turn: number, retryAfter: string | null, random: () => number = Math.random): number => {
  const seconds = retryAfter === null ? NaN : Number(retryAfter);
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** turn);
  if (Number.isFinite(seconds) && seconds >= 0)
    return Math.min(LONGEST_PAUSE_MS, seconds * 1_000) + random() * FIRST_PAUSE_MS;
  return random() * longest;
};

const valueOf = (value: unknown): string => (value === null ? '' : String(value));

type Fields = Readonly<Record<string, unknown>>;

/** Fields behind the path. A field that the route does not know is sent too, and refused by the service. */
const outsidePath = ({ path }: Route, input: Fields): [string, unknown][] =>
  Object.entries(input).filter(([name, value]) => value !== undefined && !path.includes(`{${name}}`));

/** Address of a request: fields of the path in place, those of the query behind it. */
export const addressOf = (baseUrl: string, route: Route, input: Fields): string => {
  const filled = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(input[name])));
  const queried = outsidePath(route, input).filter(([name]) => !route.hasBody || route.query.includes(name));
  const search = new URLSearchParams(
    queried.map(([name, value]): [string, string] => [name, valueOf(value)]),
  ).toString();
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`;
};

/** The body of a request: what belongs to neither path nor query. */
export const bodyOf = (route: Route, input: Fields): object | undefined => {
  const rest = outsidePath(route, input).filter(([name]) => !route.query.includes(name));
  return route.hasBody ? Object.fromEntries(rest) : undefined;
};

interface Try {
  readonly failure: AcervoError;
  readonly retryAfter: string | null;
  readonly mayRepeat: boolean;
}

/** Sends requests, and repeats those that had no effect or have one effect however often they arrive. */
export class Transport {
  constructor(private readonly options: TransportOptions) {}

  /** @throws AcervoError; the reason of an aborted signal */
  async send(route: Route, input: Fields, options: RequestOptions = {}): Promise<unknown> {
    const request = this.requestOf(route, input, options);
    for (let turn = 0; ; turn += 1) {
      const outcome = await this.attempt(route, addressOf(this.options.baseUrl, route, input), request, options.signal);
      if ('value' in outcome) return outcome.value;
      if (!outcome.mayRepeat || turn >= this.options.retries) throw outcome.failure;
      await pause(pauseMs(turn, outcome.retryAfter), options.signal);
    }
  }

  private requestOf(route: Route, input: Fields, options: RequestOptions): RequestInit {
    const { idempotencyKey = globalThis.crypto.randomUUID(), requestId } = options;
    const body = bodyOf(route, input);
    return {
      method: route.method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(this.options.key === '' ? {} : { authorization: `Bearer ${this.options.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(route.isKeyed ? { 'idempotency-key': idempotencyKey } : {}),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }

  private async attempt(
    { method, isKeyed }: Route,
    address: string,
    request: RequestInit,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: unknown } | Try> {
    const limit = AbortSignal.timeout(this.options.timeoutMs);
    try {
      const response = await this.options.fetch(address, {
        ...request,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      return await this.outcomeOf(response);
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      const message = `No answer from ${new URL(address).origin}: check the address, and that the service runs.`;
      const failure = new ConnectionFailed({ code: 'CONNECTION_FAILED', message, status: 0, cause });
      return { failure, retryAfter: null, mayRepeat: method === 'GET' || isKeyed };
    }
  }

  private async outcomeOf(response: Response): Promise<{ readonly value: unknown } | Try> {
    const { status, ok, headers } = response;
    const text = await response.text();
    const body = parsed(text);
    if (ok && body !== undefined) return { value: body };
    const message = 'The answer is not JSON: check the address.';
    const failure = ok ? new UnexpectedAnswer({ code: 'UNEXPECTED_ANSWER', message, status }) : errorOf(status, body);
    return { failure, retryAfter: headers.get('retry-after'), mayRepeat: RETRIED.includes(status) };
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
