import type { EventEmitter } from 'node:events';
import type { Client, Pool, PoolClient, PoolConfig } from 'pg';
import { connectClient, newestOf, poolOf } from './passwords';

/**
 * `interactive` is for requests with a waiting user. `courier` delivers events between services, in few short
 * statements. `background` is everything else.
 */
export type ConnectionPriority = 'interactive' | 'courier' | 'background';

/** Where a role logs in. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** One password, or one a line while it is replaced: the first that the server accepts is used. */
  readonly password: string;
  /** Where one session serves all, interactive connections precede couriers, and couriers precede background ones. */
  readonly priority?: ConnectionPriority;
  readonly max?: number;
  /**
   * Transactions that may wait for one of the `max` connections; further ones are refused. One group then holds at most
   * half of both. Unbounded when absent.
   */
  readonly mostWaiting?: number;
  /** TLS with a verified certificate; when absent plain text, which is for loopback. */
  readonly tls?: Tls;
}

/** The authorities that verify a server's certificate. */
export interface Tls {
  /** Certificates of the trusted authorities, as PEM; those of Node when absent. */
  readonly ca?: string;
}

/**
 * Background work runs the same statements over tables that grow from nothing to millions of rows: its prepared
 * statements skip parsing only and are planned each time.
 */
const optionsOf = (priority: ConnectionPriority): string =>
  priority === 'interactive' ? '' : `-c acervo.lane=${priority} -c plan_cache_mode=force_custom_plan`;

export const poolConfig = (connection: DatabaseConnection): PoolConfig => {
  const { priority = 'interactive', max = 4, tls, mostWaiting: _, ...login } = connection;
  return {
    ...login,
    password: newestOf(login.password),
    // A server without TLS is then an error: the driver does not fall back to plain text.
    ...(tls === undefined ? {} : { ssl: { ...tls, rejectUnauthorized: true } }),
    max,
    application_name: 'acervo',
    options: optionsOf(priority),
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Pipelining sends a statement before the previous one is answered.
    pipeline: true,
  };
};

/**
 * A pool that survives the loss of connections, idle, between two statements or in use: the next use opens a new one.
 * @param schema schema whose tables are found by their plain names
 */
export const openPool = (connection: DatabaseConnection, schema?: string): Pool => {
  const config = poolConfig(connection);
  const searched = schema === undefined ? '' : ` -c search_path=${schema}`;
  const pool = poolOf({ ...config, options: `${config.options ?? ''}${searched}` }, connection.password);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/**
 * Opens a connection beside the pools, for `LISTEN`. Its loss is an `end` event.
 * @param prepare adds listeners before the connection opens; called for each try
 */
export const openClient = (connection: DatabaseConnection, prepare?: (client: Client) => void): Promise<Client> => {
  const { max: _, ...config } = poolConfig(connection);
  return connectClient(config, connection.password, prepare);
};

/** The login with the one password that the server accepts now. */
export const acceptedLogin = async (connection: DatabaseConnection): Promise<DatabaseConnection> => {
  const client = await openClient(connection);
  const { password } = client as Client & { readonly password: string };
  await client.end();
  return { ...connection, password };
};

/**
 * Calls the listener with each value that the engine reports for a setting of a connection; the driver does not expose
 * it.
 */
export const onParameter = (client: PoolClient, name: string, listener: (value: string) => void): void => {
  const { connection } = client as PoolClient & { readonly connection: EventEmitter };
  connection.on('parameterStatus', (heard: { parameterName: string; parameterValue: string }) => {
    if (heard.parameterName === name) listener(heard.parameterValue);
  });
};
