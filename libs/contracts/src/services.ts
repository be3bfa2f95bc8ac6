/** One service of the product. What belongs to it is found by its name: `libs/{name}`, schema, roles, topics. */
interface ServiceRow {
  readonly name: string;
  /** Folder of its program in `apps`; absent while the service has a schema and events for it, and no program. */
  readonly application?: string;
  /** Public prefixes that it owns. `/` alone is the search page, `/app` the web application. */
  readonly prefixes: readonly string[];
}

/** Every service, one row each; a service precedes its callers. `tools/checks/services.mjs` compares it with the rest. */
export const serviceTable = [
  {
    name: 'auth',
    application: 'auth-service',
    prefixes: ['/auth', '/usuarios', '/roles', '/funciones', '/.well-known'],
  },
  { name: 'retrieval', application: 'retrieval-service', prefixes: [] },
  { name: 'ingestion', application: 'ingestion-service', prefixes: [] },
  { name: 'operations', application: 'operations-executor', prefixes: [] },
  { name: 'chat', application: 'chat-service', prefixes: ['/chat'] },
  {
    name: 'gateway',
    application: 'gateway',
    prefixes: [
      '/v1',
      '/mcp',
      '/version',
      '/openapi.json',
      '/docs',
      '/app',
      '/',
      '/documentos',
      '/espacios-trabajo',
      '/habilidades',
      '/cola-estados-docs',
    ],
  },
] as const satisfies readonly ServiceRow[];

type Row = (typeof serviceTable)[number];
type RowOfProgram = Extract<Row, { readonly application: string }>;

export type ServiceName = Row['name'];
/** A service that has a program. */
export type ProgramName = RowOfProgram['name'];

/** The names of all services. */
export const services: readonly ServiceName[] = serviceTable.map(({ name }) => name);

/** The services that have a program, in the order of their start. */
export const programs: readonly RowOfProgram[] = serviceTable.filter(
  (row): row is RowOfProgram => 'application' in row,
);

/** The service that mints the scopes of callers. */
export const scopeIssuer: ServiceName = 'auth';

/** A service that runs has no row. */
export class ServiceNotListed extends Error {
  override readonly name = 'ServiceNotListed';
  constructor(service: string) {
    super(`serviceTable of libs/contracts/src/services.ts has no row of ${service}; add { name: '${service}', … }.`);
  }
}

/** @throws ServiceNotListed where the table has no row of that name */
export const assertListed = (service: string): void => {
  if (!serviceTable.some(({ name }) => name === service)) throw new ServiceNotListed(service);
};

/**
 * Operators of an installation: the program that starts all services on one machine, or an admin command to the program
 * of one service (`--help` lists them). Both send calls only within their own process, never over the network.
 */
export const operators = ['standalone', 'operator'] as const;

/** Senders of calls. */
export type CallerName = ServiceName | (typeof operators)[number];

/** Public prefixes, one owner each. */
export const prefixes: readonly { readonly prefix: string; readonly owner: ServiceName }[] = serviceTable.flatMap(
  ({ name, prefixes: owned }) => owned.map((prefix) => ({ prefix, owner: name })),
);

const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** The service that owns a public path; undefined where there is none. `/` owns itself only. */
export const ownerOf = (path: string): ServiceName | undefined =>
  prefixes.find(({ prefix }) => (prefix === '/' ? path === '/' : under(path, prefix)))?.owner;
