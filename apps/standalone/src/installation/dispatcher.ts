import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { allCalls, ownerOf } from '@acervo/contracts';

/** Request listeners by service, all behind one port. */
export type Handlers = ReadonlyMap<string, RequestListener>;

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

/** The service of the search page; it refuses what belongs to no service. */
const ROOT = ownerOf('/') ?? '';

/** Sends a public request to the service that owns its prefix; the owner of `/` refuses other paths. */
export const publicDispatcher =
  (handlers: Handlers, asked: () => void = () => undefined): RequestListener =>
  (request, response) => {
    asked();
    const owner = handlers.get(ownerOf(pathOf(request)) ?? ROOT) ?? handlers.get(ROOT);
    if (owner !== undefined) owner(request, response);
    else response.writeHead(503).end();
  };

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Answers of the internal server for all services together. */
export interface Together {
  /** Readiness by service name. */
  readiness(): Promise<Readonly<Record<string, boolean>>>;
  metrics(): Promise<string>;
  /** Public keys of this program, which sends Calls, too. */
  keys(): readonly object[];
}

const CALL = /^\/internal\/calls\/([\w.]+)$/;
const PREFIXED = /^\/([a-z]+)(\/(?:internal|health|metrics)(?:\/.*)?)$/;

/** Sends a Call to the owner of its code, and `/{service}/…` to that service. Health and metrics cover all services. */
export const internalDispatcher = (handlers: Handlers, together: Together): RequestListener => {
  const answerTogether = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === '/health/live') return json(response, 200, { live: true });
    if (path === '/internal/jwks') return json(response, 200, { keys: together.keys() });
    if (path === '/metrics')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end(await together.metrics());
    if (path !== '/health/ready') return json(response, 404, {});
    const checks = await together.readiness();
    const ready = Object.values(checks).every(Boolean);
    return json(response, ready ? 200 : 503, { ready, checks });
  };
  return (request, response) => {
    const path = pathOf(request);
    const code = CALL.exec(path)?.[1];
    const prefixed = PREFIXED.exec(path);
    const owner = code === undefined ? prefixed?.[1] : allCalls().find((call) => call.code === code)?.owner;
    const handler = owner === undefined ? undefined : handlers.get(owner);
    if (handler === undefined) return void answerTogether(path, response).catch(() => json(response, 500, {}));
    if (prefixed?.[2] !== undefined) request.url = prefixed[2];
    handler(request, response);
  };
};
