import { Module } from '@nestjs/common';
import { ChatModelModule } from '@acervo/models/chat/nest';
import { CpuModule } from '../cpu/cpu.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { BackgroundRunsModule } from '../background-runs/background-runs.module';
import { DeletedUsersConsumer } from './deleted-users.consumer';
import { DocumentSkillStore } from './document-skill.store';
import { ModelReading } from './model/model-reading';
import { ModelRuns } from './model/model-run';
import { RunProgress } from './model/run-progress';
import { SkillModels } from './model/skill-models';
import { PipelineRuns } from './pipeline-runs';
import { SkillStage } from './skill.stage';
import { DeletedSpacesConsumer } from './spaces/deleted-spaces.consumer';
import { ReduceSkillStage } from './spaces/reduce-skill.stage';
import { SpaceDigests } from './spaces/space-digests';
import { SpaceSkillStore } from './spaces/space-skill.store';
import { DocumentSummaryStore } from './summaries/document-summary.store';
import { SummaryBacklog } from './summaries/summary-backlog';
import { SkillsHandlers } from './skills.handlers';

/** What the product finds in documents on request, with citations. */
@Module({
  imports: [BackgroundRunsModule, ChatModelModule, CpuModule, DocumentStateModule, PipelineSettingsModule],
  providers: [
    DocumentSkillStore,
    DocumentSummaryStore,
    SummaryBacklog,
    ModelReading,
    ModelRuns,
    RunProgress,
    PipelineRuns,
    SkillModels,
    SkillStage,
    SkillsHandlers,
    SpaceSkillStore,
    ReduceSkillStage,
    SpaceDigests,
    DeletedSpacesConsumer,
    DeletedUsersConsumer,
  ],
  exports: [DocumentSkillStore, SpaceSkillStore, SummaryBacklog, ModelRuns, PipelineRuns, SkillModels],
})
export class SkillsModule {}
