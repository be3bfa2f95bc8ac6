import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { getUsage, Usage } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './usage.descriptions';

@ApiTags('usage')
@ApiBearerAuth('credential')
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(Usage)
  @Describes(descriptions.showsUsage)
  getUsage(@Caller() scope: Scope): Promise<Usage> {
    return this.calls.send(getUsage, scope, {});
  }
}
