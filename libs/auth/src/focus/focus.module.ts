import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { FocusReader } from './focus-reader';
import { FocusHandlers } from './focus.handlers';
import { FocusStore } from './focus.store';

/** Where credentials look: entity and area. */
@Module({
  imports: [CredentialsModule],
  providers: [FocusHandlers, FocusReader, FocusStore],
  exports: [FocusHandlers, FocusReader],
})
export class FocusModule {}
