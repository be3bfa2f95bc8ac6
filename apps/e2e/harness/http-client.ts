import { Unavailable } from '@acervo/platform-testing';
import { assertEnglish } from './english';
import { logWatch } from './log-scan';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly text: string;
}

export interface Found {
  readonly code: string;
  readonly name: string;
  readonly location: string;
  readonly rrf_score: number;
  readonly max_similarity: number | null;
  readonly chunks: readonly {
    readonly text: string;
    readonly page: number | null;
    readonly extra: {
      readonly chunk_number: number;
      readonly similarity: number | null;
      readonly embedded?: boolean;
    };
  }[];
}

/** Statuses of a program that is busy or waits for one of its parts: a wait asks again. */
const NOT_YET: readonly number[] = [429, 503];

export interface ClientSettings {
  readonly port: number;
  /** The key of all requests; without it they are anonymous. */
  readonly key?: string | undefined;
  /** Longest time of an answer. */
  readonly answersWithinMs?: number | undefined;
}

/** Asks a running program over HTTP. */
export class HttpClient {
  readonly port: number;
  /** Empty for anonymous requests. */
  key: string;
  private readonly answersWithinMs: number | undefined;

  constructor({ port, key = '', answersWithinMs }: ClientSettings) {
    [this.port, this.key, this.answersWithinMs] = [port, key, answersWithinMs];
  }

  /** An answer without a check of its words, for measured times. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { key, answersWithinMs } = this;
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
      ...(answersWithinMs === undefined ? {} : { signal: AbortSignal.timeout(answersWithinMs) }),
    });
    const text = await answer.text();
    logWatch.addExchange([content], text);
    logWatch.addSecret('credential', (headers['authorization'] ?? key).replace(/^Bearer /i, ''));
    logWatch.addSecret('device token', answer.headers.get('x-device-token'));
    const isObject = text.startsWith('{');
    const { status, headers: received } = answer;
    return { status, text, headers: received, body: isObject ? (JSON.parse(text) as Answer['body']) : { text } };
  }

  /** @throws if an answer of `/v1` contains an internal name or code */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await this.send(method, path, body, headers);
    assertEnglish(path, answer.status, answer.text);
    return answer;
  }

  /** @throws Unavailable if the program cannot search now; an error if the answer is no list of documents */
  async search(query: string, more: object = {}): Promise<Found[]> {
    const { status, body } = await this.ask('POST', '/v1/documents/search', { query, ...more });
    const answered = `The search answered ${status}: ${JSON.stringify(body)}`;
    if (NOT_YET.includes(status)) throw new Unavailable(answered);
    if (status !== 200) throw new Error(answered);
    return body['documents'] as Found[];
  }

  async names(query: string, more: object = {}): Promise<string[]> {
    return (await this.search(query, more)).map(({ name }) => name);
  }
}
