import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { FunctionCode, FunctionDetail, getFunction } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './functions.descriptions';

@ApiTags('catalog')
@ApiBearerAuth('credential')
@Controller('v1/functions')
export class FunctionsController {
  constructor(private readonly calls: Calls) {}

  @Get(':function_code')
  @Requires(requirements.credential)
  @Answers(FunctionDetail)
  @Describes(descriptions.showsFunction)
  getFunction(@Caller() scope: Scope, @Param() reference: FunctionCode): Promise<FunctionDetail> {
    return this.calls.send(getFunction, scope, reference);
  }
}
