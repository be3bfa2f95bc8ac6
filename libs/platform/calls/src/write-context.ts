import { createHash, randomUUID } from 'node:crypto';
import { AuditRecord, type AuditOutcome, type Call, type CallerName, DomainError, DoneBefore } from '@acervo/contracts';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { AnyScope } from '@acervo/rbac';

/** Where audit records go: appended to the transaction they belong to. */
export abstract class AuditTrail {
  abstract record(tx: Transaction, entry: AuditRecord): Promise<void>;
}

/** Knows which requests had their effect: noted in the transaction of the effect. */
export abstract class RequestsDone {
  /** Notes a request; false where it was noted before. */
  abstract note(tx: Transaction, requestId: string): Promise<boolean>;
}

/** Where a test may end the process; see Failpoints. */
export interface CommitFailpoints {
  hit(name: `before-commit.${string}` | `after-commit.${string}`): void;
}

export interface WriteParts {
  readonly call: Call;
  readonly scope: AnyScope;
  readonly caller: CallerName;
  readonly idempotencyKey?: string | undefined;
  readonly database: Database;
  readonly audit: AuditTrail;
  readonly requestsDone?: RequestsDone | undefined;
  readonly failpoints?: CommitFailpoints | undefined;
}

const actorOf = (scope: AnyScope): string =>
  scope.kind === 'user' ? scope.userCode : scope.kind === 'work' ? `service:${scope.service}` : 'anonymous';

/** The same for the same request of the same credential, as a UUID. */
const requestIdOf = (call: Call, group: TenantScope, scope: AnyScope, key: string): string => {
  const text = JSON.stringify([call.code, group.groupId, causeOf(scope), key]);
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const causeOf = (scope: AnyScope): string =>
  scope.kind === 'user'
    ? `${scope.credential}:${scope.credentialId}`
    : scope.kind === 'work'
      ? `work:${scope.cause}`
      : 'anonymous';

/** What a write may change, and how it is remembered: exactly one transaction, with its audit record inside. */
export class WriteContext {
  private used = false;
  private group: TenantScope | undefined;

  constructor(private readonly parts: WriteParts) {}

  get caller(): CallerName {
    return this.parts.caller;
  }

  get idempotencyKey(): string | undefined {
    return this.parts.idempotencyKey;
  }

  /** The transaction of a write under a group that the scope names. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope } = this.parts;
    if (scope.kind === 'anonymous')
      throw new Error(`${this.parts.call.code} is anonymous; name the group with writeIn.`);
    return this.once(scope, work);
  }

  /** The transaction of an anonymous write, under a group that the handler found out. */
  writeIn<T>(group: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.parts.scope.kind !== 'anonymous') throw new Error(`${this.parts.call.code} has a group; use write.`);
    return this.once(group, work);
  }

  /** The transaction of a write under the group that a SYSTEM user named. @throws for anybody else's other group. */
  writeUnder<T>(group: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope, call } = this.parts;
    if (scope.kind !== 'user' || (scope.groupId !== group.groupId && scope.profile !== 'SISTEMA'))
      throw new Error(`${call.code} may act in the group of its scope only.`);
    return this.once(group, work);
  }

  /**
   * The transaction of a SYSTEM user's write to what belongs to no group, by another login of the same schema: the role
   * that services work as cannot change it.
   */
  writeAs<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { scope, call } = this.parts;
    if (scope.kind !== 'user' || scope.profile !== 'SISTEMA')
      throw new Error(`${call.code} changes what belongs to all groups; that takes a SYSTEM user.`);
    return this.once(scope, work, database);
  }

  /** @throws when the handler changed nothing: a write without its transaction is a read that lies. */
  assertUsed(): void {
    if (!this.used)
      throw new Error(`The handler of ${this.parts.call.code} declares a write and opened no transaction.`);
  }

  /** Remembers a write that was refused or failed, in a transaction of its own, where the group is known. */
  async remember(error: unknown): Promise<void> {
    const { scope, database } = this.parts;
    const group = this.group ?? (scope.kind === 'anonymous' ? undefined : scope);
    if (group === undefined || error instanceof DoneBefore) return;
    const outcome: AuditOutcome =
      error instanceof DomainError && error.code !== 'INTERNAL_ERROR' ? 'REFUSED' : 'FAILED';
    const name = error instanceof DomainError ? error.code : 'INTERNAL_ERROR';
    await database.write(group, (tx) => this.append(tx, outcome, name));
  }

  private async once<T>(
    group: TenantScope,
    work: (tx: Transaction) => Promise<T>,
    database = this.parts.database,
  ): Promise<T> {
    if (this.parts.call.effect !== 'write')
      throw new Error(`${this.parts.call.code} is no write; declare it a write to open a transaction.`);
    if (this.used)
      throw new Error(`The handler of ${this.parts.call.code} opened a second transaction; a write has one.`);
    this.used = true;
    this.group = group;
    const { call, failpoints } = this.parts;
    const result = await database.write(group, async (tx) => {
      if (database === this.parts.database) await this.assertNotDone(tx, group);
      const done = await work(tx);
      await this.append(tx, 'SUCCEEDED', null);
      failpoints?.hit(`before-commit.${call.code}`);
      return done;
    });
    failpoints?.hit(`after-commit.${call.code}`);
    return result;
  }

  /** @throws DoneBefore when a request with this idempotency key had its effect already. */
  private async assertNotDone(tx: Transaction, group: TenantScope): Promise<void> {
    const { call, scope, idempotencyKey, requestsDone } = this.parts;
    if (idempotencyKey === undefined || requestsDone === undefined) return;
    if (!(await requestsDone.note(tx, requestIdOf(call, group, scope, idempotencyKey)))) throw new DoneBefore();
  }

  private append(tx: Transaction, outcome: AuditOutcome, error: string | null): Promise<void> {
    const { call, scope, caller, audit } = this.parts;
    const entry: AuditRecord = Object.assign(new AuditRecord(), {
      recordId: randomUUID(),
      call: call.code,
      outcome,
      error,
      actor: actorOf(scope),
      cause: causeOf(scope).slice(0, 120),
      caller,
      at: new Date().toISOString(),
    });
    return audit.record(tx, entry);
  }
}
