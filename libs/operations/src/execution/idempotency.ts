import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Conflict, CrossesCalls, DomainError, DoneBefore } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { IdempotencyStore, type Request } from './idempotency.store';

/** The key belongs to another request; or this request is running, or was done without an answer. */
@CrossesCalls
export class KeyTaken extends Conflict {
  constructor(inDoubt: boolean) {
    super('The idempotency key is taken; use another one for another request.', { in_doubt: inDoubt });
  }
}

type Answer = Readonly<Record<string, unknown>>;
/** Does the work once, under the key that its owner knows it by. */
type Work = (ownersKey: string | undefined) => Promise<Answer>;

/** A refusal of the domain changed nothing; after any other error the outcome is unknown. */
const changedNothing = (error: unknown): boolean =>
  error instanceof DomainError && error.code !== 'INTERNAL_ERROR' && !(error instanceof DoneBefore);

/**
 * Executes requests with one idempotency key once, and repeats the stored answer. A request with an unknown outcome is
 * sent again. Its owner stores the key in the transaction of the effect, so a second effect is impossible.
 */
@Injectable()
export class Idempotency {
  /** Requests that this process executes now. */
  private readonly worked = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly store: IdempotencyStore,
  ) {}

  /** @throws KeyTaken */
  async run(scope: Scope, key: string | undefined, asked: object, work: Work): Promise<Answer> {
    if (key === undefined) return work(undefined);
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest();
    const request: Request = { credentialId: scope.credentialId, userId: scope.userId, key, hash };
    // A request that another process executes may be sent twice, and still has one effect.
    const name = JSON.stringify([scope.groupId, request.credentialId, key]);
    if (this.worked.has(name)) throw new KeyTaken(true);
    this.worked.add(name);
    try {
      const { begunAt, sameRequest, answer } = await this.database.write(scope, (tx) => this.store.take(tx, request));
      if (!sameRequest) throw new KeyTaken(false);
      const ownersKey = createHash('sha256')
        .update(JSON.stringify([key, begunAt]))
        .digest('hex');
      return answer ?? (await this.answered(scope, request, () => work(ownersKey)));
    } finally {
      this.worked.delete(name);
    }
  }

  private async answered(scope: Scope, request: Request, work: () => Promise<Answer>): Promise<Answer> {
    const answer = await this.released(scope, request, work);
    await this.database.write(scope, (tx) => this.store.answer(tx, request, answer));
    return answer;
  }

  private async released(scope: Scope, request: Request, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (changedNothing(error)) await this.database.write(scope, (tx) => this.store.release(tx, request));
      throw error;
    }
  }
}
