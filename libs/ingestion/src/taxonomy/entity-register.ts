import { Injectable } from '@nestjs/common';
import { getEntity } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';

/** The entities of groups, which auth owns. It is asked before a transaction and never inside of one. */
@Injectable()
export class EntityRegister {
  constructor(private readonly calls: Calls) {}

  /** @throws NotFound for an entity that does not exist or that the caller does not administer. */
  async assert(scope: Scope, entityCode: string): Promise<void> {
    if (!scope.entities.includes(entityCode)) await this.calls.send(getEntity, scope, { entityCode });
  }
}
