import { Module } from '@nestjs/common';
import { Page } from '@acervo/platform-http';
import { searchPage } from './search-page';
import { SearchPageController } from './search-page.controller';

/** Search for people. */
@Module({ controllers: [SearchPageController], providers: [{ provide: Page, useFactory: searchPage }] })
export class SearchPageModule {}
