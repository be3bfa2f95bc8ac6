import { Module } from '@nestjs/common';
import { Cursors } from '@acervo/platform-calls';
import { VersionedSecret } from '@acervo/platform-config';
import { IngestionConfig } from '../ingestion.config';
import { LocationListingHandlers } from './location-listing.handlers';
import { LocationListing } from './location-listing.store';

/** Folders as callers see them. */
@Module({
  providers: [
    LocationListing,
    LocationListingHandlers,
    {
      provide: Cursors,
      inject: [IngestionConfig],
      useFactory: ({ cursorKey, cursorKeyCurrent }: IngestionConfig) =>
        new Cursors(new VersionedSecret(cursorKey, 'ACERVO_CURSOR_KEY', cursorKeyCurrent)),
    },
  ],
  exports: [LocationListing],
})
export class LocationListingModule {}
