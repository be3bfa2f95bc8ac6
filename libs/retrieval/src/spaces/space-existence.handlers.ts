import { Injectable } from '@nestjs/common';
import { type SpaceExistence, spaceExists, type SpaceReference } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { SpaceStore } from '../space-members/space.store';

/** Says which spaces are there, to services that keep something of them. */
@Injectable()
export class SpaceExistenceHandlers {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceStore,
  ) {}

  @Handles(spaceExists)
  exists(scope: WorkScope, { spaceId }: SpaceReference): Promise<SpaceExistence> {
    return this.database.read(scope, async (tx) => ({ exists: (await this.spaces.find(tx, spaceId)) !== undefined }));
  }
}
