import { locationsDeleted, type LocationsDeleted } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import type { AreaLocationStore } from './area-location.store';

/**
 * Takes deleted folders off the areas that reached them. A link that is made at the very moment of the deletion may
 * stay: it leads nowhere, is listed without a name, and is taken off like any other.
 */
export class DeletedFoldersConsumer {
  constructor(private readonly links: AreaLocationStore) {}

  @On(locationsDeleted)
  async unlink(_scope: WorkScope, tx: Transaction, { codes }: LocationsDeleted): Promise<void> {
    await this.links.removeAll(tx, codes);
  }
}
