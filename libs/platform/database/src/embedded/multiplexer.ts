import { createServer, type Server, type Socket } from 'node:net';
import { Connection, type Identity, identityOf, passwordFits, type Roles } from './connection';
import { listenOf, refusalOf } from './statement-policy';
import { Traffic, TRAFFIC } from './traffic';
import { SessionScheduler } from './session-scheduler';
import {
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

/** The one session behind all connections: runs a batch of protocol messages and answers bytes. */
export interface Engine {
  run(batch: Buffer): Promise<Buffer>;
}

export interface MultiplexerOptions {
  readonly roles: Roles;
  /** Idle time after which a transaction is rolled back and its connection closed. */
  readonly idleInTransactionMs?: number;
  readonly log?: (event: string, details: object) => void;
}

const ENDS_A_BATCH = new Set(['Q', 'S', 'H', 'c', 'f']);
const NOTHING = 'select 1 where false';
const REFUSED = '42501';

/** An error raised by the engine itself, so that it fails an open transaction. */
const refuse = (reason: string): Buffer =>
  query(
    `do $refused$ begin raise exception using errcode = '${REFUSED}', message = 'This connection may not use ${reason.replaceAll("'", "''")}.'; end $refused$`,
  );

/**
 * Multiplexes PostgreSQL connections over the single session of an embedded engine. A connection owns the session from
 * its first message until the engine is ready outside a transaction. Role and settings of its start-up packet are
 * restored whenever the session changes owners.
 */
export class Multiplexer {
  private readonly server: Server;
  private readonly scheduler = new SessionScheduler<Connection>();
  private readonly connections = new Set<Connection>();
  private readonly traffic = new Traffic();
  private nextId = 1;

  constructor(
    private readonly engine: Engine,
    private readonly options: MultiplexerOptions,
  ) {
    this.server = createServer((socket) => this.accept(socket));
  }

  /** Listens on loopback; answers the port. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => {
        const address = this.server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const { socket } of this.connections) socket.destroy();
    await closed;
  }

  private accept(socket: Socket): void {
    socket.setNoDelay(true);
    const connection = new Connection(this.nextId++, socket);
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
    for (const each of messages) this.receive(connection, each);
  }

  private receive(connection: Connection, received: Message): void {
    if (!connection.authenticated) return this.authenticate(connection, received);
    if (received.type === 'X') return void connection.socket.end();
    if (connection.skipping && received.type !== 'S') return;
    connection.skipping = false;
    connection.batch.push(this.prepare(connection, received));
    if (!ENDS_A_BATCH.has(received.type)) return;
    const { batch, refusal } = connection;
    connection.batch = [];
    connection.refusal = undefined;
    const isFlush = received.type === 'H';
    if (refusal === undefined) {
      const bytes = Buffer.concat(batch.map((each) => each.bytes));
      return void connection.inOrder(() => this.execute(connection, bytes));
    }
    connection.skipping = isFlush;
    void connection.inOrder(() => this.execute(connection, refuse(refusal), isFlush));
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

  /** Applies the statement policy, handles LISTEN itself and prefixes names with the connection. */
  private prepare(connection: Connection, received: Message): Message {
    const { type, bytes } = received;
    if (type === 'P') {
      const [name, next] = readCstring(bytes, 5);
      if (name !== '') connection.statements.add(name);
      connection.refusal ??= refusalOf(readCstring(bytes, next)[0]);
    }
    if (type === 'C' && bytes[5] === 'S'.charCodeAt(0)) connection.statements.delete(readCstring(bytes, 6)[0]);
    if (type !== 'Q' && type !== 'P') return connection.withOwnNames(received);
    const sql = type === 'Q' ? readCstring(bytes, 5)[0] : readCstring(bytes, readCstring(bytes, 5)[1])[0];
    if (type === 'Q') connection.refusal ??= refusalOf(sql);
    const listen = listenOf(sql);
    if (listen !== undefined) this.subscribe(connection, listen);
    // The session itself keeps listening, for the other connections.
    return listen?.on === false ? connection.withText(received, NOTHING) : connection.withOwnNames(received);
  }

  private subscribe({ channels }: Connection, { on, channel }: { on: boolean; channel: string }): void {
    if (on) channels.add(channel);
    else if (channel === '*') channels.clear();
    else channels.delete(channel);
  }

  private async execute(connection: Connection, batch: Buffer, readyIsLeftOut = false): Promise<void> {
    const { identity } = connection;
    if (identity === undefined || !this.connections.has(connection)) return;
    if (identity.priority === 'interactive') this.traffic.note();
    await this.scheduler.acquire(connection, identity.priority);
    clearTimeout(connection.idleTimer);
    try {
      if (connection.transaction === 'I') await this.become(identity);
      const answer = this.route(connection, await this.engine.run(batch), readyIsLeftOut);
      if (await this.isSuperuser(connection)) this.cut(connection);
      else connection.send(this.withTraffic(identity, answer));
    } catch (error) {
      this.options.log?.('batch', { error: String(error), role: identity.role });
      connection.socket.destroy();
    } finally {
      if (connection.transaction === 'I') this.scheduler.release(connection);
      else this.watchIdle(connection);
    }
  }

  /**
   * Gives the session one role, as if that role had logged in. Nothing of the previous owner is left, and the engine
   * itself refuses to SET ROLE to another. Takes 0.01 ms.
   */
  private async become({ role, settings }: Identity): Promise<void> {
    const answer = await this.engine.run(query(`reset all; set session authorization "${role}"; ${settings}`));
    const failed = this.withoutNotifications(answer).find(({ type }) => type === 'E');
    if (failed !== undefined) throw new Error(`The session could not become ${role}: ${failed.bytes.toString()}`);
  }

  /** The engine does not report changes of this; a failed transaction cannot be queried and cannot do anything. */
  private async isSuperuser({ transaction }: Connection): Promise<boolean> {
    if (transaction !== 'I' && transaction !== 'T') return false;
    const answer = this.withoutNotifications(await this.engine.run(query('show is_superuser')));
    return !answer.some(({ type, bytes }) => type === 'D' && bytes.toString('utf8', 11) === 'off');
  }

  /** Sends the notifications in an answer to their listeners; tracks the state of the transaction. */
  private route(connection: Connection, answer: Buffer, readyIsLeftOut: boolean): Buffer {
    const forwarded: Buffer[] = [];
    connection.transaction = 'F';
    for (const { type, bytes } of this.withoutNotifications(answer)) {
      if (type === 'Z') connection.transaction = String.fromCharCode(bytes[5] ?? 73);
      if (type !== 'Z' || !readyIsLeftOut) forwarded.push(bytes);
    }
    return Buffer.concat(forwarded);
  }

  private withoutNotifications(answer: Buffer): Message[] {
    const { messages } = splitMessages(answer);
    for (const { type, bytes } of messages) if (type === 'A') this.notify(bytes);
    return messages.filter(({ type }) => type !== 'A');
  }

  private notify(notification: Buffer): void {
    const [channel] = readCstring(notification, 9);
    for (const each of this.connections) if (each.channels.has(channel)) each.send(notification);
  }

  /** Reports to background connections, with each answer, whether requests are waiting. */
  private withTraffic({ priority }: Identity, answer: Buffer): Buffer {
    if (priority !== 'background') return answer;
    return Buffer.concat([parameterStatus(TRAFFIC, this.traffic.now), answer]);
  }

  private cut(connection: Connection): void {
    this.options.log?.('superuser', { connection: connection.id });
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
    if (connection.transaction === 'I' && connection.statements.size === 0) return;
    await this.scheduler.acquire(connection, connection.identity.priority);
    try {
      // Sync first: after an error, the engine skips all messages until Sync.
      if (connection.transaction !== 'I') await this.engine.run(Buffer.concat([message('S'), query('rollback')]));
      for (const name of connection.statements)
        await this.engine.run(query(`deallocate "${connection.sessionName(name).replaceAll('"', '""')}"`));
    } finally {
      connection.transaction = 'I';
      this.scheduler.release(connection);
    }
  }
}
