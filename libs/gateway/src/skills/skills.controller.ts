import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  getSkill,
  listSkills,
  runSkill,
  Skill,
  SkillList,
  SkillReference,
  SkillRun,
  SkillRunTarget,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, runsSkills, type Scope } from '@acervo/rbac';
import { ApiIdempotencyKey, IdempotencyKey, type Keyed } from '../idempotency-key';
import * as descriptions from './skills.descriptions';

@ApiTags('skills')
@ApiBearerAuth('credential')
@Controller('v1/skills')
export class SkillsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(SkillList)
  @Describes(descriptions.listsSkills)
  listSkills(@Caller() scope: Scope): Promise<SkillList> {
    return this.calls.send(listSkills, scope, {});
  }

  @Get(':skill_code')
  @Requires(requirements.credential)
  @Answers(Skill)
  @Describes(descriptions.showsSkill)
  getSkill(@Caller() scope: Scope, @Param() reference: SkillReference): Promise<Skill> {
    return this.calls.send(getSkill, scope, reference);
  }

  @Post(':skill_code/run')
  @Requires(runsSkills)
  @Answers(SkillRun)
  @ApiIdempotencyKey('Requests with the same key have one effect; those after the first are 409 with done: true')
  @Describes(descriptions.runsSkill)
  runSkill(
    @Caller() scope: Scope,
    @Param() reference: SkillReference,
    @Body() target: SkillRunTarget,
    @IdempotencyKey() key: Keyed,
  ): Promise<SkillRun> {
    return this.calls.send(runSkill, scope, { ...reference, ...target }, key);
  }
}
