import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  AgentContext,
  AgentContextRequest,
  callAgentTool,
  getAgentContext,
  ToolArguments,
  ToolReference,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersOpenObject, Caller, Describes } from '@acervo/platform-http';
import { Requires, type Scope, searches } from '@acervo/rbac';
import { ApiIdempotencyKey, IdempotencyKey, type Keyed } from '../idempotency-key';
import * as descriptions from './agent.descriptions';

@ApiTags('agents')
@ApiBearerAuth('credential')
@Controller('v1/agent')
@Requires(searches)
export class AgentController {
  constructor(private readonly calls: Calls) {}

  @Get('context')
  @Answers(AgentContext)
  @Describes(descriptions.showsContext)
  getAgentContext(@Caller() scope: Scope, @Query() request: AgentContextRequest): Promise<AgentContext> {
    return this.calls.send(getAgentContext, scope, request);
  }

  @Post('tools/:public_name')
  @AnswersOpenObject()
  @ApiIdempotencyKey('A tool that writes: the same key with the same arguments has one effect')
  @Describes(descriptions.callsTool)
  async callAgentTool(
    @Caller() scope: Scope,
    @Param() reference: ToolReference,
    @Body() request: ToolArguments,
    @IdempotencyKey() key: Keyed,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { result } = await this.calls.send(callAgentTool, scope, { ...reference, ...request }, key);
    return result;
  }
}
