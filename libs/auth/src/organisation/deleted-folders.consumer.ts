import { Injectable } from '@nestjs/common';
import { locationsDeleted, type LocationsDeleted } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { AreaLocationStore } from './area-location.store';

/**
 * Unlinks deleted folders from their areas. A link that is made during the deletion may stay. It reaches no folder, is
 * listed without a name, and is removed like any other.
 */
@Injectable()
export class DeletedFoldersConsumer {
  constructor(private readonly links: AreaLocationStore) {}

  @On(locationsDeleted)
  async unlink(_scope: WorkScope, tx: Transaction, { codes }: LocationsDeleted): Promise<void> {
    await this.links.removeAll(tx, codes);
  }
}
