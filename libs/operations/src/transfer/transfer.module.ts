import { Module } from '@nestjs/common';
import { ProcessTransfer } from './process-transfer';
import { ProcessTransferHandlers } from './process-transfer.handlers';

/** Transfers processes to another installation. */
@Module({ providers: [ProcessTransfer, ProcessTransferHandlers], exports: [ProcessTransfer] })
export class TransferModule {}
