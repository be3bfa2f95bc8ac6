import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  AreaList,
  AreaListRequest,
  listAreas,
  listLocations,
  listVisibleAreas,
  LocationList,
  LocationListRequest,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirementOfOperation, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './trees.descriptions';

/** The areas of an entity and the folders that a caller may choose. */
@ApiTags('session')
@ApiBearerAuth('credential')
@Controller('v1')
export class TreesController {
  constructor(private readonly calls: Calls) {}

  @Get('areas')
  @Requires(requirementOfOperation(listAreas))
  @Answers(AreaList)
  @Describes(descriptions.listsAreas)
  listAreas(@Caller() scope: Scope, @Query() request: AreaListRequest): Promise<AreaList> {
    return this.calls.send(listVisibleAreas, scope, request);
  }

  @Get('locations')
  @Requires(requirementOfOperation(listLocations))
  @Answers(LocationList)
  @Describes(descriptions.listsLocations)
  listLocations(@Caller() scope: Scope, @Query() request: LocationListRequest): Promise<LocationList> {
    return this.calls.send(listLocations, scope, request);
  }
}
