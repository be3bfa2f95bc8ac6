import { Module } from '@nestjs/common';
import { LocationConsumer } from './location.consumer';
import { LocationStore } from './location.store';

/** Folders as events describe them. */
@Module({ providers: [LocationConsumer, LocationStore], exports: [LocationStore] })
export class LocationsModule {}
