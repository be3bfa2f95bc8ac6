import { locationDescribed, type LocationDescribed } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import type { LocationStore } from './location.store';

/** Takes note of what ingestion says about folders. */
export class LocationConsumer {
  constructor(private readonly locations: LocationStore) {}

  @On(locationDescribed)
  async describe(_scope: WorkScope, tx: Transaction, fact: LocationDescribed): Promise<void> {
    await this.locations.describe(tx, fact);
  }
}
