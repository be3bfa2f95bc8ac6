import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RunningVersion } from '@acervo/contracts';
import { Answers, Describes } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';
import { Build } from './build';
import * as descriptions from './version.descriptions';

@ApiTags('version')
@Controller('version')
export class VersionController {
  constructor(private readonly build: Build) {}

  @Get()
  @Requires(requirements.nobody)
  @Answers(RunningVersion)
  @Describes(descriptions.showsVersion)
  getVersion(): RunningVersion {
    return this.build.running;
  }
}
