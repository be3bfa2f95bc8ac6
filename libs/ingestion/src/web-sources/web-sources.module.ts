import { Module } from '@nestjs/common';
import { ChatModelModule } from '@acervo/models/chat/nest';
import { EmbeddersModule } from '@acervo/models/nest';
import { CursorsModule } from '@acervo/platform-service';
import { AcquisitionPromptsModule } from '../acquisition/acquisition-prompts.module';
import { CpuModule } from '../cpu/cpu.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { LocationsModule } from '../locations/locations.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { ScansModule } from '../scans/scans.module';
import { SkillsModule } from '../skills/skills.module';
import { EgressModule } from './egress.module';
import { PageFetcher } from './page-fetcher';
import { PageJudge } from './page-judge';
import { ResearchJournalStore } from './research-journal';
import { SiteAccess } from './site-access';
import { WebPageStore } from './web-page.store';
import { WebRefresh } from './web-refresh';
import { WebResearch } from './web-research';
import { WebSourceStore } from './web-source.store';
import { WebSourcesHandlers } from './web-sources.handlers';
import { WebStage } from './web.stage';

/** Web locations: researched, reviewed, and fetched into documents. */
@Module({
  imports: [
    AcquisitionPromptsModule,
    ChatModelModule,
    CpuModule,
    CursorsModule,
    DocumentStateModule,
    EgressModule,
    EmbeddersModule,
    LocationsModule,
    PipelineSettingsModule,
    ScansModule,
    SkillsModule,
  ],
  providers: [
    PageFetcher,
    PageJudge,
    ResearchJournalStore,
    SiteAccess,
    WebPageStore,
    WebRefresh,
    WebResearch,
    WebSourceStore,
    WebSourcesHandlers,
    WebStage,
  ],
  exports: [EgressModule, WebPageStore, WebSourceStore],
})
export class WebSourcesModule {}
