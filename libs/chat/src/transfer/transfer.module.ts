import { Module } from '@nestjs/common';
import { conversationsTransfer } from '@acervo/contracts';
import { transferHandlers } from '@acervo/platform-service';
import { ConversationTransfer } from './conversation-transfer';

/** Transfers conversations to another installation. */
@Module({
  providers: [ConversationTransfer, transferHandlers(conversationsTransfer, ConversationTransfer)],
  exports: [ConversationTransfer],
})
export class TransferModule {}
