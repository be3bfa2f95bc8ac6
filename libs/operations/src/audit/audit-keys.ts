import { VersionedSecret } from '@acervo/platform-config';

/** The server key that audit records and previews are signed with, in its versions. */
export class AuditKeys extends VersionedSecret {
  /** @param current the version that signs new records; the highest where it is null */
  constructor(text: string, current: number | null = null) {
    super(text, 'ACERVO_AUDIT_KEY', current);
  }
}
