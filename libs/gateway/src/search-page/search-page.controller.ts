import { Controller, Get, Inject } from '@nestjs/common';
import { AnswersPage, Page } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';

/** Search for people: one page at `/` that asks `/v1` with the key that its reader pastes. */
@Controller()
export class SearchPageController {
  constructor(@Inject(Page) private readonly page: Page) {}

  @Get()
  @Requires(requirements.nobody)
  @AnswersPage()
  getSearchPage(): Page {
    return this.page;
  }
}
