import { Module } from '@nestjs/common';
import { processesTransfer } from '@acervo/contracts';
import { transferHandlers } from '@acervo/platform-service';
import { ProcessTransfer } from './process-transfer';

/** Transfers processes to another installation. */
@Module({
  providers: [ProcessTransfer, transferHandlers(processesTransfer, ProcessTransfer)],
  exports: [ProcessTransfer],
})
export class TransferModule {}
