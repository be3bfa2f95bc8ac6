import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  composeSpaces,
  getSpace,
  listSpaces,
  promoteSpace,
  ReadingOptions,
  readSpace,
  readSpaceResults,
  refreshSpace,
  Space,
  SpaceComposition,
  SpaceDetailLimit,
  SpaceList,
  SpaceListRequest,
  SpaceReading,
  SpaceReference,
  SpaceView,
  Unavailable,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirementOfOperation, Requires, type Scope } from '@acervo/rbac';
import { ApiIdempotencyKey, IdempotencyKey, type Keyed } from '../idempotency-key';
import * as descriptions from './spaces.descriptions';

const readsSpaces = requirementOfOperation(listSpaces);
const changesSpaces = requirementOfOperation(refreshSpace);
const ONCE = 'Requests with the same key have one effect; those after the first are 409 with done: true';

@ApiTags('spaces')
@ApiBearerAuth('credential')
@Controller('v1/spaces')
export class SpacesController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(readsSpaces)
  @Answers(SpaceList)
  @Describes(descriptions.listsSpaces)
  listSpaces(@Caller() scope: Scope, @Query() request: SpaceListRequest): Promise<SpaceList> {
    return this.calls.send(listSpaces, scope, request);
  }

  @Post('compose')
  @Requires(changesSpaces)
  @Answers(Space)
  @ApiIdempotencyKey(ONCE)
  @Describes(descriptions.composesSpaces)
  composeSpaces(
    @Caller() scope: Scope,
    @Body() composition: SpaceComposition,
    @IdempotencyKey() key: Keyed,
  ): Promise<Space> {
    return this.calls.send(composeSpaces, scope, composition, key);
  }

  @Get(':space_id')
  @Requires(readsSpaces)
  @Answers(SpaceView)
  @Describes(descriptions.showsSpace)
  async getSpace(
    @Caller() scope: Scope,
    @Param() reference: SpaceReference,
    @Query() limit: SpaceDetailLimit,
  ): Promise<SpaceView> {
    const detail = await this.calls.send(getSpace, scope, { ...reference, ...limit });
    return { ...detail, skillResults: await this.resultsOf(scope, reference) };
  }

  /** What skills found over a space that the caller sees; null while the service that keeps it is away. */
  private async resultsOf(scope: Scope, reference: SpaceReference): Promise<SpaceView['skillResults']> {
    try {
      return (await this.calls.send(readSpaceResults, scope, reference)).results;
    } catch (error) {
      if (error instanceof Unavailable) return null;
      throw error;
    }
  }

  @Post(':space_id/refresh')
  @Requires(changesSpaces)
  @Answers(Space)
  @ApiIdempotencyKey(ONCE)
  @Describes(descriptions.refreshesSpace)
  refreshSpace(
    @Caller() scope: Scope,
    @Param() reference: SpaceReference,
    @IdempotencyKey() key: Keyed,
  ): Promise<Space> {
    return this.calls.send(refreshSpace, scope, reference, key);
  }

  @Post(':space_id/promote')
  @Requires(changesSpaces)
  @Answers(Space)
  @ApiIdempotencyKey(ONCE)
  @Describes(descriptions.promotesSpace)
  promoteSpace(
    @Caller() scope: Scope,
    @Param() reference: SpaceReference,
    @IdempotencyKey() key: Keyed,
  ): Promise<Space> {
    return this.calls.send(promoteSpace, scope, reference, key);
  }

  @Post(':space_id/read')
  @Requires(readsSpaces)
  @Answers(SpaceReading)
  @Describes(descriptions.readsSpace)
  readSpace(
    @Caller() scope: Scope,
    @Param() reference: SpaceReference,
    @Body() options: ReadingOptions,
  ): Promise<SpaceReading> {
    return this.calls.send(readSpace, scope, { ...reference, ...options });
  }
}
