import { Module } from '@nestjs/common';
import { foldersTransfer } from '@acervo/contracts';
import { transferHandlers } from '@acervo/platform-service';
import { FolderTransfer } from './folder-transfer';

/** Transfers folders, and documents with their tombstones, to another installation. */
@Module({
  providers: [FolderTransfer, transferHandlers(foldersTransfer, FolderTransfer)],
  exports: [FolderTransfer],
})
export class ExportsModule {}
