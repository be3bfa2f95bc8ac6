import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  DocumentDetail,
  DocumentEdges,
  DocumentList,
  DocumentListRequest,
  DocumentReference,
  getDocument,
  getDocumentEdges,
  listDocuments,
  NeighborLimit,
  searchDocuments,
  SearchRequest,
  SearchResult,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { readsDocuments, readsOneDocument, Requires, type Scope, searches } from '@acervo/rbac';
import * as descriptions from './documents.descriptions';

@ApiTags('documents')
@ApiBearerAuth('credential')
@Controller('v1/documents')
export class DocumentsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(readsDocuments)
  @Answers(DocumentList)
  @Describes(descriptions.listsDocuments)
  listDocuments(@Caller() scope: Scope, @Query() request: DocumentListRequest): Promise<DocumentList> {
    return this.calls.send(listDocuments, scope, request);
  }

  @Post('search')
  @Requires(searches)
  @Answers(SearchResult)
  @Describes(descriptions.searches)
  searchDocuments(@Caller() scope: Scope, @Body() request: SearchRequest): Promise<SearchResult> {
    return this.calls.send(searchDocuments, scope, request);
  }

  @Get(':document_code')
  @Requires(readsOneDocument)
  @Answers(DocumentDetail)
  @Describes(descriptions.showsDocument)
  getDocument(@Caller() scope: Scope, @Param() reference: DocumentReference): Promise<DocumentDetail> {
    return this.calls.send(getDocument, scope, reference);
  }

  @Get(':document_code/edges')
  @Requires(readsDocuments)
  @Answers(DocumentEdges)
  @Describes(descriptions.showsEdges)
  getDocumentEdges(
    @Caller() scope: Scope,
    @Param() reference: DocumentReference,
    @Query() neighbors: NeighborLimit,
  ): Promise<DocumentEdges> {
    return this.calls.send(getDocumentEdges, scope, { ...reference, ...neighbors });
  }
}
