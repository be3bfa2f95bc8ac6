import { createHash, randomUUID } from 'node:crypto';
import {
  AuditRecord,
  type AuditOutcome,
  type Call,
  type CallerName,
  DomainError,
  DoneBefore,
  fieldsOf,
} from '@acervo/contracts';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { AnyScope } from '@acervo/rbac';

/** Writes audit records within the transaction they belong to. */
export abstract class AuditTrail {
  abstract record(tx: Transaction, entry: AuditRecord): Promise<void>;
}

/** Records which requests took effect, in the transaction of the effect. */
export abstract class RequestsDone {
  /** Records a request; false where it is already recorded. */
  abstract note(tx: Transaction, requestId: string): Promise<boolean>;
  abstract isNoted(tx: Transaction, requestId: string): Promise<boolean>;
}

/** Where a test may end the process; see Failpoints. */
export abstract class CommitFailpoints {
  abstract hit(name: `before-commit.${string}` | `after-commit.${string}`): void;
}

/** One call that is being answered: who sent it, and under which scope. */
export interface AnsweredCall {
  readonly call: Call;
  readonly scope: AnyScope;
  readonly caller: CallerName;
  readonly input: object;
  readonly idempotencyKey?: string | undefined;
  /** The id of the proof of a call over the network. */
  readonly proofId?: string | undefined;
}

const actorOf = (scope: AnyScope): string =>
  scope.kind === 'user' ? scope.userCode : scope.kind === 'work' ? `service:${scope.service}` : 'anonymous';

/** A UUID that is equal for equal parts. */
const idOf = (parts: readonly (string | null)[]): string => {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Equal for the same request of the same credential. */
const requestIdOf = (call: Call, group: TenantScope, scope: AnyScope, key: string): string =>
  idOf([call.code, group.groupId, causeOf(scope), key]);

const causeOf = (scope: AnyScope): string =>
  scope.kind === 'user'
    ? `${scope.credential}:${scope.credentialId}`
    : scope.kind === 'work'
      ? `work:${scope.cause}`
      : 'anonymous';

/** Whom and what a write concerns. */
export interface Concern {
  /** The code of a user. */
  readonly subject?: string;
  /** \`kind:code\`. */
  readonly target?: string;
}

const USER = /^(new )?user$/;
/** A group is the scope of its records; a challenge or factor is named by an id that means nothing later. */
const NO_TARGET = new Set(['group', 'challenge', 'factor']);

/** The user, and the first other thing, that the identifiers of an input name. */
const namedIn = ({ input: type }: Call, input: object): Concern => {
  const values = fieldsOf(type).flatMap(({ property, names }) => {
    const value: unknown = Reflect.get(input, property);
    const isCode = (typeof value === 'string' && value !== '') || typeof value === 'number';
    return names === undefined || NO_TARGET.has(names) || !isCode ? [] : [{ names, code: String(value) }];
  });
  const user = values.find(({ names }) => USER.test(names));
  const thing = values.find(({ names }) => !USER.test(names));
  return {
    ...(user === undefined ? {} : { subject: user.code.toLowerCase() }),
    ...(thing === undefined ? {} : { target: `${thing.names.replace('new ', '')}:${thing.code}` }),
  };
};

/** Opens the transaction of a write under a group. */
type Opener = <T>(group: TenantScope, work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** The context of a write: exactly one transaction, with its audit record inside, unless the call declares none. */
export class WriteContext {
  private used = false;
  private group: TenantScope | undefined;
  private concern: Concern = {};

  constructor(
    private readonly answered: AnsweredCall,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly requestsDone?: RequestsDone,
    private readonly failpoints?: CommitFailpoints,
  ) {}

  get caller(): CallerName {
    return this.answered.caller;
  }

  get idempotencyKey(): string | undefined {
    return this.answered.idempotencyKey;
  }

  private get isAudited(): boolean {
    return this.answered.call.audit === 'each';
  }

  /** Names in the audit record what the handler resolved, in place of what the input names. */
  concerns(concern: Concern): void {
    this.concern = { ...this.concern, ...concern };
  }

  /** The transaction of a write under a group that the scope names. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope } = this.answered;
    if (scope.kind === 'anonymous')
      throw new Error(`${this.answered.call.code} is anonymous; name the group with writeIn.`);
    return this.openOnly(scope, work);
  }

  /** The same, where every statement sees the rows as of the first one. */
  writeFromSnapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope } = this.answered;
    if (scope.kind === 'anonymous') throw new Error(`${this.answered.call.code} is anonymous; it has no snapshot.`);
    return this.openOnly(scope, work, (group, inside) => this.database.writeFromSnapshot(group, inside));
  }

  /** The transaction of an anonymous write, under a group that the handler determines. */
  writeIn<T>(group: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.answered.scope.kind !== 'anonymous') throw new Error(`${this.answered.call.code} has a group; use write.`);
    return this.openOnly(group, work);
  }

  /**
   * The transaction of a write under the group that a SYSTEM user names. @throws for another group of any other user.
   */
  writeUnder<T>(group: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope, call } = this.answered;
    if (scope.kind !== 'user' || (scope.groupId !== group.groupId && scope.profile !== 'SISTEMA'))
      throw new Error(`${call.code} may act in the group of its scope only.`);
    return this.openOnly(group, work);
  }

  /**
   * The transaction of a SYSTEM user's write to data without a group, by another login of the same schema. The role of
   * services may not change such data.
   */
  writeAs<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope, call } = this.answered;
    if (scope.kind !== 'user' || scope.profile !== 'SISTEMA')
      throw new Error(`${call.code} changes what belongs to all groups; that takes a SYSTEM user.`);
    return this.openOnly(scope, work, (group, inside) => database.write(group, inside));
  }

  /** @throws when the handler opened no transaction: such a write would be unaudited. */
  assertUsed(): void {
    if (!this.used)
      throw new Error(`The handler of ${this.answered.call.code} declares a write and opened no transaction.`);
  }

  /**
   * Checks before the handler: what it reads or sends first may be refused because the request took effect.
   * @throws DoneBefore when a request with this idempotency key did
   */
  async assertNotDone(): Promise<void> {
    if (await this.isDone()) throw new DoneBefore();
  }

  /** A refusal by the effect of the same request, which another process committed meanwhile, is DoneBefore. */
  async meaningOf(error: unknown): Promise<unknown> {
    if (!(error instanceof DomainError) || error instanceof DoneBefore) return error;
    return (await this.isDone().catch(() => false)) ? new DoneBefore() : error;
  }

  /** Audits a refused or failed write in a transaction of its own, where the group is known. */
  async remember(error: unknown): Promise<void> {
    const { scope } = this.answered;
    const group = this.group ?? (scope.kind === 'anonymous' ? undefined : scope);
    if (!this.isAudited || group === undefined || error instanceof DoneBefore) return;
    const outcome: AuditOutcome =
      error instanceof DomainError && error.code !== 'INTERNAL_ERROR' ? 'REFUSED' : 'FAILED';
    const name = error instanceof DomainError ? error.code : 'INTERNAL_ERROR';
    await this.database.write(group, (tx) => this.append(tx, outcome, name));
  }

  private async openOnly<T>(
    group: TenantScope,
    work: (tx: Transaction) => Promise<T>,
    open: Opener = (under, inside) => this.database.write(under, inside),
  ): Promise<T> {
    if (this.answered.call.effect !== 'write')
      throw new Error(`${this.answered.call.code} is no write; declare it a write to open a transaction.`);
    if (this.used)
      throw new Error(`The handler of ${this.answered.call.code} opened a second transaction; a write has one.`);
    this.used = true;
    this.group = group;
    const { call } = this.answered;
    const result = await open(group, async (tx) => {
      await this.note(tx, group);
      const done = await work(tx);
      if (this.isAudited) await this.append(tx, 'SUCCEEDED', null);
      this.failpoints?.hit(`before-commit.${call.code}`);
      return done;
    });
    this.failpoints?.hit(`after-commit.${call.code}`);
    return result;
  }

  /** The key is of the caller, so its request is known before the handler chooses the group of its effect. */
  private requestId(group: TenantScope): string | undefined {
    const { call, scope, idempotencyKey } = this.answered;
    const owner = scope.kind === 'anonymous' ? group : scope;
    return idempotencyKey === undefined ? undefined : requestIdOf(call, owner, scope, idempotencyKey);
  }

  /** A proof that another process of the service has admitted has one effect, too. Bookkeeping is not worth the row. */
  private usedProof(): string | undefined {
    const { caller, proofId } = this.answered;
    return proofId === undefined || !this.isAudited ? undefined : idOf(['proof', caller, proofId]);
  }

  private async note(tx: Transaction, group: TenantScope): Promise<void> {
    const requestId = this.requestId(group) ?? this.usedProof();
    if (requestId === undefined || this.requestsDone === undefined) return;
    if (!(await this.requestsDone.note(tx, requestId))) throw new DoneBefore();
  }

  private async isDone(): Promise<boolean> {
    const { requestsDone } = this;
    const { scope } = this.answered;
    if (scope.kind === 'anonymous' || requestsDone === undefined) return false;
    const requestId = this.requestId(scope);
    return requestId !== undefined && this.database.read(scope, (tx) => requestsDone.isNoted(tx, requestId));
  }

  private append(tx: Transaction, outcome: AuditOutcome, error: string | null): Promise<void> {
    const { call, scope, caller, input } = this.answered;
    const { subject = null, target = null } = { ...namedIn(call, input), ...this.concern };
    const entry: AuditRecord = Object.assign(new AuditRecord(), {
      recordId: randomUUID(),
      call: call.code,
      outcome,
      error,
      actor: actorOf(scope),
      subject: subject?.slice(0, 320) ?? null,
      target: target?.slice(0, 400) ?? null,
      cause: causeOf(scope).slice(0, 120),
      caller,
      at: new Date().toISOString(),
    });
    return this.audit.record(tx, entry);
  }
}

/** Opens the contexts of the calls that one service answers. */
export class WriteContexts {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
    /** Needed where a request with an idempotency key must have one effect. */
    private readonly requestsDone?: RequestsDone,
    private readonly failpoints?: CommitFailpoints,
  ) {}

  open(answered: AnsweredCall): WriteContext {
    return new WriteContext(answered, this.database, this.audit, this.requestsDone, this.failpoints);
  }
}
