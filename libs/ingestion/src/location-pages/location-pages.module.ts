import { Module } from '@nestjs/common';
import { LocationPageStore } from './location-page.store';
import { LocationPagesHandlers } from './location-pages.handlers';

/** The pages of folders. */
@Module({ providers: [LocationPageStore, LocationPagesHandlers], exports: [LocationPageStore] })
export class LocationPagesModule {}
