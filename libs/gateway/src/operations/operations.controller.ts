import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  describeOperation,
  executeOperation,
  ExecutionOutcome,
  ExecutionRequest,
  listOperations,
  OperationDetail,
  OperationList,
  OperationReference,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import { ApiIdempotencyKey, IdempotencyKey, type Keyed } from '../idempotency-key';
import * as descriptions from './operations.descriptions';

@ApiTags('operations')
@ApiBearerAuth('credential')
@Controller('v1/operations')
@Requires(requirements.credential)
export class OperationsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Answers(OperationList)
  @Describes(descriptions.listsOperations)
  listOperations(@Caller() scope: Scope): Promise<OperationList> {
    return this.calls.send(listOperations, scope, {});
  }

  @Get(':code')
  @Answers(OperationDetail)
  @Describes(descriptions.describesOperation)
  getOperation(@Caller() scope: Scope, @Param() reference: OperationReference): Promise<OperationDetail> {
    return this.calls.send(describeOperation, scope, reference);
  }

  @Post(':code\\:execute')
  @Answers(ExecutionOutcome)
  @ApiIdempotencyKey('The same key with the same request has one effect and one answer, for 24 hours')
  @Describes(descriptions.executesOperation)
  executeOperation(
    @Caller() scope: Scope,
    @Param() { code }: OperationReference,
    @Body() request: ExecutionRequest,
    @IdempotencyKey() key: Keyed,
  ): Promise<ExecutionOutcome> {
    return this.calls.send(executeOperation, scope, { ...request, code }, key);
  }
}
