import { createHash } from 'node:crypto';
import { Conflict, CrossesCalls, DomainError } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import type { OnceStore, Request } from './once.store';

/** The key belongs to another request, or to this one while it is worked on or after it ended unheard. */
@CrossesCalls
export class KeyTaken extends Conflict {
  constructor(inDoubt: boolean) {
    super('The idempotency key is taken; use another one for another request.', { in_doubt: inDoubt });
  }
}

type Answer = Readonly<Record<string, unknown>>;

/** A refusal of the domain changed nothing; after anything else nobody knows. */
const changedNothing = (error: unknown): boolean => error instanceof DomainError && error.code !== 'INTERNAL_ERROR';

/** Does at most once what carries the same idempotency key, and answers again what it answered. */
export class Once {
  constructor(
    private readonly database: Database,
    private readonly store: OnceStore,
  ) {}

  /** @throws KeyTaken */
  async run(scope: Scope, key: string | undefined, asked: object, work: () => Promise<Answer>): Promise<Answer> {
    if (key === undefined) return work();
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest();
    const request: Request = { credentialId: scope.credentialId, key, hash };
    const before = await this.database.write(scope, (tx) => this.store.take(tx, request));
    if (before !== undefined) {
      if (!before.sameRequest) throw new KeyTaken(false);
      if (before.answer === null) throw new KeyTaken(true);
      return before.answer;
    }
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
