import { Module } from '@nestjs/common';
import { CpuModule } from '../cpu/cpu.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { DocumentSkillStore } from './document-skill.store';
import { SkillStage } from './skill.stage';
import { DeletedSpacesConsumer } from './spaces/deleted-spaces.consumer';
import { ReduceSkillStage } from './spaces/reduce-skill.stage';
import { SpaceSkillStore } from './spaces/space-skill.store';
import { SkillsHandlers } from './skills.handlers';

/** What the product finds in documents on request, with citations. */
@Module({
  imports: [CpuModule, PipelineSettingsModule],
  providers: [DocumentSkillStore, SkillStage, SkillsHandlers, SpaceSkillStore, ReduceSkillStage, DeletedSpacesConsumer],
  exports: [DocumentSkillStore, SpaceSkillStore],
})
export class SkillsModule {}
