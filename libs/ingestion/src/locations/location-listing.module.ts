import { Module } from '@nestjs/common';
import { CursorsModule } from '@acervo/platform-service';
import { LocationListingHandlers } from './location-listing.handlers';
import { LocationListing } from './location-listing.store';

/** Folders as callers see them. */
@Module({
  imports: [CursorsModule],
  providers: [LocationListing, LocationListingHandlers],
  exports: [LocationListing],
})
export class LocationListingModule {}
