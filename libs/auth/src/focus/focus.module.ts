import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { FocusReader } from './focus-reader';
import { FocusService } from './focus.service';
import { FocusStore } from './focus.store';

/** Where credentials look: entity and area. */
@Module({
  imports: [CredentialsModule],
  providers: [FocusService, FocusReader, FocusStore],
  exports: [FocusService, FocusReader],
})
export class FocusModule {}
