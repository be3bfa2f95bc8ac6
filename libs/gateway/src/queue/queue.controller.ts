import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { listQueue, listRuns, Queue, QueueRequest, Runs, RunsRequest } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { followsIngestion, Requires, type Scope } from '@acervo/rbac';

@ApiTags('ingestion')
@ApiBearerAuth('credential')
@Controller('v1')
export class QueueController {
  constructor(private readonly calls: Calls) {}

  @Get('queue')
  @Requires(followsIngestion)
  @Answers(Queue)
  @ApiOperation({ summary: 'List the work on visible documents' })
  listQueue(@Caller() scope: Scope, @Query() request: QueueRequest): Promise<Queue> {
    return this.calls.send(listQueue, scope, request);
  }

  @Get('runs')
  @Requires(followsIngestion)
  @Answers(Runs)
  @ApiOperation({ summary: 'List the latest scans of visible locations and how far their work is' })
  listRuns(@Caller() scope: Scope, @Query() request: RunsRequest): Promise<Runs> {
    return this.calls.send(listRuns, scope, request);
  }
}
