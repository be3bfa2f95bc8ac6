import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller';

/** Search, lists and details of documents. */
@Module({ controllers: [DocumentsController] })
export class DocumentsModule {}
