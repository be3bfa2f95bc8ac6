import type { Request, RequestHandler, Response } from 'express';
import {
  type Logger,
  type Metrics,
  readTraceparent,
  type TraceContext,
  type Tracer,
  workContext,
} from '@acervo/platform-observability';
import { credentialOf } from './guard';
import { HTTP_REQUESTS, PROBES } from './http-metrics';
import { listenerOfPath } from './paths';
import { requestIdOf, scopeOf } from './request';
import { streamBegan } from './streams';

/** Calls are answered before routing; the metrics of calls name each call. */
const CALLS = '/internal/calls/';
const CALLS_KEYS = '/internal/jwks';

/** The declared route, never the path of the request: labels stay few and contain no codes. */
const templateOf = (request: Request): string => {
  const route: unknown = request.route;
  const path: unknown = typeof route === 'object' && route !== null ? Reflect.get(route, 'path') : undefined;
  if (typeof path === 'string') return path;
  if (request.path.startsWith(CALLS)) return `${CALLS}:code`;
  return request.path === CALLS_KEYS ? CALLS_KEYS : 'unmatched';
};

/**
 * The trace that caused a request. Services of the product are trusted; an outside client may name a trace, and nothing
 * else.
 */
const ledBy = ({ headers, path }: Request): TraceContext | undefined => {
  const remoteParent = readTraceparent(headers['traceparent']);
  return remoteParent === undefined || listenerOfPath(path) === 'internal'
    ? remoteParent
    : { ...remoteParent, foreign: true };
};

/** The span of a public request. A call has its own span, and probes get none. */
const spanOf = (tracer: Tracer, request: Request, response: Response): TraceContext | undefined => {
  const parent = ledBy(request);
  if (listenerOfPath(request.path) === 'internal') return parent;
  const { method } = request;
  const span = tracer.start({ name: method, kind: 'server', attributes: { 'http.request.method': method } }, parent);
  response.on('close', () => {
    const [route, status] = [templateOf(request), response.statusCode];
    const failure = response.writableFinished ? (status < 500 ? undefined : String(status)) : 'aborted';
    const attributes = { 'http.route': route, 'http.response.status_code': status };
    span.end({ name: `${method} ${route}`, attributes, failure });
  });
  return span.context;
};

/** Statuses by which a caller is refused. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [429, 'RATE_LIMITED'],
]);

/** Who was refused and why, for the log; undefined for any other answer. */
const refusalOf = (request: Request, { statusCode }: Response): object | undefined => {
  const reason = REFUSALS.get(statusCode);
  const scope = scopeOf(request);
  if (reason === undefined) return undefined;
  const verified = scope && { userId: scope.userId, credential: scope.credential, credentialId: scope.credentialId };
  return { security: 'access', outcome: 'REFUSED', reason, ...(verified ?? credentialOf(request)) };
};

const PROBE_PATHS: ReadonlyMap<string, string> = new Map([
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
  ['/metrics', 'metrics'],
]);

/** Counts a request in the metrics: probes and scrapes apart, since they say nothing of clients. */
const observing = (metrics: Metrics) => {
  const seconds = metrics.seconds(HTTP_REQUESTS);
  const probes = metrics.counter(PROBES, { probe: [...PROBE_PATHS.values()], status: ['200'] });
  return (request: Request, status: string, took: number): Record<'method' | 'route' | 'status', string> => {
    const labels = { method: request.method, route: templateOf(request), status };
    // On the public port these paths are those of a stranger.
    const probe = labels.route === 'unmatched' ? undefined : PROBE_PATHS.get(request.path);
    if (probe === undefined) seconds.observe(labels, took);
    else probes.inc({ probe, status });
    return labels;
  };
};

/** Calls back once, with the status of the answer, or `aborted` where the client was gone before its end. */
const onceOver = (response: Response, over: (status: string) => void): void => {
  response.once('finish', () => over(String(response.statusCode)));
  response.once('close', () => response.writableFinished || over('aborted'));
};

const secondsOf = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;
const millisecondsOf = (seconds: number): number => Math.round(seconds * 1e4) / 10;

/**
 * Gives each request an id, a trace, one log line and an observation in the metrics. A stream
 * counts with the time to its first frame.
 */
export const access = (logger: Logger, metrics: Metrics, tracer: Tracer): RequestHandler => {
  const observe = observing(metrics);
  return (request, response, next) => {
    const [started, requestId] = [process.hrtime.bigint(), requestIdOf(request)];
    const trace = spanOf(tracer, request, response);
    response.setHeader('X-Request-Id', requestId);
    onceOver(response, (status) => {
      const [began, ended] = [streamBegan(response), process.hrtime.bigint()];
      const took = secondsOf((began ?? ended) - started);
      const labels = observe(request, status, took);
      const streamedMs = began === undefined ? undefined : millisecondsOf(secondsOf(ended - began));
      const line = { groupId: scopeOf(request)?.groupId, ...labels, ms: millisecondsOf(took), streamedMs };
      const refused = refusalOf(request, response);
      workContext.run({ requestId, trace }, () =>
        refused === undefined ? logger.info(line, 'request') : logger.warn({ ...line, ...refused }, 'request refused'),
      );
    });
    workContext.run({ requestId, trace }, next);
  };
};
