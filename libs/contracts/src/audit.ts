import { event } from './events';
import { Choice, Moment, Text, Uuid } from './fields';

export const auditOutcomes = ['SUCCEEDED', 'REFUSED', 'FAILED'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** One requested write, through any interface. Contains no content. */
export class AuditRecord {
  @Uuid({ description: 'The record' }) readonly recordId!: string;
  @Text({ max: 120, description: 'Code of the call' }) readonly call!: string;
  @Choice(auditOutcomes, { publicly: 'same', description: 'How it ended' }) readonly outcome!: AuditOutcome;
  @Text({ max: 120, nullable: true, description: 'Code of the error, where it did not succeed' })
  readonly error!: string | null;
  @Text({ max: 320, description: 'The user, or the service that worked on behalf of the group' })
  readonly actor!: string;
  @Text({ max: 320, optional: true, nullable: true, description: 'The user whom it concerns, where it concerns one' })
  readonly subject?: string | null;
  @Text({ max: 400, optional: true, nullable: true, description: 'Kind and code of what it concerns, as kind:code' })
  readonly target?: string | null;
  @Text({ max: 120, description: 'Kind of scope and its cause' }) readonly cause!: string;
  @Text({ max: 40, description: 'Service that sent the call' }) readonly caller!: string;
  @Moment({ description: 'When it ended' }) readonly at!: string;
}

/** Every service that owns a write publishes these; operations-executor chains them in the order of arrival. */
export const auditRecorded = event({
  topic: 'audit.recorded.v1',
  producer: 'any',
  subscribers: ['operations'],
  payload: AuditRecord,
  key: () => 'audit',
});
