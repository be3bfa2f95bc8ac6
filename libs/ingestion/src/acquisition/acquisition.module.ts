import { Module } from '@nestjs/common';
import { LocationPagesModule } from '../location-pages/location-pages.module';
import { AcquisitionPromptsModule } from './acquisition-prompts.module';
import { AcquisitionHandlers } from './acquisition.handlers';

/** Shows the instructions by which documents are acquired. */
@Module({ imports: [AcquisitionPromptsModule, LocationPagesModule], providers: [AcquisitionHandlers] })
export class AcquisitionModule {}
