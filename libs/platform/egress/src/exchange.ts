import { errors, request } from 'undici';
import { unlessAborted } from '@acervo/platform-resilience';
import { ACCEPTED_ENCODINGS, type BodyLimit, readBody } from './body';
import { checkedClient, type Connect } from './checked-client';
import { AnswerRefused, EgressFailure, SiteUnavailable } from './egress.errors';
import { checkedAddresses, type Resolve } from './resolve';
import type { AllowedTargets, Target } from './target';

/** How hosts are found and connected to, and which of them are allowed. */
export interface Network {
  readonly resolve: Resolve;
  readonly connect: Connect;
  readonly allowed: AllowedTargets;
}

/** One request, without redirects. */
export interface Question {
  readonly headers: Readonly<Record<string, string>>;
  /** Media types whose content is read; null for any. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: BodyLimit;
}

/** What a site answered to one request. The body is empty unless the status is 200. */
export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const OK = 200;

/** The first value of each header: a site that sends two of one gets no second chance. */
const firstValues = (headers: Headers): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name.toLowerCase(), first] as const];
    }),
  );

/** The media type of an answer, without parameters. */
export const mediaTypeOf = (headers: ReadonlyMap<string, string>): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const assertWanted = (headers: ReadonlyMap<string, string>, { types, limit }: Question): void => {
  if (types !== null && !types.has(mediaTypeOf(headers))) throw new AnswerRefused('TYPE');
  if (limit.beyond === 'refuse' && Number(headers.get('content-length') ?? 0) > limit.most)
    throw new AnswerRefused('SIZE');
};

const failureOf = (error: unknown, late: AbortSignal): unknown => {
  if (error instanceof EgressFailure) return error;
  if (late.aborted) return late.reason;
  return error instanceof errors.HeadersOverflowError
    ? new AnswerRefused('HEADERS')
    : new SiteUnavailable('CONNECTION');
};

const answered = async (
  target: Target,
  addresses: readonly string[],
  network: Network,
  question: Question,
  signal: AbortSignal,
): Promise<Reply> => {
  const client = checkedClient(target, addresses, network.connect);
  try {
    const {
      statusCode,
      headers: raw,
      body,
    } = await request(target.url, {
      ...{ dispatcher: client, method: 'GET', signal },
      headers: { ...question.headers, 'accept-encoding': ACCEPTED_ENCODINGS },
    });
    // Destroying the client ends a body that is not read.
    body.on('error', () => undefined);
    const headers = firstValues(raw);
    if (statusCode !== OK) return { status: statusCode, headers, body: Buffer.alloc(0) };
    assertWanted(headers, question);
    return { status: OK, headers, body: await readBody(body, headers.get('content-encoding') ?? '', question.limit) };
  } finally {
    void client.destroy().catch(() => undefined);
  }
};

/**
 * Sends one request: resolves the host once, checks every address, and connects to a checked one.
 * @param late ends the exchange; its reason is thrown
 * @throws EgressFailure
 */
export const exchange = async (
  target: Target,
  network: Network,
  question: Question,
  late: AbortSignal,
): Promise<Reply> => {
  try {
    const addresses = await unlessAborted(late, checkedAddresses(target, network.resolve, network.allowed));
    return await answered(target, addresses, network, question, late);
  } catch (error) {
    throw failureOf(error, late);
  }
};
