import type { Identity } from './connection';
import { PassedStatements } from './passed-statements';
import type { Statement } from './statement';
import { type Message, query, splitMessages } from './wire';

/** The one session behind all connections: runs a batch of protocol messages and answers bytes. */
export interface Engine {
  run(batch: Buffer): Promise<Buffer>;
}

/**
 * What the engine ran: messages of clients, changes of role, questions for it, the cleaning behind a client, and
 * checkpoints.
 */
export const RUN_KINDS = ['statements', 'role', 'question', 'cleaning', 'checkpoint'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
/** How often the engine ran since its process started. */
export type EngineRuns = Readonly<Record<RunKind, number>>;

/** How often the engine ran between two reports of one process; without an earlier report, since its start. */
export const runsSince = (before: EngineRuns | undefined, now: EngineRuns): EngineRuns =>
  before === undefined
    ? now
    : {
        statements: now.statements - before.statements,
        role: now.role - before.role,
        question: now.question - before.question,
        cleaning: now.cleaning - before.cleaning,
        checkpoint: now.checkpoint - before.checkpoint,
      };

const SUPERUSER = 'postgres';
const ASK = query('show is_superuser');

/**
 * The session of the engine, which takes the role and the settings of one connection after another. It knows what the
 * last one may have left behind: a session that is provably clean is not cleaned, and a role that cannot have changed
 * is not asked.
 */
export class SharedSession {
  /** Whose role and settings the session has; undefined where texts ran that may have changed either. */
  private occupant: Identity | undefined;
  private readonly passed = new PassedStatements();
  /** A text ran that is not trusted, and the engine was not asked since. */
  private mustAsk = false;
  /** The transaction ran a text that is not plain: it may have changed what its further texts mean. */
  private isMixed = false;
  private readonly counts: Record<RunKind, number> = {
    statements: 0,
    role: 0,
    question: 0,
    cleaning: 0,
    checkpoint: 0,
  };

  /** @param notify hears of each NotificationResponse */
  constructor(
    private readonly engine: Engine,
    private readonly notify: (notification: Buffer) => void,
  ) {}

  get runs(): EngineRuns {
    return { ...this.counts };
  }

  /**
   * Gives the session one role, as if that role had logged in. Nothing of the previous owner is left, and the engine
   * itself refuses to SET ROLE to another. Another connection of the same role finds its own role and settings.
   */
  async become(identity: Identity): Promise<void> {
    const { role, settings } = identity;
    if (this.occupant?.role === role && this.occupant.settings === settings) return;
    this.occupant = undefined;
    const answer = await this.run('role', query(`reset all; set session authorization "${role}"; ${settings}`));
    const failed = answer.find(({ type }) => type === 'E');
    if (failed !== undefined) throw new Error(`The session could not become ${role}: ${failed.bytes.toString()}`);
    this.occupant = identity;
    this.mustAsk = this.isMixed = false;
  }

  /** Whether nothing has to be asked after these texts, as far as it is known before they run. */
  trusts(role: string, statements: readonly Statement[]): boolean {
    return !this.mustAsk && !this.isMixed && statements.every((each) => this.passed.isTrusted(role, each));
  }

  /** Runs messages of a client. Answers the messages of the engine, without notifications. */
  async runFor(role: string, batch: Buffer, statements: readonly Statement[]): Promise<Message[]> {
    this.mustAsk ||= !this.trusts(role, statements);
    if (statements.some(({ effect }) => effect !== 'plain')) {
      this.isMixed = true;
      this.occupant = undefined;
    }
    return this.run('statements', batch);
  }

  /**
   * Whether the role is still the one that logged in, as far as it can have changed. The engine does not report changes
   * of this. A failed transaction cannot be asked and cannot do anything: its end is asked instead.
   * @param transaction state that the engine reported: I, T, E or F
   * @param failed whether one of the texts failed: it has not run as a whole
   */
  async keepsRole(
    role: string,
    statements: readonly Statement[],
    { transaction, failed }: { readonly transaction: string; readonly failed: boolean },
  ): Promise<boolean> {
    const canAsk = transaction === 'I' || transaction === 'T';
    if (this.mustAsk && canAsk) {
      const answer = await this.run('question', ASK);
      if (!answer.some(({ type, bytes }) => type === 'D' && bytes.toString('utf8', 11) === 'off')) {
        this.occupant = undefined;
        this.passed.distrust(role);
        return false;
      }
      this.mustAsk = this.isMixed && transaction === 'T';
    }
    if (transaction === 'I') this.isMixed = false;
    this.passed.note(role, canAsk && !failed ? statements : statements.filter(({ effect }) => effect === 'defines'));
    return true;
  }

  /** Runs what ends a transaction or a prepared statement of a connection that is gone. */
  async clean(batch: Buffer): Promise<void> {
    this.occupant = undefined;
    await this.run('cleaning', batch);
  }

  /** Runs a statement of this program as the superuser of the engine. The next owner gets a role of its own. */
  async administer(sql: string): Promise<Message[]> {
    this.occupant = undefined;
    const answer = await this.run('checkpoint', query(`reset all; set session authorization "${SUPERUSER}"; ${sql}`));
    const failed = answer.find(({ type }) => type === 'E');
    if (failed !== undefined) throw new Error(`The engine refused ${sql}: ${failed.bytes.toString()}`);
    return answer;
  }

  private async run(kind: RunKind, batch: Buffer): Promise<Message[]> {
    this.counts[kind] += 1;
    const { messages } = splitMessages(await this.engine.run(batch));
    for (const { type, bytes } of messages) if (type === 'A') this.notify(bytes);
    return messages.filter(({ type }) => type !== 'A');
  }
}
