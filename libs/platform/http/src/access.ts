import type { Request, RequestHandler, Response } from 'express';
import {
  type Logger,
  type Metrics,
  readTraceparent,
  type TraceContext,
  type Tracer,
  workContext,
} from '@acervo/platform-observability';
import { faceOfPath } from './paths';
import { requestIdOf, scopeOf } from './request';

/** Calls are answered before routes are looked for; which one it was, the figures of calls tell. */
const CALLS = '/internal/calls/';

/** The route as it was declared, never the path as it was sent: names stay few and hold no codes. */
const templateOf = (request: Request): string => {
  const route: unknown = request.route;
  const path: unknown = typeof route === 'object' && route !== null ? Reflect.get(route, 'path') : undefined;
  if (typeof path === 'string') return path;
  return request.path.startsWith(CALLS) ? `${CALLS}:code` : 'unmatched';
};

/** What led to a request. Our own services are believed; who stands outside may name a trace, and nothing more. */
const ledBy = ({ headers, path }: Request): TraceContext | undefined => {
  const told = readTraceparent(headers['traceparent']);
  return told === undefined || faceOfPath(path) === 'internal' ? told : { ...told, foreign: true };
};

/** The span of a public request. A call has its own, and probes are nobody's work. */
const spanOf = (tracer: Tracer, request: Request, response: Response): TraceContext | undefined => {
  const parent = ledBy(request);
  if (faceOfPath(request.path) === 'internal') return parent;
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

/** Gives each request its id, its place in a trace, one log line and its share of the figures. */
export const access = (logger: Logger, metrics: Metrics, tracer: Tracer): RequestHandler => {
  const seconds = metrics.seconds('http_request', 'Time to answer a request', ['method', 'route', 'status']);
  return (request, response, next) => {
    const [started, requestId] = [process.hrtime.bigint(), requestIdOf(request)];
    const trace = spanOf(tracer, request, response);
    response.setHeader('X-Request-Id', requestId);
    response.on('finish', () => {
      const took = Number(process.hrtime.bigint() - started) / 1e9;
      const labels = { method: request.method, route: templateOf(request), status: String(response.statusCode) };
      seconds.observe(labels, took);
      const line = { groupId: scopeOf(request)?.groupId, ...labels, ms: Math.round(took * 1e4) / 10 };
      workContext.run({ requestId, trace }, () => logger.info(line, 'request'));
    });
    workContext.run({ requestId, trace }, next);
  };
};
