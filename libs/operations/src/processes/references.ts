import { Injectable } from '@nestjs/common';
import { assertDocumentTypeExists, assertRoleExists, findAssignee } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import type { Person } from './person';

/** What definitions name of other services: people, roles and document types. */
@Injectable()
export class References {
  constructor(private readonly calls: Calls) {}

  /**
   * The person of an address; null and undefined stay.
   * @param entityCode the entity that the work concerns; null for the whole group
   * @throws NotFound for one outside of the group or of the entity, as for one that does not exist
   */
  async person<N extends null | undefined>(
    scope: Scope,
    code: string | N,
    entityCode: string | null,
  ): Promise<Person | N> {
    if (code === null || code === undefined) return code;
    return this.calls.send(findAssignee, scope, { code, entityCode });
  }

  /** @throws NotFound for a document type that the group does not have */
  async assertType(scope: Scope, documentTypeCode: string | null | undefined): Promise<void> {
    if (documentTypeCode !== null && documentTypeCode !== undefined)
      await this.calls.send(assertDocumentTypeExists, scope, { documentTypeCode });
  }

  /** @throws NotFound for a role that the group does not have */
  async assertRole(scope: Scope, roleCode: string | null | undefined): Promise<void> {
    if (roleCode !== null && roleCode !== undefined) await this.calls.send(assertRoleExists, scope, { roleCode });
  }
}
