import type { Connection } from './connection';
import type { Statement, Statements } from './statement';
import { type Message, query, readCstring } from './wire';

const ENDS_A_BATCH = new Set(['Q', 'S', 'H', 'c', 'f']);
const NOTHING = 'select 1 where false';
const REFUSED = '42501';

/** An error raised by the engine itself, so that it fails an open transaction. */
const refuse = (reason: string): Buffer =>
  query(
    `do $refused$ begin raise exception using errcode = '${REFUSED}', message = 'This connection may not use ${reason.replaceAll("'", "''")}.'; end $refused$`,
  );

/** One message, as far as it decides which text runs. */
export type Step =
  | { readonly kind: 'text'; readonly statement: Statement }
  | { readonly kind: 'parse'; readonly name: string; readonly statement: Statement }
  | { readonly kind: 'bind'; readonly name: string; readonly portal: string }
  | { readonly kind: 'execute'; readonly portal: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'unknown' };

/** The messages of a client up to the one that the engine answers. */
export interface Batch {
  readonly bytes: Buffer;
  readonly steps: readonly Step[];
  /** Ended by a Flush: the engine is not ready afterwards. */
  readonly isFlush: boolean;
  /** A text was refused, and `bytes` fail instead. */
  readonly isRefused: boolean;
}

const SYNTAX_ONLY = new Set(['S', 'H', 'D']);
const STATEMENT = 'S'.charCodeAt(0);

/** Reads the batches of a connection: applies the policy, takes LISTEN, gives names the prefix of the connection. */
export class BatchReader {
  private messages: Message[] = [];
  private steps: Step[] = [];
  private refusal: string | undefined;
  /** Set after a refusal that was answered before Sync: messages until Sync are skipped. */
  private skipping = false;

  constructor(
    private readonly connection: Connection,
    private readonly statements: Statements,
  ) {}

  /** Takes one message; answers the batch that it ends. */
  add(received: Message): Batch | undefined {
    if (this.skipping && received.type !== 'S') return undefined;
    this.skipping = false;
    this.messages.push(this.prepare(received));
    if (!ENDS_A_BATCH.has(received.type)) return undefined;
    const { messages, steps, refusal } = this;
    this.messages = [];
    this.steps = [];
    this.refusal = undefined;
    const isFlush = received.type === 'H';
    if (refusal === undefined)
      return { bytes: Buffer.concat(messages.map(({ bytes }) => bytes)), steps, isFlush, isRefused: false };
    this.skipping = isFlush;
    return { bytes: refuse(refusal), steps: [], isFlush, isRefused: true };
  }

  private prepare(received: Message): Message {
    const { type, bytes } = received;
    if (type === 'Q') return this.withText(received, readCstring(bytes, 5)[0]);
    if (type === 'P') {
      const [name, next] = readCstring(bytes, 5);
      return this.withText(received, readCstring(bytes, next)[0], name);
    }
    if (!SYNTAX_ONLY.has(type)) this.steps.push(stepOf(received));
    return this.connection.withOwnNames(received);
  }

  private withText(received: Message, sql: string, name?: string): Message {
    const { connection } = this;
    const statement = this.statements.of(sql);
    this.refusal ??= statement.refusal;
    this.steps.push(name === undefined ? { kind: 'text', statement } : { kind: 'parse', name, statement });
    const { listen } = statement;
    if (listen !== undefined) connection.subscribe(listen);
    // The session itself keeps listening, for the other connections.
    return listen?.on === false ? connection.withText(received, NOTHING) : connection.withOwnNames(received);
  }
}

const stepOf = ({ type, bytes }: Message): Step => {
  if (type === 'B') {
    const [portal, next] = readCstring(bytes, 5);
    return { kind: 'bind', portal, name: readCstring(bytes, next)[0] };
  }
  if (type === 'E') return { kind: 'execute', portal: readCstring(bytes, 5)[0] };
  if (type === 'C' && bytes[5] === STATEMENT) return { kind: 'close', name: readCstring(bytes, 6)[0] };
  return { kind: 'unknown' };
};
