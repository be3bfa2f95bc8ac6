import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
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
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './catalog.descriptions';

/** What a caller may name: functions, document types and features. */
@ApiTags('catalog')
@ApiBearerAuth('credential')
@Controller('v1/catalog')
export class CatalogController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(Catalog)
  @Describes(descriptions.listsCatalog)
  listCatalog(@Caller() scope: Scope, @Query() request: CatalogRequest): Promise<Catalog> {
    return this.calls.send(listCatalog, scope, request);
  }

  @Get('document-types')
  @Requires(requirements.credential)
  @Answers(CatalogDocumentTypes)
  @Describes(descriptions.listsDocumentTypes)
  listDocumentTypes(@Caller() scope: Scope, @Query() request: CatalogTypesRequest): Promise<CatalogDocumentTypes> {
    return this.calls.send(listCatalogDocumentTypes, scope, request);
  }

  @Get('characteristics')
  @Requires(requirements.credential)
  @Answers(CatalogCharacteristics)
  @Describes(descriptions.listsCharacteristics)
  listCharacteristics(
    @Caller() scope: Scope,
    @Query() request: CharacteristicsRequest,
  ): Promise<CatalogCharacteristics> {
    return this.calls.send(listCharacteristics, scope, request);
  }
}
