import { CurrentVersion, Setting } from '@acervo/platform-config';

/** The signing keys of operations-executor, and when it anchors what they signed. */
export class OperationsConfig {
  @Setting({
    env: 'ACERVO_AUDIT_KEY',
    default: '',
    secret: true,
    description:
      'Server key that audit records and previews are signed with, at least 16 characters; several as 1:old,2:new, old ones kept for as long as what they signed',
  })
  readonly auditKey!: string;
  @CurrentVersion('ACERVO_AUDIT_KEY')
  readonly auditKeyCurrent!: number | null;
  @Setting({
    env: 'ACERVO_AUDIT_ANCHOR_SECONDS',
    default: 600,
    min: 1,
    max: 86_400,
    description: 'Seconds after an audit record until a signed head in the object store confirms it',
  })
  readonly auditAnchorSeconds!: number;
}
