import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Batch, BatchReader } from './batch';
import { PreparedStatements } from './prepared-statements';
import type { ConnectionPriority } from '../connection';
import type { Statements } from './statement';
import type { Subscription } from './statement-policy';
import { cstring, type Message, message, query, readCstring } from './wire';

/** Passwords by role. */
export type Roles = ReadonlyMap<string, string>;

const PARAMETER = /-c\s+([\w.]+)=((?:\\.|\S)+)/g;

/** The identity of a connection, fixed by its start-up packet. */
export interface Identity {
  readonly role: string;
  readonly priority: ConnectionPriority;
  /** Settings to restore whenever the session changes hands, as SQL. */
  readonly settings: string;
}

/** Settings of a start-up packet that would change the role of a connection, or what a quote means to the policy. */
const NEVER_AT_START = /^(role|session_authorization|is_superuser|standard_conforming_strings|backslash_quote)$/i;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Quotes each element of a list: no value can become a statement. */
const listOf = (value: string): string =>
  value
    .split(',')
    .map((each) => literal(each.trim().replace(/^"(.*)"$/, '$1')))
    .join(', ');

const priorityOf = (named: string | undefined): ConnectionPriority =>
  named === 'background' || named === 'courier' ? named : 'interactive';

/** @throws RangeError when the start-up packet names another role. */
export const identityOf = (parameters: Readonly<Record<string, string>>): Identity => {
  const settings = new Map<string, string>();
  for (const [, name = '', value = ''] of (parameters['options'] ?? '').matchAll(PARAMETER))
    settings.set(name, value.replace(/\\(.)/g, '$1'));
  if (parameters['search_path'] !== undefined) settings.set('search_path', parameters['search_path']);
  const priority = priorityOf(settings.get('acervo.lane'));
  settings.delete('acervo.lane');
  if ([...settings.keys()].some((name) => NEVER_AT_START.test(name)))
    throw new RangeError('A connection starts as the role that it logs in as.');
  return {
    role: parameters['user'] ?? '',
    priority,
    settings: [...settings].map(([name, value]) => `set ${name} = ${listOf(value)};`).join(' '),
  };
};

/** Whether a password belongs to a role; unknown roles take the same time. */
export const passwordFits = (roles: Roles, role: string, password: string): boolean => {
  const expected = Buffer.from(roles.get(role) ?? randomBytes(24).toString('hex'));
  const padded = Buffer.alloc(expected.length);
  Buffer.from(password).copy(padded);
  return timingSafeEqual(expected, padded) && Buffer.byteLength(password) === expected.length && roles.has(role);
};

/** One client: its socket, its identity, its current batch, and the names it owns in the shared session. */
export class Connection {
  identity: Identity | undefined;
  authenticated = false;
  input: Buffer = Buffer.alloc(0);
  /** Batches that arrived and have not run. */
  readonly waiting: Batch[] = [];
  /**
   * State that the engine reports when it is ready: I outside, T in, E in a failed transaction; F after a Flush, before
   * Sync.
   */
  transaction = 'I';
  idleTimer: NodeJS.Timeout | undefined;
  readonly prepared = new PreparedStatements();
  readonly channels = new Set<string>();
  private readonly reader: BatchReader;
  /** Serialises the work of one connection. */
  private chain: Promise<void> = Promise.resolve();

  constructor(
    readonly id: number,
    readonly socket: Socket,
    statements: Statements,
  ) {
    this.reader = new BatchReader(this, statements);
  }

  /** Takes one message of a client that has logged in. */
  receive(received: Message): void {
    const batch = this.reader.add(received);
    if (batch !== undefined) this.waiting.push(batch);
  }

  /** Begins or ends to receive the notifications of a channel. */
  subscribe({ on, channel }: Subscription): void {
    if (on) this.channels.add(channel);
    else if (channel === '*') this.channels.clear();
    else this.channels.delete(channel);
  }

  send(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  inOrder(work: () => Promise<void>): Promise<void> {
    this.chain = this.chain.then(work, work);
    return this.chain;
  }

  /** Gives statement and portal names a prefix of this connection: the session has one name space for all. */
  withOwnNames({ type, bytes }: Message): Message {
    if (type === 'P') return this.renamed(type, bytes, 5, 1);
    if (type === 'B') return this.renamed(type, bytes, 5, 2);
    if (type === 'D' || type === 'C') return this.renamed(type, bytes, 6, 1);
    if (type === 'E') return this.renamed(type, bytes, 5, 1);
    return { type, bytes };
  }

  /** The same Query or Parse with another text. */
  withText({ type, bytes }: Message, sql: string): Message {
    if (type === 'Q') return { type, bytes: query(sql) };
    const name = this.sessionName(readCstring(bytes, 5)[0]);
    return { type, bytes: message(type, cstring(name), cstring(sql), Buffer.alloc(2)) };
  }

  sessionName(name: string): string {
    return name === '' ? '' : `c${this.id}_${name}`;
  }

  private renamed(type: string, bytes: Buffer, start: number, names: number): Message {
    const parts = [bytes.subarray(5, start)];
    let offset = start;
    for (let index = 0; index < names; index += 1) {
      const [name, next] = readCstring(bytes, offset);
      parts.push(cstring(this.sessionName(name)));
      offset = next;
    }
    return { type, bytes: message(type, ...parts, bytes.subarray(offset)) };
  }
}
