import { MOST_ENTITIES } from '../auth/credentials';
import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Day, Int, ListOf, Moment, Nested, TextList } from '../fields';
import { type LimitAction, limitActions, type QuotaFeature, quotaFeatures } from './plans';

/** What one entity used of a quota. */
export class EntityUsage {
  @Code({ nullable: true, description: 'Entity; null for what belongs to none' }) readonly entityCode!: string | null;
  @Int({ description: 'Used' }) readonly used!: number;
}

/** What a group used, and which entities in the scope of the caller used it. */
class CountedUsage {
  @Int({ description: 'Used by the whole group' }) readonly used!: number;
  @ListOf(() => EntityUsage, { max: MOST_ENTITIES + 1, description: 'Entities in the scope of the caller, by code' })
  readonly byEntity!: readonly EntityUsage[];
}

export const quotaUnits = ['pages', 'calls', 'tokens'] as const;

export class QuotaUsage extends CountedUsage {
  @Choice(quotaFeatures, { publicly: 'same', description: 'Feature' }) readonly feature!: QuotaFeature;
  @Choice(quotaUnits, { publicly: 'same', description: 'What is counted' })
  readonly unit!: (typeof quotaUnits)[number];
  @Int({ nullable: true, description: 'Included in the period; null without a limit' })
  readonly included!: number | null;
  @Choice(limitActions, { publicly: 'same', description: 'At the limit: BLOCK refuses, ALLOW goes on and counts' })
  readonly onLimit!: LimitAction;
}

class UsagePeriod {
  @Day({ description: 'First day of the period, in UTC' }) readonly periodStart!: string;
  @Day({ description: 'Last day of the period, in UTC' }) readonly periodEnd!: string;
}

export class Usage extends UsagePeriod {
  @Code({ description: 'Code of the plan' }) readonly planCode!: string;
  @ListOf(() => QuotaUsage, { max: 10, description: 'One entry a feature' }) readonly quotas!: readonly QuotaUsage[];
}

/** The plan of the group and its quotas, against what was used. */
export const getUsage = call({
  code: 'usage.get',
  owner: 'operations',
  effect: 'read',
  scope: 'user',
  callers: ['gateway', 'chat'],
  input: Empty,
  output: Usage,
});

/** Retrievals of the running period, with the limit that searches meet. */
export class RetrievalUsage extends UsagePeriod {
  @Code({ nullable: true, description: 'Plan whose limit applies; null for groups without one' })
  readonly planCode!: string | null;
  @Int({ nullable: true, description: 'Included in the period; null without a limit' })
  readonly included!: number | null;
  @Choice(limitActions, { publicly: 'same', description: 'What happens at the limit' }) readonly onLimit!: LimitAction;
  @Int({ description: 'Used by the whole group' }) readonly used!: number;
  @ListOf(() => EntityUsage, { max: MOST_ENTITIES + 1, description: 'Entities in the scope of the caller, by code' })
  readonly byEntity!: readonly EntityUsage[];
}

export const countRetrievals = call({
  code: 'usage.count_retrievals',
  owner: 'retrieval',
  effect: 'read',
  scope: 'user',
  callers: ['operations'],
  input: Empty,
  output: RetrievalUsage,
});

class CorpusLimit {
  @Int({ nullable: true, description: 'Pages that the plan includes; null without a limit' })
  readonly included!: number | null;
  @Choice(limitActions, { publicly: 'same', description: 'What happens at the limit' }) readonly onLimit!: LimitAction;
}

/** Pages of the live documents of the group, with the limit that documents meet. */
export class CorpusUsage extends CountedUsage {
  @Nested(() => CorpusLimit, { optional: true, description: 'The limit; none before the first plan' })
  readonly limit?: CorpusLimit;
}

export const countCorpus = call({
  code: 'usage.count_corpus',
  owner: 'ingestion',
  effect: 'read',
  scope: 'user',
  callers: ['operations'],
  input: Empty,
  output: CorpusUsage,
});

/** A counted retrieval. Its entity is the one that the search named, or is found by the focus and the entities that its user had. */
export class RetrievalRefund {
  @Moment({ description: 'When the retrieval was counted' }) readonly retrievedAt!: string;
  @Code({ names: 'entity', nullable: true, description: 'Entity in focus then' }) readonly activeEntity!: string | null;
  @TextList({ names: 'entity', max: MOST_ENTITIES, length: 120, description: 'Entities of the user then' })
  readonly entities!: readonly string[];
  @Code({ names: 'entity', optional: true, description: 'Entity that the search named' })
  readonly entityCode?: string;
}

/**
 * Refunds one retrieval whose answer failed, into the period that it was counted in. The token of its user may have
 * expired by the end of an answer.
 */
export const refundRetrieval = call({
  code: 'usage.refund_retrieval',
  owner: 'retrieval',
  effect: 'write',
  scope: 'work',
  callers: ['chat'],
  input: RetrievalRefund,
  output: Empty,
});
