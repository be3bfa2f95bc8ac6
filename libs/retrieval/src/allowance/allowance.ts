import { randomUUID } from 'node:crypto';
import { QuotaExceeded } from '@acervo/contracts';
import { isAwaited } from '@acervo/platform-calls';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Failpoints } from '@acervo/platform-messaging';
import type { Logger } from '@acervo/platform-observability';
import type { AllowanceStore, Taken } from './allowance.store';

export interface AllowanceParts {
  readonly database: Database;
  readonly store: AllowanceStore;
  readonly failpoints: Failpoints;
  readonly logger: Logger;
}

/** The retrievals of a group: counted before the work, given back when the work fails or comes too late. */
export class Allowance {
  constructor(private readonly parts: AllowanceParts) {}

  /**
   * Does work that counts as one retrieval. What it needs to know is read in the transaction that counts it, and what
   * that refuses is not counted. @throws QuotaExceeded when none is left; the work is not begun then.
   */
  async spend<P, T>(
    scope: TenantScope,
    prepare: (tx: Transaction) => Promise<P>,
    work: (prepared: P) => Promise<T>,
  ): Promise<T> {
    const { database, store, failpoints } = this.parts;
    const takingId = randomUUID();
    const { prepared, taken } = await database.write(scope, async (tx) => ({
      prepared: await prepare(tx),
      // Last, because the row of the group is locked from here on.
      taken: await this.take(tx, takingId),
    }));
    failpoints.hit('search.counted');
    try {
      const answer = await work(prepared);
      if (!isAwaited()) await this.refund(scope, takingId, taken);
      else if (taken === 'held') await database.write(scope, (tx) => store.settle(tx, takingId));
      return answer;
    } catch (error) {
      await this.refund(scope, takingId, taken);
      throw error;
    }
  }

  private async take(tx: Transaction, takingId: string): Promise<Taken> {
    const { store } = this.parts;
    const taken = await store.take(tx, takingId);
    if (taken !== undefined) return taken;
    const again = (await store.reclaim(tx)) > 0 ? await store.take(tx, takingId) : undefined;
    if (again === undefined) throw new QuotaExceeded();
    return again;
  }

  /** What is held and not given back here comes back once it is forgotten: the caller is told of the failure itself. */
  private async refund(scope: TenantScope, takingId: string, taken: Taken): Promise<void> {
    const { database, store, logger } = this.parts;
    try {
      await database.write(scope, (tx) => store.refund(tx, takingId, taken));
    } catch (error) {
      logger.error({ error, taken }, 'a retrieval that failed could not be given back now');
    }
  }
}
