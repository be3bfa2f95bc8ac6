import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { Answers, Caller } from '@acervo/platform-http';
import { readsDocuments, Requires, type Scope, searches } from '@acervo/rbac';

@ApiTags('documents')
@ApiBearerAuth('credential')
@Controller('v1/documents')
export class DocumentsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(readsDocuments)
  @Answers(DocumentList)
  @ApiOperation({ summary: 'List the documents that the caller may see' })
  listDocuments(@Caller() scope: Scope, @Query() request: DocumentListRequest): Promise<DocumentList> {
    return this.calls.send(listDocuments, scope, request);
  }

  @Post('search')
  @Requires(searches)
  @Answers(SearchResult)
  @ApiOperation({ summary: 'Search documents by meaning and by words' })
  searchDocuments(@Caller() scope: Scope, @Body() request: SearchRequest): Promise<SearchResult> {
    return this.calls.send(searchDocuments, scope, request);
  }

  @Get(':document_code')
  @Requires(readsDocuments)
  @Answers(DocumentDetail)
  @ApiOperation({ summary: 'Show one document, and why it failed where it did' })
  getDocument(@Caller() scope: Scope, @Param() reference: DocumentReference): Promise<DocumentDetail> {
    return this.calls.send(getDocument, scope, reference);
  }

  @Get(':document_code/edges')
  @Requires(readsDocuments)
  @Answers(DocumentEdges)
  @ApiOperation({ summary: 'Show the folder, type and features of a document, and the documents that share them' })
  getDocumentEdges(
    @Caller() scope: Scope,
    @Param() reference: DocumentReference,
    @Query() neighbors: NeighborLimit,
  ): Promise<DocumentEdges> {
    return this.calls.send(getDocumentEdges, scope, { ...reference, ...neighbors });
  }
}
