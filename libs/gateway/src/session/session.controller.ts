import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SessionContext } from '@acervo/contracts';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

@ApiTags('session')
@ApiBearerAuth('credential')
@Controller('v1/session')
export class SessionController {
  @Get()
  @Requires(requirements.credential)
  @Answers(SessionContext)
  @ApiOperation({ summary: 'Tell who the caller is and where its focus lies' })
  getSession(@Caller() scope: Scope): SessionContext {
    return { ...scope, userAlias: scope.userName };
  }
}
