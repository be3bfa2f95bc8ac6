/** The deployables. */
export const services = ['gateway', 'auth', 'ingestion', 'retrieval', 'operations', 'chat'] as const;
export type ServiceName = (typeof services)[number];

/**
 * Operators of an installation: the program that starts all services on one machine, or an admin command to the program
 * of one service (`--help` lists them). Both send calls only within their own process, never over the network.
 */
export const operators = ['standalone', 'operator'] as const;

/** Senders of calls. */
export type CallerName = ServiceName | (typeof operators)[number];

/** Public prefixes, one owner each. `/` alone is the search page, `/app` the web application. */
export const prefixes: readonly { readonly prefix: string; readonly owner: ServiceName }[] = [
  { prefix: '/v1', owner: 'gateway' },
  { prefix: '/version', owner: 'gateway' },
  { prefix: '/openapi.json', owner: 'gateway' },
  { prefix: '/docs', owner: 'gateway' },
  { prefix: '/app', owner: 'gateway' },
  { prefix: '/documentos', owner: 'gateway' },
  { prefix: '/espacios-trabajo', owner: 'gateway' },
  { prefix: '/habilidades', owner: 'gateway' },
  { prefix: '/cola-estados-docs', owner: 'gateway' },
  { prefix: '/auth', owner: 'auth' },
  { prefix: '/usuarios', owner: 'auth' },
  { prefix: '/roles', owner: 'auth' },
  { prefix: '/funciones', owner: 'auth' },
  { prefix: '/.well-known', owner: 'auth' },
  { prefix: '/chat', owner: 'chat' },
  { prefix: '/', owner: 'gateway' },
];

const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** The service that owns a public path; undefined where there is none. `/` owns itself only. */
export const ownerOf = (path: string): ServiceName | undefined =>
  prefixes.find(({ prefix }) => (prefix === '/' ? path === '/' : under(path, prefix)))?.owner;
