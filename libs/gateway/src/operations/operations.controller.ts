import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import { ApiIdempotencyKey, IdempotencyKey, type Keyed } from '../idempotency-key';

@ApiTags('operations')
@ApiBearerAuth('credential')
@Controller('v1/operations')
@Requires(requirements.credential)
export class OperationsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Answers(OperationList)
  @ApiOperation({ summary: 'List the operations that the caller reaches' })
  listOperations(@Caller() scope: Scope): Promise<OperationList> {
    return this.calls.send(listOperations, scope, {});
  }

  @Get(':code')
  @Answers(OperationDetail)
  @ApiOperation({ summary: 'Show one operation with the schemas of its input and of its result' })
  getOperation(@Caller() scope: Scope, @Param() reference: OperationReference): Promise<OperationDetail> {
    return this.calls.send(describeOperation, scope, reference);
  }

  @Post(':code\\:execute')
  @Answers(ExecutionOutcome)
  @ApiIdempotencyKey('The same key with the same request has one effect and one answer, for 24 hours')
  @ApiOperation({ summary: 'Run an operation; one that needs a confirmation is previewed without it' })
  executeOperation(
    @Caller() scope: Scope,
    @Param() { code }: OperationReference,
    @Body() request: ExecutionRequest,
    @IdempotencyKey() key: Keyed,
  ): Promise<ExecutionOutcome> {
    return this.calls.send(executeOperation, scope, { ...request, code }, key);
  }
}
