import { Body, Controller, Get, Headers, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  describeOperation,
  executeOperation,
  ExecutionOutcome,
  ExecutionRequest,
  InvalidInput,
  listOperations,
  OperationDetail,
  OperationList,
  OperationReference,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

const KEY = /^[!-~]{1,128}$/;

/** @throws InvalidInput for a key that is not one word of printable characters. */
const checkedKey = (header: string | undefined): string | undefined => {
  if (header === undefined || KEY.test(header)) return header;
  throw new InvalidInput({ missing: [], invalid: ['Idempotency-Key'], unknown: 0 });
};

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
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
    description: 'The same key with the same request has one effect and one answer, for 24 hours',
  })
  @ApiOperation({ summary: 'Run an operation; one that needs a confirmation is previewed without it' })
  executeOperation(
    @Caller() scope: Scope,
    @Param() { code }: OperationReference,
    @Body() request: ExecutionRequest,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<ExecutionOutcome> {
    const idempotencyKey = checkedKey(key);
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    return this.calls.send(executeOperation, scope, { ...request, code }, options);
  }
}
