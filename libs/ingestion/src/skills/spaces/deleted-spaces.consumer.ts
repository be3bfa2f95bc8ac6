import { Injectable } from '@nestjs/common';
import { spaceDeleted, type SpaceGone } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { SpaceSkillStore } from './space-skill.store';

/** Deletes what skills found in spaces with the spaces themselves. */
@Injectable()
export class DeletedSpacesConsumer {
  constructor(private readonly store: SpaceSkillStore) {}

  @On(spaceDeleted)
  deleted(_scope: WorkScope, tx: Transaction, { spaceId }: SpaceGone): Promise<void> {
    return this.store.forgetSpaces(tx, [spaceId]);
  }
}
