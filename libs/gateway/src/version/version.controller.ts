import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RunningVersion } from '@acervo/contracts';
import { Answers } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';
import { Build } from './build';

@ApiTags('version')
@Controller('version')
export class VersionController {
  constructor(private readonly build: Build) {}

  @Get()
  @Requires(requirements.nobody)
  @Answers(RunningVersion)
  @ApiOperation({ summary: 'Show the version that runs' })
  getVersion(): RunningVersion {
    return this.build.running;
  }
}
