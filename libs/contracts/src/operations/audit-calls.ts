import { auditOutcomes } from '../audit';
import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Int, ListOf, Moment, Nested, Text } from '../fields';
import { operation } from '../operation';
import { operators } from '../services';

export class AuditRequest {
  @Text({ min: 1, max: 320, optional: true, description: 'Only what this user did' })
  readonly actor?: string;
  @Text({ min: 1, max: 320, optional: true, description: 'Only what concerns this user' })
  readonly subject?: string;
  @Code({ names: 'operation', optional: true, description: 'Only this operation' }) readonly operation?: string;
  @Choice(auditOutcomes, { optional: true, publicly: 'same', description: 'Only what ended like this' })
  readonly outcome?: (typeof auditOutcomes)[number];
  @Moment({ optional: true, description: 'Only what ended at this moment or later' }) readonly since?: string;
  @Int({ min: 1, max: 200, default: 50, description: 'Most records to return' }) readonly limit!: number;
  @Int({ min: 1, optional: true, description: 'Only records before this number: the last one of the page before' })
  readonly before?: number;
}

/** A record of the chain of its group, under public names. */
export class AuditLink {
  @Int({ min: 1, description: 'Number of the record within the group, in the order of arrival' })
  readonly number!: number;
  @Code({ nullable: true, description: 'Operation; null for a write that is no operation' })
  readonly operation!: string | null;
  @Choice(auditOutcomes, { publicly: 'same', description: 'How it ended' })
  readonly outcome!: (typeof auditOutcomes)[number];
  @Text({ max: 120, nullable: true, description: 'Code of the error, where it did not succeed' })
  readonly error!: string | null;
  @Text({ max: 320, nullable: true, description: 'User who did it; null for work of the product itself' })
  readonly actor!: string | null;
  @Text({ max: 320, nullable: true, description: 'User whom it concerns' }) readonly subject!: string | null;
  @Text({ max: 400, nullable: true, description: 'Kind and code of what it concerns, as kind:code' })
  readonly target!: string | null;
  @Moment({ description: 'When it ended' }) readonly at!: string;
}

export class AuditLinks {
  @ListOf(() => AuditLink, { max: 200, description: 'Records, the latest first' })
  readonly records!: readonly AuditLink[];
  @Int({ description: 'Records that match' }) readonly total!: number;
}

export const listAudit = operation({
  code: 'audit.list',
  reach: 'group',
  owner: 'operations',
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['AUDIT_USERS', 'SECURITY-DASHBOARD'],
  summary: 'List what was written or refused in the group, the latest first.',
  input: AuditRequest,
  output: AuditLinks,
});

/** What is wrong with an audit anchor: its signature, its key, or the record that it names. */
export const anchorFlaws = ['FORGED', 'KEY_UNKNOWN', 'RECORD_MISSING', 'RECORD_DIFFERS'] as const;
export type AnchorFlaw = (typeof anchorFlaws)[number];

/** The record that the signed head of a day names. */
export class AnchoredRecord {
  @Text({ max: 10, description: 'Day in UTC, as YYYY-MM-DD' }) readonly day!: string;
  @Int({ min: 1, description: 'Number of the last record of the chain then' }) readonly number!: number;
}

/** An audit anchor that the chain does not agree with. */
export class FlawedAnchor {
  @Choice(anchorFlaws, { description: 'What is wrong' }) readonly flaw!: AnchorFlaw;
  @Text({ max: 200, description: 'Key of the object' }) readonly object!: string;
  @Nested(() => AnchoredRecord, { nullable: true, description: 'What it names; null where that cannot be trusted' })
  readonly names!: AnchoredRecord | null;
  @Int({ nullable: true, description: 'Version of the audit key that it names, where that is unknown' })
  readonly keyVersion!: number | null;
}

export const MOST_FLAWED_ANCHORS = 1_000;

/** The result of a walk along the chain of a group, and of its comparison with the anchors in the object store. */
export class AuditVerdict {
  @Int({ description: 'Links that were checked' }) readonly links!: number;
  @Int({ min: 1, nullable: true, description: 'Number of the first link that does not fit; null where all do' })
  readonly broken!: number | null;
  @Int({ description: 'Anchors that name a record of the chain' }) readonly anchors!: number;
  @Nested(() => AnchoredRecord, {
    nullable: true,
    description: 'The last of them before the first that names another record',
  })
  readonly lastAnchor!: AnchoredRecord | null;
  @ListOf(() => FlawedAnchor, { max: MOST_FLAWED_ANCHORS, description: 'Other anchors, the earliest first' })
  readonly flawed!: readonly FlawedAnchor[];
  @Nested(() => AnchoredRecord, {
    nullable: true,
    optional: true,
    description: 'The first record that no anchor confirms, two days after its time',
  })
  readonly unconfirmed?: AnchoredRecord | null;
}

/** Walks the whole chain of the group of the scope, and compares it with its anchors. */
export const verifyAudit = call({
  owner: 'operations',
  scope: 'work',
  callers: operators,
  code: 'audit.verify',
  effect: 'read',
  input: Empty,
  output: AuditVerdict,
  deadlineMs: 600_000,
});
