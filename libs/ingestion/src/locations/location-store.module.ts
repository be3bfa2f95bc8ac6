import { Module } from '@nestjs/common';
import { LocationEvents } from './location-events';
import { LocationStore } from './location.store';

/** The folder trees of a group, and their events. */
@Module({ providers: [LocationEvents, LocationStore], exports: [LocationEvents, LocationStore] })
export class LocationStoreModule {}
