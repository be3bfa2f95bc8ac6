import type { EventEmitter } from 'node:events';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Lane } from './embedded/turns';

/** Where a role logs in. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Interactive connections are served before couriers, and those before the background, where one session serves all. */
  readonly lane?: Lane;
  readonly max?: number;
  /** With TLS and a checked certificate; without it in plain text, which is for loopback. */
  readonly tls?: Tls;
}

/** What a server's certificate is checked against. */
export interface Tls {
  /** Certificates of the authorities that are trusted, as PEM; those that Node trusts when absent. */
  readonly ca?: string;
}

/**
 * Work runs the same statements over tables that grow from nothing to millions of rows: its statements are prepared
 * to be read once, and planned each time.
 */
const optionsOf = (lane: Lane): string =>
  lane === 'interactive' ? '' : `-c acervo.lane=${lane} -c plan_cache_mode=force_custom_plan`;

export const poolConfig = (connection: DatabaseConnection): PoolConfig => {
  const { lane = 'interactive', max = 4, tls, ...login } = connection;
  return {
    ...login,
    // A server that does not speak TLS is an error then: nothing falls back to plain text.
    ...(tls === undefined ? {} : { ssl: { ...tls, rejectUnauthorized: true } }),
    max,
    application_name: 'acervo',
    options: optionsOf(lane),
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // A statement is sent while the answer to the one before it is on its way.
    pipeline: true,
  };
};

/**
 * A pool that survives the death of its connections, idle, between two statements or lent out: the next use opens a
 * new one. @param schema schema whose tables are found by their plain names
 */
export const openPool = (connection: DatabaseConnection, schema?: string): Pool => {
  const config = poolConfig(connection);
  const searched = schema === undefined ? '' : ` -c search_path=${schema}`;
  const pool = new Pool({ ...config, options: `${config.options ?? ''}${searched}` });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** Tells of each value that the engine gives a setting of a connection; the driver hears it and keeps it to itself. */
export const onParameter = (client: PoolClient, name: string, tell: (value: string) => void): void => {
  const { connection } = client as PoolClient & { readonly connection: EventEmitter };
  connection.on('parameterStatus', (heard: { parameterName: string; parameterValue: string }) => {
    if (heard.parameterName === name) tell(heard.parameterValue);
  });
};
