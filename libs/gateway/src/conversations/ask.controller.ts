import { Body, Controller, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Answer, ask, DoneBefore, Question, repeatAnswer } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { Requires, type Scope, searches } from '@acervo/rbac';
import { ApiIdempotencyKey, IdempotencyKey, type Keyed } from '../idempotency-key';
import * as descriptions from './conversations.descriptions';

@ApiTags('conversations')
@ApiBearerAuth('credential')
@Controller('v1/ask')
export class AskController {
  constructor(private readonly calls: Calls) {}

  @Post()
  @Requires(searches)
  @Answers(Answer)
  @ApiIdempotencyKey('Requests with the same key are answered once; those after the first get the stored answer')
  @Describes(descriptions.asks)
  async ask(@Caller() scope: Scope, @Body() question: Question, @IdempotencyKey() key: Keyed): Promise<Answer> {
    try {
      return await this.calls.send(ask, scope, question, key);
    } catch (error) {
      const { idempotencyKey } = key;
      if (!(error instanceof DoneBefore) || idempotencyKey === undefined) throw error;
      return this.calls.send(repeatAnswer, scope, { ...question, idempotencyKey });
    }
  }
}
