import { Setting } from '@acervo/platform-config';

/** The signing keys of operations-executor. */
export class OperationsConfig {
  @Setting({
    env: 'ACERVO_AUDIT_KEY',
    default: '',
    secret: true,
    description:
      'Server key that audit records and previews are signed with, at least 16 characters; several as 1:old,2:new, old ones kept for as long as what they signed',
  })
  readonly auditKey!: string;
}
