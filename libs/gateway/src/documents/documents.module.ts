import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller';
import { EarlierDocumentsController } from './earlier-documents.controller';

/** Search, lists and details of documents. */
@Module({ controllers: [DocumentsController, EarlierDocumentsController] })
export class DocumentsModule {}
