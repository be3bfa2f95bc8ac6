import { Controller, Get } from '@nestjs/common';
import { DOCUMENT_PAGES } from '@acervo/contracts';
import { AnswersPage, Page } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';

/**
 * A document for people. The page is the same for every code: it asks `/v1` with the credential of its reader, so it
 * shows nothing of a document by itself.
 */
@Controller(DOCUMENT_PAGES)
export class DocumentPageController {
  constructor(private readonly page: Page) {}

  @Get(':document_code')
  @Requires(requirements.nobody)
  @AnswersPage()
  getDocumentPage(): Page {
    return this.page;
  }
}
