import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Said, seedRegistration, SetPassword, setPasswordByToken, type Visitor } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersPage, Page } from '@acervo/platform-http';
import { anonymous, requirements, Requires } from '@acervo/rbac';
import { Guesses } from '../guesses/guesses';
import { From } from '../sessions/visitor';

@ApiTags('auth')
@Controller('auth/establecer-clave')
export class PasswordsController {
  constructor(
    @Inject(Calls) private readonly calls: Calls,
    @Inject(Page) private readonly page: Page,
    @Inject(Guesses) private readonly guesses: Guesses,
  ) {}

  @Get()
  @Requires(requirements.nobody)
  @AnswersPage()
  form(): Page {
    return this.page;
  }

  @Post()
  @Requires(requirements.nobody)
  @Answers(Said)
  @ApiOperation({ summary: 'Set a password with the token of a letter, which works once' })
  async set(@Body() input: SetPassword, @From() { address }: Visitor): Promise<Said> {
    await this.guesses.visit(address);
    const set = await this.calls.send(setPasswordByToken, anonymous, input);
    if (set.registration !== null) await this.calls.send(seedRegistration, anonymous, { email: set.registration });
    return set;
  }
}
