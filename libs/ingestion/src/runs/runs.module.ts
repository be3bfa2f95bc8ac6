import { Module } from '@nestjs/common';
import { LocationsModule } from '../locations/locations.module';
import { DocumentWork } from '../pipeline/document-work';
import { ScansModule } from '../scans/scans.module';
import { BatchHandlers } from './batch.handlers';
import { RunsHandlers } from './runs.handlers';

/** Runs, and batches of documents: begun, retried, cancelled, put before others. */
@Module({ imports: [LocationsModule, ScansModule], providers: [DocumentWork, RunsHandlers, BatchHandlers] })
export class RunsModule {}
