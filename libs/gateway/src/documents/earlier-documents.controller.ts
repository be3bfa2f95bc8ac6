import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  EarlierDocumentDetail,
  EarlierDocumentListRequest,
  EarlierDocumentReference,
  EarlierDocuments,
  type EarlierFoundDocument,
  EarlierSearchRequest,
  EarlierSearchResult,
  type FoundDocument,
  getDocument,
  listDocuments,
  searchDocuments,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { readsDocuments, readsOneDocument, Requires, type Scope, searches } from '@acervo/rbac';

const foundWithPassage = ({ code, name, maxSimilarity, chunks: [best] }: FoundDocument): EarlierFoundDocument => ({
  ...{ code, name, maxSimilarity },
  ...{ text: best?.text ?? null, page: best?.page ?? null },
});

/** The documents of the web application, outside of the public contract. */
@ApiExcludeController()
@Controller('documentos')
export class EarlierDocumentsController {
  constructor(private readonly calls: Calls) {}

  @Get('paginado')
  @Requires(readsDocuments)
  @Answers(EarlierDocuments)
  async page(@Caller() scope: Scope, @Query() request: EarlierDocumentListRequest): Promise<EarlierDocuments> {
    const { documents, ...rest } = await this.calls.send(listDocuments, scope, request);
    return { ...rest, items: documents };
  }

  /** Counts as one retrieval, as every search. */
  @Post('buscar-semantico')
  @Requires(searches)
  @Answers(EarlierSearchResult)
  async search(@Caller() scope: Scope, @Body() request: EarlierSearchRequest): Promise<EarlierSearchResult> {
    const { documents } = await this.calls.send(searchDocuments, scope, { ...request, minSimilarity: 0 });
    return { results: documents.map(foundWithPassage) };
  }

  @Get(':codigo')
  @Requires(readsOneDocument)
  @Answers(EarlierDocumentDetail)
  get(@Caller() scope: Scope, @Param() { documentCode }: EarlierDocumentReference): Promise<EarlierDocumentDetail> {
    return this.calls.send(getDocument, scope, { documentCode });
  }
}
