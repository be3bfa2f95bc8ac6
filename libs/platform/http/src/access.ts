import type { Request, RequestHandler } from 'express';
import { type Logger, type Metrics, workContext } from '@acervo/platform-observability';
import { requestIdOf, scopeOf } from './request';

/** The route as it was declared, never the path as it was sent: names stay few and hold no codes. */
const templateOf = (request: Request): string => {
  const route: unknown = request.route;
  const path: unknown = typeof route === 'object' && route !== null ? Reflect.get(route, 'path') : undefined;
  return typeof path === 'string' ? path : 'unmatched';
};

/** Gives each request its id, one log line and its share of the figures. */
export const access = (logger: Logger, metrics: Metrics): RequestHandler => {
  const seconds = metrics.seconds('http_request', 'Time to answer a request', ['method', 'route', 'status']);
  return (request, response, next) => {
    const [started, requestId] = [process.hrtime.bigint(), requestIdOf(request)];
    response.setHeader('X-Request-Id', requestId);
    response.on('finish', () => {
      const took = Number(process.hrtime.bigint() - started) / 1e9;
      const labels = { method: request.method, route: templateOf(request), status: String(response.statusCode) };
      seconds.observe(labels, took);
      logger.info(
        { requestId, groupId: scopeOf(request)?.groupId, ...labels, ms: Math.round(took * 1e4) / 10 },
        'request',
      );
    });
    workContext.run({ requestId }, next);
  };
};
