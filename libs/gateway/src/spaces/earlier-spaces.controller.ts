import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  EarlierPageRequest,
  EarlierSpaceDocuments,
  EarlierSpaceReference,
  EarlierSpaces,
  listSpaceDocuments,
  listSpaces,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirementOfOperation, Requires, type Scope } from '@acervo/rbac';
import { numberedPage } from './pages';

/** The lists of spaces of the web application, outside of the public contract. */
@ApiExcludeController()
@Controller('espacios-trabajo')
@Requires(requirementOfOperation(listSpaceDocuments))
export class EarlierSpacesController {
  constructor(private readonly calls: Calls) {}

  @Get('paginado')
  @Answers(EarlierSpaces)
  page(@Caller() scope: Scope, @Query() request: EarlierPageRequest): Promise<EarlierSpaces> {
    return numberedPage(request, async (limit, cursor) => {
      const { spaces, ...rest } = await this.calls.send(listSpaces, scope, { limit, ...from(cursor) });
      return { ...rest, items: spaces };
    });
  }

  @Get(':id/documentos/paginado')
  @Answers(EarlierSpaceDocuments)
  pageDocuments(
    @Caller() scope: Scope,
    @Param() { spaceId }: EarlierSpaceReference,
    @Query() request: EarlierPageRequest,
  ): Promise<EarlierSpaceDocuments> {
    return numberedPage(request, async (limit, cursor) => {
      const sent = { spaceId, limit, ...from(cursor) };
      const { documents, ...rest } = await this.calls.send(listSpaceDocuments, scope, sent);
      return { ...rest, items: documents };
    });
  }
}

const from = (cursor: string | undefined): { cursor?: string } => (cursor === undefined ? {} : { cursor });
