import { Module } from '@nestjs/common';
import { ConversationTransfer } from './conversation-transfer';
import { ConversationTransferHandlers } from './conversation-transfer.handlers';

/** Transfers conversations to another installation. */
@Module({ providers: [ConversationTransfer, ConversationTransferHandlers], exports: [ConversationTransfer] })
export class TransferModule {}
