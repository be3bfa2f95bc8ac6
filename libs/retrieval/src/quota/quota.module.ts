import { Module } from '@nestjs/common';
import { Quota } from './quota';
import { QuotaStore } from './quota.store';

/** Searches that the plan of a group includes. */
@Module({ providers: [Quota, QuotaStore], exports: [Quota] })
export class QuotaModule {}
