import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { FunctionCode, FunctionDetail, getFunction } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

@ApiTags('catalog')
@ApiBearerAuth('credential')
@Controller('v1/functions')
export class FunctionsController {
  constructor(private readonly calls: Calls) {}

  @Get(':function_code')
  @Requires(requirements.credential)
  @Answers(FunctionDetail)
  @ApiOperation({ summary: 'Show a screen of the application, how it behaves and which operations it uses' })
  getFunction(@Caller() scope: Scope, @Param() reference: FunctionCode): Promise<FunctionDetail> {
    return this.calls.send(getFunction, scope, reference);
  }
}
