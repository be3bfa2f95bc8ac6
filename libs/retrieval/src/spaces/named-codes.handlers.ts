import { Injectable } from '@nestjs/common';
import { countSpacesNaming, type NamedCodes, type SpaceCount } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { DependentSpacesStore } from './dependent-spaces.store';
import { seesSpace } from '../space-members/space-access';

/** Counts the spaces that gather fewer documents once a type or feature is gone. */
@Injectable()
export class NamedCodesHandlers {
  constructor(
    private readonly database: Database,
    private readonly spaces: DependentSpacesStore,
  ) {}

  @Handles(countSpacesNaming)
  async count(scope: Scope, codes: NamedCodes): Promise<SpaceCount> {
    const naming = await this.database.read(scope, (tx) => this.spaces.naming(tx, codes));
    return { spaces: naming.filter((space) => seesSpace(scope, space)).length };
  }
}
