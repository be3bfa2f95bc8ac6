import { Module } from '@nestjs/common';
import { LocationPagesModule } from '../location-pages/location-pages.module';
import { AcquisitionHandlers } from './acquisition.handlers';

/** The instructions by which documents are acquired. */
@Module({ imports: [LocationPagesModule], providers: [AcquisitionHandlers] })
export class AcquisitionModule {}
