import { Module } from '@nestjs/common';
import { ModelCallStore } from './model-call.store';
import { ModelCallsConsumer } from './model-calls.consumer';
import { ModelCallsHandlers } from './model-calls.handlers';
import { ModelTokenStore } from './model-token.store';
import { ModelUsage, UsageClock } from './model-usage';
import { PlanStore } from './plan.store';
import { PlansHandlers } from './plans.handlers';
import { UsageHandlers } from './usage.handlers';

/** Plans of groups, and their usage. */
@Module({
  providers: [
    ModelCallStore,
    ModelCallsConsumer,
    ModelCallsHandlers,
    ModelTokenStore,
    ModelUsage,
    PlanStore,
    PlansHandlers,
    UsageClock,
    UsageHandlers,
  ],
  exports: [ModelCallStore, ModelTokenStore],
})
export class PlansModule {}
