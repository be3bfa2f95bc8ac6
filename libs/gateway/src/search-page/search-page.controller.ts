import { Controller, Get } from '@nestjs/common';
import { AnswersPage, Page } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';

/** The search for people: one page at `/` that queries `/v1` with the key that its reader pastes. */
@Controller()
export class SearchPageController {
  constructor(private readonly page: Page) {}

  @Get()
  @Requires(requirements.nobody)
  @AnswersPage()
  getSearchPage(): Page {
    return this.page;
  }
}
