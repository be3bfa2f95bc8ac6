import { Injectable } from '@nestjs/common';
import { locationDescribed, type LocationDescribed } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { LocationStore } from './location.store';

/** Stores the events of ingestion about folders. */
@Injectable()
export class LocationConsumer {
  constructor(private readonly locations: LocationStore) {}

  @On(locationDescribed)
  async describe(_scope: WorkScope, tx: Transaction, fact: LocationDescribed): Promise<void> {
    await this.locations.describe(tx, fact);
  }
}
