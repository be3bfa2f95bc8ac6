import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ClassificationModule } from '../classification/classification.module';
import { CorpusModule } from '../corpus/corpus.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { FileAccessModule } from '../file-access/file-access.module';
import { EmbeddingModule } from '../embedding/embedding.module';
import { ReadingModule } from '../reading/reading.module';
import { CpuModule } from '../cpu/cpu.module';
import { DocumentReader } from './document-reader';
import { FusedSteps, FusionLimit } from './fused-steps';
import { Handover } from './handover';
import { SkillsModule } from '../skills/skills.module';
import { Pipeline } from './pipeline';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { PipelineOrder } from './pipeline-order';
import { PIPELINE, pipelineOrder } from './pipeline-table';
import { PipelineStages } from './pipeline.stages';
import { Refusals } from './refusals';
import { StepOutcomes } from './step-outcomes';
import { PipelineSteps } from './steps/pipeline-steps';
import type { Step } from './steps/step';
import { StepResults } from './steps/step-results';

/** The classes that work the stages. */
const STEPS = PIPELINE.flatMap(({ step }) => step ?? []);

/** Takes documents to the indexes, step by step. */
@Module({
  imports: [
    CpuModule,
    ReadingModule,
    PipelineSettingsModule,
    FileAccessModule,
    DocumentStateModule,
    AttachmentsModule,
    EmbeddingModule,
    ClassificationModule,
    CorpusModule,
    SkillsModule,
  ],
  providers: [
    ...STEPS,
    { provide: PipelineOrder, useValue: pipelineOrder },
    {
      provide: PipelineSteps,
      inject: [PipelineOrder, ...STEPS],
      useFactory: (order: PipelineOrder, ...steps: readonly Step[]) =>
        new PipelineSteps(order, new Map(steps.map((step) => [step.constructor, step]))),
    },
    DocumentReader,
    StepResults,
    StepOutcomes,
    Refusals,
    FusedSteps,
    Handover,
    Pipeline,
    PipelineStages,
    { provide: FusionLimit, useValue: new FusionLimit() },
  ],
})
export class PipelineModule {}
