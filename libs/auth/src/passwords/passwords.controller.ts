import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Confirmation,
  type PasswordSet,
  seedRegistration,
  SetPassword,
  setPasswordByToken,
  type ClientInfo,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersPage, Page } from '@acervo/platform-http';
import { anonymous, requirements, Requires } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { SecurityLog } from '../attempts/security-log';
import { Client } from '../kernel/client-info';

@ApiTags('auth')
@Controller('auth/establecer-clave')
export class PasswordsController {
  constructor(
    private readonly calls: Calls,
    private readonly page: Page,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly log: SecurityLog,
  ) {}

  @Get()
  @Requires(requirements.nobody)
  @AnswersPage()
  form(): Page {
    return this.page;
  }

  @Post()
  @Requires(requirements.nobody)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Set a password with the token of a mail, which works once' })
  async set(@Body() input: SetPassword, @Client() { address }: ClientInfo): Promise<Confirmation> {
    const attempt = async (): Promise<PasswordSet> => {
      await this.attemptLimiter.visit(address);
      return this.calls.send(setPasswordByToken, anonymous, input);
    };
    const event = { security: 'password', step: 'set_by_link', address } as const;
    const set = await this.log.watch(event, attempt, ({ account }) => account);
    if (set.registration !== null) await this.calls.send(seedRegistration, anonymous, { email: set.registration });
    return set;
  }
}
