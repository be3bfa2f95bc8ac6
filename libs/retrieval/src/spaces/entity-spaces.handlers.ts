import { Injectable } from '@nestjs/common';
import { countSpacesOfEntity, type SpaceCount, type SpacesOfEntity } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { DependentSpacesStore } from './dependent-spaces.store';

/** Counts the spaces that prevent the deletion of an entity. */
@Injectable()
export class EntitySpacesHandlers {
  constructor(
    private readonly database: Database,
    private readonly spaces: DependentSpacesStore,
  ) {}

  /** Counts working sets of all users too: auth has checked that the caller administers the entity. */
  @Handles(countSpacesOfEntity)
  count(scope: Scope, { entityCode }: SpacesOfEntity): Promise<SpaceCount> {
    return this.database.read(scope, async (tx) => ({ spaces: await this.spaces.countOfEntity(tx, entityCode) }));
  }
}
