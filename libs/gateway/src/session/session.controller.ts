import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ActiveArea,
  ActiveEntity,
  describeContext,
  SessionContext,
  setActiveArea,
  setActiveEntity,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

/** Works under a stale focus too, because these routes show it and repair it. */
@ApiTags('session')
@ApiBearerAuth('credential')
@Controller('v1/session')
@Requires(requirements.credential)
export class SessionController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Answers(SessionContext)
  @ApiOperation({ summary: 'Show the caller and its focus' })
  getSession(@Caller() scope: Scope): Promise<SessionContext> {
    return this.calls.send(describeContext, scope, {});
  }

  @Post('active-entity')
  @Answers(SessionContext)
  @ApiOperation({ summary: 'Focus on an entity, or release the focus' })
  setActiveEntity(@Caller() scope: Scope, @Body() request: ActiveEntity): Promise<SessionContext> {
    return this.calls.send(setActiveEntity, scope, request);
  }

  @Post('active-area')
  @Answers(SessionContext)
  @ApiOperation({ summary: 'Focus on an area and its entity, or release the area' })
  setActiveArea(@Caller() scope: Scope, @Body() request: ActiveArea): Promise<SessionContext> {
    return this.calls.send(setActiveArea, scope, request);
  }
}
