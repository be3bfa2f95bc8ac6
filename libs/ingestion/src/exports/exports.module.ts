import { Module } from '@nestjs/common';
import { FolderTransfer } from './folder-transfer';
import { FolderTransferHandlers } from './folders.handlers';

/** Transfers folders and documents to another installation. */
@Module({ providers: [FolderTransfer, FolderTransferHandlers], exports: [FolderTransfer] })
export class ExportsModule {}
