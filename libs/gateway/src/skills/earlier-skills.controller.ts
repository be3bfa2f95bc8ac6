import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  EarlierSkill,
  EarlierSkillReference,
  EarlierSkillRun,
  EarlierSkillRunTarget,
  EarlierSkills,
  getSkill,
  listSkills,
  runSkill,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, runsSkills, type Scope } from '@acervo/rbac';
import { IdempotencyKey, type Keyed } from '../idempotency-key';

/** The skills of the web application, outside of the public contract. */
@ApiExcludeController()
@Controller('habilidades')
export class EarlierSkillsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(EarlierSkills)
  list(@Caller() scope: Scope): Promise<EarlierSkills> {
    return this.calls.send(listSkills, scope, {});
  }

  @Get(':codigo')
  @Requires(requirements.credential)
  @Answers(EarlierSkill)
  get(@Caller() scope: Scope, @Param() reference: EarlierSkillReference): Promise<EarlierSkill> {
    return this.calls.send(getSkill, scope, reference);
  }

  @Post(':codigo/ejecutar')
  @Requires(runsSkills)
  @Answers(EarlierSkillRun)
  run(
    @Caller() scope: Scope,
    @Param() reference: EarlierSkillReference,
    @Body() target: EarlierSkillRunTarget,
    @IdempotencyKey() key: Keyed,
  ): Promise<EarlierSkillRun> {
    return this.calls.send(runSkill, scope, { ...reference, ...target }, key);
  }
}
