import { Injectable } from '@nestjs/common';
import { countSpacesOfEntity } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';

/** Counts the spaces of an entity at retrieval, before a transaction and never inside of one. */
@Injectable()
export class EntitySpaces {
  constructor(private readonly calls: Calls) {}

  async count(scope: Scope, entityCode: string): Promise<number> {
    return (await this.calls.send(countSpacesOfEntity, scope, { entityCode })).spaces;
  }
}
