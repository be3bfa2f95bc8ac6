import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module';
import { TransferModule } from '../transfer/transfer.module';
import { DeletedSources } from './deleted-sources';
import { Upkeep } from './upkeep';

/** Recurring upkeep of conversations. */
@Module({
  imports: [ConversationsModule, TransferModule],
  providers: [DeletedSources, Upkeep],
})
export class UpkeepModule {}
