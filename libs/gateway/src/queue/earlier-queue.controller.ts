import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { EarlierQueue, EarlierQueueRequest, listQueue } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { followsIngestion, Requires, type Scope } from '@acervo/rbac';

/** The queue of the web application, outside of the public contract. */
@ApiExcludeController()
@Controller('cola-estados-docs')
@Requires(followsIngestion)
export class EarlierQueueController {
  constructor(private readonly calls: Calls) {}

  @Get('paginado')
  @Answers(EarlierQueue)
  async page(@Caller() scope: Scope, @Query() request: EarlierQueueRequest): Promise<EarlierQueue> {
    const { items, total } = await this.calls.send(listQueue, scope, request);
    return { items, total, limit: request.limit };
  }
}
