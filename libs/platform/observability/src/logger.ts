import pino, { type DestinationStream, type LogFn } from 'pino';
import { workContext } from './work-context';

/** Writes structured log lines: an object of fields, then a fixed sentence. */
export abstract class Logger {
  abstract readonly debug: LogFn;
  abstract readonly info: LogFn;
  abstract readonly warn: LogFn;
  abstract readonly error: LogFn;
}

/** Names whose values are content, secrets or input of a caller. */
const SECRET = [
  'authorization',
  'bearer',
  'token',
  'password',
  'key',
  'apiKey',
  'secret',
  'text',
  'query',
  'body',
  'params',
];

/** An error without the properties that drivers attach: parameters, statements and details contain content. */
const serializeError = (error: unknown): object => {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    code,
    stack: error.stack,
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  };
};

/** The request, the group and the trace of the work in progress. */
const atHand = (): object => {
  const { trace, ...rest } = workContext.get() ?? {};
  return trace === undefined ? rest : { ...rest, trace_id: trace.traceId };
};

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  readonly destination?: DestinationStream | undefined;
}

/** The output of the process, written without waiting. */
export const standardOutput = (): DestinationStream => pino.destination({ sync: false });

/** JSON lines with the request, the group and the trace of the work in progress; never content, tokens or secrets. */
export const createLogger = ({ service, level, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: atHand,
      redact: { paths: SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      serializers: { error: serializeError, err: serializeError },
    },
    destination ?? standardOutput(),
  );
