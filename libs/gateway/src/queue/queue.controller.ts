import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { listQueue, listRuns, Queue, QueueRequest, Runs, RunsRequest } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { followsIngestion, readsQueue, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './queue.descriptions';

@ApiTags('ingestion')
@ApiBearerAuth('credential')
@Controller('v1')
export class QueueController {
  constructor(private readonly calls: Calls) {}

  @Get('queue')
  @Requires(readsQueue)
  @Answers(Queue)
  @Describes(descriptions.listsQueue)
  listQueue(@Caller() scope: Scope, @Query() request: QueueRequest): Promise<Queue> {
    return this.calls.send(listQueue, scope, request);
  }

  @Get('runs')
  @Requires(followsIngestion)
  @Answers(Runs)
  @Describes(descriptions.listsRuns)
  listRuns(@Caller() scope: Scope, @Query() request: RunsRequest): Promise<Runs> {
    return this.calls.send(listRuns, scope, request);
  }
}
