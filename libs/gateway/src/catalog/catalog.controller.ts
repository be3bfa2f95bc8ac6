import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Catalog,
  CatalogCharacteristics,
  CatalogDocumentTypes,
  CatalogRequest,
  CatalogTypesRequest,
  CharacteristicsRequest,
  listCatalog,
  listCatalogDocumentTypes,
  listCharacteristics,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

/** What a caller may name: functions, document types and features. */
@ApiTags('catalog')
@ApiBearerAuth('credential')
@Controller('v1/catalog')
export class CatalogController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(Catalog)
  @ApiOperation({ summary: 'List the functions and skills that the caller may name' })
  list(@Caller() scope: Scope, @Query() request: CatalogRequest): Promise<Catalog> {
    return this.calls.send(listCatalog, scope, request);
  }

  @Get('document-types')
  @Requires(requirements.credential)
  @Answers(CatalogDocumentTypes)
  @ApiOperation({ summary: 'List the document types of the group and of the entities in scope' })
  listDocumentTypes(@Caller() scope: Scope, @Query() request: CatalogTypesRequest): Promise<CatalogDocumentTypes> {
    return this.calls.send(listCatalogDocumentTypes, scope, request);
  }

  @Get('characteristics')
  @Requires(requirements.credential)
  @Answers(CatalogCharacteristics)
  @ApiOperation({
    summary: 'List the features that documents may have',
    description:
      'Features of both kinds: the codes of ATTRIBUTE features go into `attributes` of the search filter, those of CHARACTERISTIC features into `characteristics`.',
  })
  listCharacteristics(
    @Caller() scope: Scope,
    @Query() request: CharacteristicsRequest,
  ): Promise<CatalogCharacteristics> {
    return this.calls.send(listCharacteristics, scope, request);
  }
}
