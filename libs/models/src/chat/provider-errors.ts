import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ChatModelFailure } from './chat.errors';

/** Longest wait that a provider may request. */
const LONGEST_WAIT_MS = 600_000;

const bounded = (ms: number): number | null =>
  Number.isFinite(ms) ? Math.min(LONGEST_WAIT_MS, Math.max(0, ms)) : null;

/** The wait of `Retry-After`, in seconds or as a date; null without a valid one. */
export const retryAfterOf = (header: string | null | undefined, now = Date.now()): number | null => {
  if (header === null || header === undefined || header.trim() === '') return null;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? bounded(Date.parse(header) - now) : bounded(seconds * 1_000);
};

const ofStatus = (status: number, retryAfterMs: number | null): ChatModelFailure => {
  const detail = `status ${status}`;
  if (status === 429) return new ChatModelFailure('QUOTA', detail, retryAfterMs);
  if (status === 401 || status === 403) return new ChatModelFailure('KEY', detail);
  if (status === 402) return new ChatModelFailure('QUOTA', detail, LONGEST_WAIT_MS);
  if (status === 408 || status >= 500) return new ChatModelFailure('UNREACHABLE', detail, retryAfterMs);
  return new ChatModelFailure('REFUSED', detail);
};

/** Errors of `fetch` may be of another realm than this file, so that names identify them and not classes. */
const hasName = (error: unknown): error is { readonly name: unknown; readonly cause?: unknown } =>
  typeof error === 'object' && error !== null && 'name' in error;

const causeOf = (error: unknown): ChatModelFailure | null => {
  for (let each = error; hasName(each); each = each.cause) {
    if (each instanceof ChatModelFailure) return each;
    if (each.name === 'SyntaxError') return new ChatModelFailure('UNUSABLE', 'it is no JSON');
  }
  return null;
};

/** The failure that an error of the client stands for. The texts of the provider do not enter it. */
export const failureOf = (error: unknown): ChatModelFailure => {
  const cause = causeOf(error);
  if (cause !== null) return cause;
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError)
    return new ChatModelFailure('UNREACHABLE', 'no answer in time');
  if (error instanceof APIConnectionError) return new ChatModelFailure('UNREACHABLE', 'no connection');
  if (error instanceof APIError && typeof error.status === 'number') {
    const headers = error.headers instanceof Headers ? error.headers : undefined;
    // An account without credit answers like a busy one; a moment does not help it.
    if (error.code === 'insufficient_quota') return new ChatModelFailure('QUOTA', 'no credit left', LONGEST_WAIT_MS);
    return ofStatus(error.status, retryAfterOf(headers?.get('retry-after')));
  }
  if (error instanceof APIError) return new ChatModelFailure('UNREACHABLE', 'the provider reports an error');
  return new ChatModelFailure('UNREACHABLE', 'the answer broke off');
};
