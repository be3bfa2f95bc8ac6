import { Module } from '@nestjs/common';
import { CpuModule } from '../cpu/cpu.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { DocumentSkillStore } from './document-skill.store';
import { SkillStage } from './skill.stage';
import { SkillsHandlers } from './skills.handlers';

/** What the product finds in documents on request, with citations. */
@Module({
  imports: [CpuModule, PipelineSettingsModule],
  providers: [DocumentSkillStore, SkillStage, SkillsHandlers],
  exports: [DocumentSkillStore],
})
export class SkillsModule {}
