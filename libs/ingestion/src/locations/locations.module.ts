import { Module } from '@nestjs/common';
import { CursorsModule } from '@acervo/platform-service';
import { LocationPagesModule } from '../location-pages/location-pages.module';
import { LocationEvents } from './location-events';
import { LocationListingHandlers } from './location-listing.handlers';
import { LocationListing } from './location-listing.store';
import { LocationStore } from './location.store';

/** The folder trees of a group, their events, and how callers see them. */
@Module({
  imports: [CursorsModule, LocationPagesModule],
  providers: [LocationEvents, LocationStore, LocationListing, LocationListingHandlers],
  exports: [LocationEvents, LocationStore, LocationListing],
})
export class LocationsModule {}
