import { VersionedSecret } from '@acervo/platform-config';

/** The server key that audit records and previews are signed with, in its versions. */
export class AuditKeys extends VersionedSecret {
  constructor(text: string) {
    super(text, 'ACERVO_AUDIT_KEY');
  }
}
