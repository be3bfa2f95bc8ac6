import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { FocusReader } from './focus-reader';
import { FocusHandlers } from './focus.handlers';
import { FocusStore } from './focus.store';
import { OwnEntities } from './own-entities';

/** Where credentials look: entity and area. */
@Module({
  imports: [CredentialsModule],
  providers: [FocusHandlers, FocusReader, FocusStore, OwnEntities],
  exports: [FocusHandlers, FocusReader, OwnEntities],
})
export class FocusModule {}
