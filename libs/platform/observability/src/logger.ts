import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger };
export const LOGGER = Symbol('acervo:logger');

/** What each log line of one piece of work carries. */
export interface WorkContext {
  readonly requestId: string;
  readonly groupId?: string | undefined;
}

const current = new AsyncLocalStorage<WorkContext>();

/** The context of the work in progress; set with `run`, never entered. */
export const workContext = {
  run: <T>(context: WorkContext, work: () => T): T => current.run(context, work),
  get: (): WorkContext | undefined => current.getStore(),
};

/** Names whose values are content, secrets or what a caller sent. */
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

/** An error without what drivers attach to it: parameters, statements and details hold content. */
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

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  readonly destination?: DestinationStream | undefined;
}

/** JSON lines with the request and group at hand; never content, tokens or secrets. */
export const createLogger = ({ service, level, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...workContext.get() }),
      redact: { paths: SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      serializers: { error: serializeError, err: serializeError },
    },
    destination ?? pino.destination({ sync: false }),
  );
