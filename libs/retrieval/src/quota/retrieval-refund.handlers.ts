import { Injectable } from '@nestjs/common';
import { chargedEntity, Empty, periodAt, refundRetrieval, type RetrievalRefund } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { QuotaStore } from './quota.store';

/** Refunds retrievals whose answers failed after the search. */
@Injectable()
export class RetrievalRefundHandlers {
  constructor(private readonly store: QuotaStore) {}

  @Handles(refundRetrieval)
  async refund(_scope: WorkScope, retrieval: RetrievalRefund, context: WriteContext): Promise<Empty> {
    const now = Date.parse(retrieval.retrievedAt);
    const entityCode = chargedEntity(retrieval, retrieval.entityCode);
    await context.write(async (tx) => {
      const quota = await this.store.find(tx);
      if (quota === undefined) return;
      const { periodStart } = periodAt(now, quota.startDay);
      await this.store.refund(tx, { reservationId: '', state: 'settled', now, periodStart, entityCode });
    });
    return new Empty();
  }
}
