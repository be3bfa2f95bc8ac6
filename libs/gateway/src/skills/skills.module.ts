import { Module } from '@nestjs/common';
import { EarlierSkillsController } from './earlier-skills.controller';
import { SkillsController } from './skills.controller';

/** What the product finds in documents on request. */
@Module({ controllers: [SkillsController, EarlierSkillsController] })
export class SkillRoutesModule {}
