import { createHash } from 'node:crypto';
import { Conflict, CrossesCalls, DomainError, DoneBefore } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import type { OnceStore, Request } from './once.store';

/** The key belongs to another request, or to this one while it is worked on or after it was done unheard. */
@CrossesCalls
export class KeyTaken extends Conflict {
  constructor(inDoubt: boolean) {
    super('The idempotency key is taken; use another one for another request.', { in_doubt: inDoubt });
  }
}

type Answer = Readonly<Record<string, unknown>>;
/** Does what is to be done once, under the key that its owner knows it by. */
type Work = (ownersKey: string | undefined) => Promise<Answer>;

/** A refusal of the domain changed nothing; after anything else nobody knows. */
const changedNothing = (error: unknown): boolean =>
  error instanceof DomainError && error.code !== 'INTERNAL_ERROR' && !(error instanceof DoneBefore);

/**
 * Does once what carries the same idempotency key, and answers again what it answered. Where nobody heard how it ended
 * it is sent again: its owner notes the request in the transaction of the effect, and has no second one.
 */
export class Once {
  /** Requests that this process works on now. */
  private readonly worked = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly store: OnceStore,
  ) {}

  /** @throws KeyTaken */
  async run(scope: Scope, key: string | undefined, asked: object, work: Work): Promise<Answer> {
    if (key === undefined) return work(undefined);
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest();
    const request: Request = { credentialId: scope.credentialId, key, hash };
    // What another process works on may be sent twice, and is done once all the same.
    const name = JSON.stringify([scope.groupId, request.credentialId, key]);
    if (this.worked.has(name)) throw new KeyTaken(true);
    this.worked.add(name);
    try {
      const { begunAt, sameRequest, answer } = await this.database.write(scope, (tx) => this.store.take(tx, request));
      if (!sameRequest) throw new KeyTaken(false);
      const own = createHash('sha256')
        .update(JSON.stringify([key, begunAt]))
        .digest('hex');
      return answer ?? (await this.answered(scope, request, () => work(own)));
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
