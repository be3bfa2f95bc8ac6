import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { type DatabaseConnection, EmbeddedDatabase, type EmbeddedDatabaseOptions, poolConfig } from '../src';
import { onStack, startServer } from './server-support';
import { cstring, message, type Message, splitMessages } from '../src/embedded/wire';

/** Connections of roles, and a way to lose all of them: the embedded engine is killed, a server terminates them. */
export interface Engine {
  connection(role: string): DatabaseConnection;
  /** The process of the embedded engine and its data directory; absent for a server. */
  readonly pid: number | undefined;
  readonly directory: string;
  cut(): void;
  stop(): Promise<void>;
}

/** A real database in a separate directory, with its log. */
export interface Running {
  readonly server: Engine;
  readonly events: { event: string; details: object }[];
  /** A client that has logged in; ended with the database when the test did not end it. */
  client(role: string, more?: ClientConfig): Promise<Client>;
  /** Runs one text as a role on a connection of its own. */
  run<R = Record<string, unknown>>(role: string, sql: string, params?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

export const freshDirectory = (): string => mkdtempSync(join(tmpdir(), 'acervo-database-test-'));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks that detect a hang: a minute, in which stalls of this process do not count. */
const MOST_LOOKS = 3_000;

/** Waits until a condition is true. `until` of platform-testing depends on this library. @throws where it hangs */
export const until = async (what: () => boolean | Promise<boolean>): Promise<void> => {
  for (let looks = 0; !(await what()); looks += 1) {
    if (looks > MOST_LOOKS) throw new Error(`It is not so after ${MOST_LOOKS} looks.`);
    await pause(20);
  }
};

/** Whether a process runs; a zombie does not. */
export const isRunning = (pid: number): boolean => {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0);
    return !/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? 'Z');
  } catch {
    return false;
  }
};

const startEmbedded = async (events: Running['events'], options: Partial<EmbeddedDatabaseOptions>): Promise<Engine> => {
  const directory = freshDirectory();
  const log = (event: string, details: object): void => void events.push({ event, details });
  const server = await EmbeddedDatabase.start({ directory, log, ...options });
  return {
    connection: (role) => server.connection(role),
    get pid() {
      return server.pid;
    },
    directory,
    cut: () => void process.kill(server.pid ?? 0, 'SIGKILL'),
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** On a stack the same tests run on PostgreSQL, except those of the multiplexer itself. */
export const startDatabase = async (options: Partial<EmbeddedDatabaseOptions> = {}): Promise<Running> => {
  const events: Running['events'] = [];
  const server = onStack ? await startServer() : await startEmbedded(events, options);
  const open = new Set<Client>();
  const client = async (role: string, more: ClientConfig = {}): Promise<Client> => {
    const made = new Client({ ...poolConfig(server.connection(role)), ...more });
    made.on('error', () => undefined);
    await made.connect();
    open.add(made);
    return made;
  };
  return {
    server,
    events,
    client,
    run: async <R>(role: string, sql: string, params?: unknown[]): Promise<R[]> => {
      const one = await client(role);
      try {
        return (await one.query(sql, params)).rows as R[];
      } finally {
        open.delete(one);
        await one.end();
      }
    },
    close: async () => {
      await Promise.all([...open].map((each) => each.end().catch(() => undefined)));
      await server.stop();
    },
  };
};

/** The answer of a promise that must fail: the SQLSTATE of its error, or its message. */
export const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  }
  return 'nothing failed';
};

const startup = (parameters: Readonly<Record<string, string>>): Buffer => {
  const words = Object.entries(parameters).flatMap(([name, value]) => [cstring(name), cstring(value)]);
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), ...words, Buffer.from([0])]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
};

/** A client that sends raw bytes of the protocol, for messages that no driver sends. */
export interface RawClient {
  send(...bytes: Buffer[]): void;
  /** The letters of the messages since the last call, once they match or the connection is closed. */
  answer(fits: (letters: string) => boolean): Promise<string>;
  readonly closed: () => boolean;
  end(): void;
}

/** Connects as the driver does: a host that is a directory contains a Unix socket. */
export const socketTo = ({ host, port }: DatabaseConnection): Socket =>
  host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);

export const rawClient = async (
  connection: DatabaseConnection,
  parameters: Readonly<Record<string, string>> = {},
): Promise<RawClient> => {
  const { user, password } = connection;
  const socket = socketTo(connection);
  let input: Buffer = Buffer.alloc(0);
  let received: Message[] = [];
  let closed = false;
  socket.on('data', (data) => {
    const split = splitMessages(Buffer.concat([input, data]));
    input = split.rest;
    received.push(...split.messages);
  });
  socket.on('close', () => (closed = true));
  socket.on('error', () => undefined);
  const letters = (): string => received.map(({ type }) => type).join('');
  const client: RawClient = {
    send: (...bytes) => void socket.write(Buffer.concat(bytes)),
    answer: async (fits) => {
      await until(() => closed || fits(letters()));
      const output = letters();
      received = [];
      return output;
    },
    closed: () => closed,
    end: () => void socket.destroy(),
  };
  client.send(startup({ user, ...parameters }));
  await client.answer((output) => output.endsWith('R'));
  client.send(message('p', cstring(password)));
  await client.answer((output) => output.endsWith('Z'));
  return client;
};

/** Messages of the extended protocol, of the one shape that the tests need. */
export const parse = (name: string, sql: string): Buffer => message('P', cstring(name), cstring(sql), Buffer.alloc(2));
export const bind = (portal: string, name: string): Buffer =>
  message('B', cstring(portal), cstring(name), Buffer.alloc(6));
export const execute = (portal: string): Buffer => message('E', cstring(portal), Buffer.alloc(4));
export const sync = message('S');
export const flush = message('H');
