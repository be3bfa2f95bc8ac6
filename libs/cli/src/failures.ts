import { AcervoError } from '@acervo/client';
import { type ExitCode, exitCodes } from './exit-codes';
import type { Messages } from './messages';

/** A command that ends early for a reason of its own. Its message says what happened and what to do. */
export class CommandFailure extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly next = '',
  ) {
    super(message);
    this.name = 'CommandFailure';
  }
}

const codes: Readonly<Record<string, ExitCode>> = {
  INVALID_REQUEST: exitCodes.usage,
  VALIDATION_ERROR: exitCodes.usage,
  INVALID_CONTEXT: exitCodes.usage,
  UNAUTHORIZED: exitCodes.unauthorized,
  QUOTA_EXCEEDED: exitCodes.limited,
  RATE_LIMITED: exitCodes.limited,
  FORBIDDEN: exitCodes.forbidden,
  NOT_FOUND: exitCodes.notFound,
  CONFLICT: exitCodes.conflict,
  CONTEXT_CONFLICT: exitCodes.conflict,
  CONNECTION_FAILED: exitCodes.unreachable,
  UNEXPECTED_ANSWER: exitCodes.unreachable,
};

const UNAVAILABLE = 503;

/** A failure as it is printed: what happened, what to do, and how the process ends. */
export interface Report {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly requestId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type ErrorText = Messages['errors'][keyof Messages['errors']];

const nothing = { code: '', requestId: '', details: {} };

/** No stack trace is printed: an error of this program says its sentence alone. */
export const reportOf = (error: unknown, messages: Messages): Report => {
  if (error instanceof AcervoError) {
    const { code, details, requestId, status } = error;
    const exitCode = status === UNAVAILABLE ? exitCodes.unreachable : (codes[code] ?? exitCodes.failed);
    const texts: Readonly<Record<string, ErrorText | undefined>> = messages.errors;
    const { sentence = error.message, next = messages.unknownNext } = texts[code] ?? {};
    return { exitCode, code, message: sentence, next, requestId, details };
  }
  if (error instanceof CommandFailure)
    return { ...nothing, exitCode: error.exitCode, message: error.message, next: error.next };
  const message = error instanceof Error ? error.message : String(error);
  return { ...nothing, exitCode: exitCodes.failed, message, next: '' };
};

const detailsLine = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : JSON.stringify(value)}`)
    .join('; ');

/** The lines of a report for people. */
export const reportLines = ({ code, message, next, requestId, details }: Report): string =>
  [
    code === '' ? message : `${code}: ${message}`,
    ...(Object.keys(details).length === 0 ? [] : [`  ${detailsLine(details)}`]),
    ...(next === '' ? [] : [`  ${next}`]),
    ...(requestId === '' ? [] : [`  request_id: ${requestId}`]),
    '',
  ].join('\n');
