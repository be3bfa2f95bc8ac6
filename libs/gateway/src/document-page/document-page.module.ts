import { Module } from '@nestjs/common';
import { Page } from '@acervo/platform-http';
import { documentPage } from './document-page';
import { DocumentPageController } from './document-page.controller';

/** The page that the url of a document opens. */
@Module({
  controllers: [DocumentPageController],
  providers: [{ provide: Page, useFactory: documentPage }],
})
export class DocumentPageModule {}
