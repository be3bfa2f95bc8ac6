import { Module } from '@nestjs/common';
import { Page } from '@acervo/platform-http';
import { pageFrom } from '../assets';
import { DocumentPageController } from './document-page.controller';

/** The page that the url of a document opens. */
@Module({
  controllers: [DocumentPageController],
  providers: [{ provide: Page, useFactory: () => pageFrom('document-page') }],
})
export class DocumentPageModule {}
