import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  getProcess,
  listProcesses,
  Process,
  ProcessChange,
  ProcessList,
  ProcessListRequest,
  ProcessReference,
  updateProcess,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirementOfOperation, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './processes.descriptions';

@ApiTags('processes')
@ApiBearerAuth('credential')
@Controller('v1/processes')
export class ProcessesController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirementOfOperation(listProcesses))
  @Answers(ProcessList)
  @Describes(descriptions.listsProcesses)
  listProcesses(@Caller() scope: Scope, @Query() request: ProcessListRequest): Promise<ProcessList> {
    return this.calls.send(listProcesses, scope, request);
  }

  @Get(':process_code')
  @Requires(requirementOfOperation(getProcess))
  @Answers(Process)
  @Describes(descriptions.showsProcess)
  getProcess(@Caller() scope: Scope, @Param() reference: ProcessReference): Promise<Process> {
    return this.calls.send(getProcess, scope, reference);
  }

  @Patch(':process_code')
  @Requires(requirementOfOperation(updateProcess))
  @Answers(Process)
  @Describes(descriptions.changesProcess)
  updateProcess(
    @Caller() scope: Scope,
    @Param() reference: ProcessReference,
    @Body() change: ProcessChange,
  ): Promise<Process> {
    return this.calls.send(updateProcess, scope, { ...reference, ...change });
  }
}
