import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  ActiveArea,
  ActiveEntity,
  describeContext,
  SessionContext,
  setActiveArea,
  setActiveEntity,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './session.descriptions';

/** Works under a stale focus too, because these routes show it and repair it. */
@ApiTags('session')
@ApiBearerAuth('credential')
@Controller('v1/session')
@Requires(requirements.credential)
export class SessionController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Answers(SessionContext)
  @Describes(descriptions.showsSession)
  getSession(@Caller() scope: Scope): Promise<SessionContext> {
    return this.calls.send(describeContext, scope, {});
  }

  @Post('active-entity')
  @Answers(SessionContext)
  @Describes(descriptions.focusesOnEntity)
  setActiveEntity(@Caller() scope: Scope, @Body() request: ActiveEntity): Promise<SessionContext> {
    return this.calls.send(setActiveEntity, scope, request);
  }

  @Post('active-area')
  @Answers(SessionContext)
  @Describes(descriptions.focusesOnArea)
  setActiveArea(@Caller() scope: Scope, @Body() request: ActiveArea): Promise<SessionContext> {
    return this.calls.send(setActiveArea, scope, request);
  }
}
