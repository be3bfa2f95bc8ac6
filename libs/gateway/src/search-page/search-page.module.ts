import { Module } from '@nestjs/common';
import { Page } from '@acervo/platform-http';
import { pageFrom } from '../assets';
import { SearchPageController } from './search-page.controller';

/** Search for people. */
@Module({
  controllers: [SearchPageController],
  providers: [{ provide: Page, useFactory: () => pageFrom('search-page', 'script.js') }],
})
export class SearchPageModule {}
