import { Module } from '@nestjs/common';
import { PlanStore } from './plan.store';
import { PlansHandlers } from './plans.handlers';
import { UsageHandlers } from './usage.handlers';

/** Plans of groups, and their usage. */
@Module({ providers: [PlanStore, PlansHandlers, UsageHandlers] })
export class PlansModule {}
