import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Connection, type Identity, identityOf, passwordFits, type Roles } from './connection';
import type { Resolved } from './prepared-statements';
import { type Engine, type EngineRuns, SharedSession } from './shared-session';
import { Statements } from './statement';
import { Traffic, TRAFFIC } from './traffic';
import { SessionScheduler } from './session-scheduler';
import {
  cstring,
  errorResponse,
  greeting,
  message,
  type Message,
  parameterStatus,
  passwordRequest,
  query,
  readCstring,
  readOpening,
  splitMessages,
} from './wire';

export interface MultiplexerOptions {
  readonly roles: Roles;
  /** Idle time after which a transaction is rolled back and its connection closed. */
  readonly idleInTransactionMs?: number;
  readonly log?: (event: string, details: object) => void;
}

/** Growth of the log between two checkpoints: one takes some 20 ms. */
const LOG_BYTES = 16 * 1_048_576;
const MOST_LOG_BYTES = 4 * LOG_BYTES;
const LOG_POSITION = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`;

/** Bytes of batches that run together. */
const MOST_BYTES = 262_144;

/**
 * Multiplexes PostgreSQL connections over the single session of an embedded engine. A connection owns the session from
 * its first message until the engine is ready outside a transaction. Batches of one transaction that have arrived run
 * together and are answered by one write.
 */
export class Multiplexer {
  private readonly servers: Server[] = [];
  private readonly scheduler = new SessionScheduler<object>();
  private readonly connections = new Set<Connection>();
  private readonly traffic = new Traffic();
  private readonly statements = new Statements();
  private readonly session: SharedSession;
  private nextId = 1;
  /** Position of the log at the last checkpoint. */
  private checkpointAt: number | undefined;

  constructor(
    engine: Engine,
    private readonly options: MultiplexerOptions,
  ) {
    this.session = new SharedSession(engine, (notification) => this.notify(notification));
  }

  /** How often the engine ran. */
  get runs(): EngineRuns {
    return this.session.runs;
  }

  /** Listens on loopback; answers the port. */
  async listen(port: number): Promise<number> {
    const server = this.server();
    await listening(server, () => server.listen(port, '127.0.0.1'));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Listens on a Unix socket for the user of this process. A socket of a process that was killed is replaced. */
  async listenOn(path: string): Promise<void> {
    rmSync(path, { force: true });
    const server = this.server();
    await listening(server, () => server.listen(path));
    chmodSync(path, 0o600);
  }

  async close(): Promise<void> {
    const closed = this.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const { socket } of this.connections) socket.destroy();
    await Promise.all(closed);
  }

  /**
   * Writes changed pages to the data files where the log of changes has grown: the engine has no process for that, so the
   * log would grow until it is stopped. While requests are served, it may grow longer.
   */
  async checkpoint(): Promise<void> {
    const holder = {};
    await this.scheduler.acquire(holder, 'background');
    try {
      const position = numberIn(await this.session.administer(LOG_POSITION));
      const limit = this.traffic.now === 'busy' ? MOST_LOG_BYTES : LOG_BYTES;
      this.checkpointAt ??= position;
      if (position - this.checkpointAt < limit) return;
      await this.session.administer('checkpoint');
      this.checkpointAt = position;
    } catch (error) {
      this.options.log?.('checkpoint', { error: String(error) });
    } finally {
      this.scheduler.release(holder);
    }
  }

  /**
   * Runs `work` while all data is in the data files and no statement runs; connections wait for it.
   * @throws what `work` throws
   */
  async whileStill<T>(work: () => Promise<T>): Promise<T> {
    const holder = {};
    await this.scheduler.acquire(holder, 'interactive');
    try {
      await this.session.administer('checkpoint');
      return await work();
    } finally {
      this.scheduler.release(holder);
    }
  }

  private server(): Server {
    const server = createServer((socket) => this.accept(socket));
    this.servers.push(server);
    return server;
  }

  private accept(socket: Socket): void {
    socket.setNoDelay(true);
    const connection = new Connection(this.nextId++, socket, this.statements);
    this.connections.add(connection);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => void connection.inOrder(() => this.leave(connection)));
    socket.on('data', (data) => {
      connection.input = connection.input.length === 0 ? data : Buffer.concat([connection.input, data]);
      try {
        this.read(connection);
      } catch (error) {
        this.options.log?.('protocol', { error: String(error) });
        socket.destroy();
      }
    });
  }

  private read(connection: Connection): void {
    while (connection.identity === undefined) {
      const found = readOpening(connection.input);
      if (found === undefined) return;
      connection.input = found.rest;
      if (found.opening.kind === 'encryption') connection.send(Buffer.from('N'));
      else if (found.opening.kind === 'cancel') return void connection.socket.end();
      else {
        connection.identity = identityOf(found.opening.parameters);
        connection.send(passwordRequest());
      }
    }
    const { messages, rest } = splitMessages(connection.input);
    connection.input = rest;
    const before = connection.waiting.length;
    for (const each of messages) this.receive(connection, each);
    if (connection.waiting.length > before) void connection.inOrder(() => this.serve(connection));
  }

  private receive(connection: Connection, received: Message): void {
    if (!connection.authenticated) this.authenticate(connection, received);
    else if (received.type === 'X') connection.socket.end();
    else connection.receive(received);
  }

  private authenticate(connection: Connection, { type, bytes }: Message): void {
    const role = connection.identity?.role ?? '';
    if (type === 'p' && passwordFits(this.options.roles, role, readCstring(bytes, 5)[0])) {
      connection.authenticated = true;
      return connection.send(greeting(connection.id));
    }
    connection.send(errorResponse('28P01', 'The user or its password is wrong.'));
    connection.socket.end();
  }

  /** Runs the batches that wait: those of one transaction in one turn of the session. */
  private async serve(connection: Connection): Promise<void> {
    const { identity } = connection;
    while (identity !== undefined && connection.waiting.length > 0 && this.connections.has(connection)) {
      if (identity.priority === 'interactive') this.traffic.note();
      await this.scheduler.acquire(connection, identity.priority);
      clearTimeout(connection.idleTimer);
      try {
        if (connection.transaction === 'I') await this.session.become(identity);
        do await this.execute(connection, identity, this.together(connection, identity));
        while (connection.transaction !== 'I' && connection.waiting.length > 0);
      } catch (error) {
        this.options.log?.('batch', { error: String(error), role: identity.role });
        connection.waiting.length = 0;
        connection.socket.destroy();
      } finally {
        if (connection.transaction === 'I') this.scheduler.release(connection);
        else this.watchIdle(connection);
      }
    }
  }

  /**
   * The next batches that run together: one, or those of one transaction whose texts are trusted. After any other text
   * the engine is asked first, so that nothing is committed by a role that was left.
   */
  private together(connection: Connection, { role }: Identity): Resolved[] {
    const { waiting, prepared, transaction } = connection;
    const group: Resolved[] = [];
    let bytes = 0;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const resolved = prepared.resolve(next);
      waiting.shift();
      group.push(resolved);
      bytes += resolved.bytes.length;
      const [place] = resolved.statements.map((each) => each.place);
      const isInside = transaction === 'T' || group[0]?.statements[0]?.place === 'opens';
      const endsHere = place === 'closes' || resolved.isFlush || resolved.isRefused || resolved.closes.length > 0;
      if (!isInside || endsHere || bytes > MOST_BYTES || !this.session.trusts(role, resolved.statements)) return group;
    }
    return group;
  }

  private async execute(connection: Connection, { role, priority }: Identity, group: Resolved[]): Promise<void> {
    const statements = group.flatMap((each) => each.statements);
    const answer = await this.session.runFor(role, Buffer.concat(group.map(({ bytes }) => bytes)), statements);
    const failed = answer.some(({ type }) => type === 'E');
    for (const each of group) connection.prepared.settle(each, failed);
    connection.transaction = transactionAfter(answer);
    if (!(await this.session.keepsRole(role, statements, { transaction: connection.transaction, failed })))
      return this.cut(connection);
    const last = group.at(-1);
    const readyIsLeftOut = last?.isRefused === true && last.isFlush;
    const forwarded = answer.filter(({ type }) => type !== 'Z' || !readyIsLeftOut).map(({ bytes }) => bytes);
    connection.send(Buffer.concat(priority === 'background' ? [this.trafficReport(), ...forwarded] : forwarded));
  }

  private notify(notification: Buffer): void {
    const [channel] = readCstring(notification, 9);
    for (const each of this.connections) if (each.channels.has(channel)) each.send(notification);
  }

  /** Reports to background connections, with each answer, whether requests are waiting. */
  private trafficReport(): Buffer {
    return parameterStatus(TRAFFIC, this.traffic.now);
  }

  private cut(connection: Connection): void {
    this.options.log?.('superuser', { connection: connection.id });
    connection.waiting.length = 0;
    connection.socket.destroy();
  }

  private watchIdle(connection: Connection): void {
    connection.idleTimer = setTimeout(() => {
      this.options.log?.('idle-in-transaction', { connection: connection.id, role: connection.identity?.role });
      connection.socket.destroy();
    }, this.options.idleInTransactionMs ?? 10_000);
    connection.idleTimer.unref();
  }

  /** Cleans up after a closed connection: its transaction, its statements and its place in the session. */
  private async leave(connection: Connection): Promise<void> {
    clearTimeout(connection.idleTimer);
    if (!this.connections.delete(connection) || connection.identity === undefined) return;
    const { names } = connection.prepared;
    if (connection.transaction === 'I' && names.length === 0) return;
    await this.scheduler.acquire(connection, connection.identity.priority);
    try {
      // Sync first: after an error, the engine skips all messages until Sync.
      if (connection.transaction !== 'I') await this.session.clean(Buffer.concat([message('S'), query('rollback')]));
      if (names.length > 0)
        await this.session.clean(Buffer.concat([...names.map((name) => closing(connection, name)), message('S')]));
    } finally {
      connection.transaction = 'I';
      this.scheduler.release(connection);
    }
  }
}

/** The state that the engine reports behind its last answer. Behind a Flush it reports none. */
const transactionAfter = (answer: readonly Message[]): string => {
  const last = answer.at(-1);
  return last?.type === 'Z' ? String.fromCharCode(last.bytes[5] ?? 73) : 'F';
};

/** The number in an answer of one row with one column. */
const numberIn = (answer: readonly Message[]): number =>
  Number(answer.find(({ type }) => type === 'D')?.bytes.toString('utf8', 11) ?? Number.NaN);

/** Closes a prepared statement; one that does not exist is no error. */
const closing = (connection: Connection, name: string): Buffer =>
  message('C', Buffer.from('S'), cstring(connection.sessionName(name)));

const listening = (server: Server, listen: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => resolve());
    listen();
  });
