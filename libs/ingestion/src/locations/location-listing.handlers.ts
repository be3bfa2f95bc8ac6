import { Injectable } from '@nestjs/common';
import {
  listLocations,
  type LocationItem,
  type LocationList,
  type LocationListRequest,
  MOST_LOCATION_PAGES,
} from '@acervo/contracts';
import { Calls, Cursors, Handles, ownReach, pageOf } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOfRequest } from '@acervo/rbac';
import { compileLocation } from '../location-pages/location-page';
import { LocationPageStore } from '../location-pages/location-page.store';
import { LocationListing } from './location-listing.store';

@Injectable()
export class LocationListingHandlers {
  constructor(
    private readonly database: Database,
    private readonly listing: LocationListing,
    private readonly cursors: Cursors,
    private readonly pages: LocationPageStore,
    private readonly calls: Calls,
  ) {}

  @Handles(listLocations)
  async list(scope: Scope, request: LocationListRequest): Promise<LocationList> {
    const { entityCode, parentCode, query, cursor, withPages = false } = request;
    const limit = withPages ? Math.min(request.limit, MOST_LOCATION_PAGES) : request.limit;
    const listing = { call: listLocations, scope, filters: { entityCode, parentCode, query } };
    const after = this.cursors.open(listing, cursor);
    const visibility = await visibilityOfRequest(scope, { entityCode }, ownReach(this.calls, scope));
    return this.database.read(visibility, async (tx) => {
      if (parentCode !== undefined) await this.listing.assertSeen(tx, visibility, parentCode);
      const rows = await this.listing.list(tx, { visibility, parentCode, query, after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { locations: withPages ? await this.withPages(tx, visibility, items) : items, nextCursor };
    });
  }

  /** Folders with their pages, as one reader sees them. */
  private async withPages(
    tx: Transaction,
    visibility: Visibility,
    items: readonly LocationItem[],
  ): Promise<LocationItem[]> {
    const codes = items.map(({ code }) => code);
    const pages = new Map<string, Pick<LocationItem, 'page' | 'pageAt'>>();
    for (const { pageAt, ...folder } of await this.pages.paged(tx, visibility, codes)) {
      const page = compileLocation(folder, await this.pages.contents(tx, visibility, folder.code));
      pages.set(folder.code, { page, pageAt: pageAt.toISOString() });
    }
    return items.map((item) => ({ ...item, ...(pages.get(item.code) ?? { page: null, pageAt: null }) }));
  }
}
