import { Injectable } from '@nestjs/common';
import { listLocations, type LocationList, type LocationListRequest } from '@acervo/contracts';
import { Cursors, Handles, pageOf } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { LocationListing } from './location-listing.store';

@Injectable()
export class LocationListingHandlers {
  constructor(
    private readonly database: Database,
    private readonly listing: LocationListing,
    private readonly cursors: Cursors,
  ) {}

  @Handles(listLocations)
  async list(scope: Scope, request: LocationListRequest): Promise<LocationList> {
    const { entityCode, parentCode, query, limit, cursor } = request;
    const listing = { call: listLocations, scope, filters: { entityCode, parentCode, query } };
    const after = this.cursors.open(listing, cursor);
    const visibility = visibilityOf(scope, { entityCode });
    const rows = await this.database.read(visibility, async (tx) => {
      if (parentCode !== undefined) await this.listing.assertSeen(tx, visibility, parentCode);
      return this.listing.list(tx, { visibility, parentCode, query, after, limit: limit + 1 });
    });
    const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
    return { locations: items, nextCursor };
  }
}
