import { Module } from '@nestjs/common';
import { PlanConsumer } from './plan.consumer';
import { Quota, QuotaClock } from './quota';
import { QuotaStore } from './quota.store';
import { RetrievalRefundHandlers } from './retrieval-refund.handlers';
import { RetrievalUsageHandlers } from './retrieval-usage.handlers';

/** Searches that the plan of a group includes. */
@Module({
  providers: [Quota, QuotaClock, QuotaStore, PlanConsumer, RetrievalRefundHandlers, RetrievalUsageHandlers],
  exports: [Quota],
})
export class QuotaModule {}
