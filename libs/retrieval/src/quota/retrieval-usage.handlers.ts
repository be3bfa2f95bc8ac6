import { Injectable } from '@nestjs/common';
import { countRetrievals, type Empty, periodAt, type RetrievalUsage, usageByEntity } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { QuotaClock } from './quota';
import { type CountedQuota, QuotaStore } from './quota.store';

/** The plan of a group whose limit was set before there were plans. */
const EARLIER_LIMIT = 'EARLIER-LIMIT';

const NO_QUOTA: Pick<CountedQuota, 'planCode' | 'included' | 'onLimit' | 'startDay'> = {
  ...{ planCode: null, included: null, onLimit: 'BLOCK', startDay: 1 },
};

type Counted = Pick<CountedQuota, 'used' | 'byEntity'> & Partial<Pick<CountedQuota, 'periodStart'>>;

const NOTHING_COUNTED: Counted = { used: 0, byEntity: new Map() };

/** Shows the retrievals of the running period. */
@Injectable()
export class RetrievalUsageHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: QuotaStore,
    private readonly clock: QuotaClock,
  ) {}

  @Handles(countRetrievals)
  async usage(scope: Scope, _input: Empty): Promise<RetrievalUsage> {
    const now = this.clock.now();
    const quota = await this.database.read(scope, (tx) => this.store.find(tx));
    const { planCode, included, onLimit, startDay } = quota ?? NO_QUOTA;
    const running = periodAt(now, startDay);
    // Under a new start day the earlier period goes on until the next one begins.
    const counted: Counted = quota !== undefined && quota.periodStart >= running.periodStart ? quota : NOTHING_COUNTED;
    const { periodStart = running.periodStart, used } = counted;
    const byEntity = usageByEntity(scope, used, counted.byEntity);
    const plan = planCode ?? (included === null ? null : EARLIER_LIMIT);
    return { planCode: plan, periodStart, periodEnd: running.periodEnd, included, onLimit, used, byEntity };
  }
}
