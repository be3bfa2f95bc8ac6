import { Module } from '@nestjs/common';
import { FolderTransferHandlers } from './folders.handlers';

/** Transfers folders and documents to another installation. */
@Module({ providers: [FolderTransferHandlers] })
export class ExportsModule {}
