import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ClassificationStateModule } from '../classification/classification-state.module';
import { DocumentStateModule } from '../documents/document-state.module';
import { FileAccessModule } from '../file-access/file-access.module';
import { EmbeddingModule } from '../embedding/embedding.module';
import { ReadingModule } from '../reading/reading.module';
import { WorkersModule } from '../workers/workers.module';
import { DocumentReader } from './document-reader';
import { FusedSteps, FusionLimit } from './fused-steps';
import { Handover } from './handover';
import { Pipeline } from './pipeline';
import { PipelineSettingsModule } from './pipeline-settings.module';
import { PipelineStages } from './pipeline.stages';
import { Refusals } from './refusals';
import { StepOutcomes } from './step-outcomes';
import { AcquireStep } from './steps/acquire.step';
import { ChunkStep } from './steps/chunk.step';
import { ClassifyStep } from './steps/classify.step';
import { EmbedStep } from './steps/embed.step';
import { ExtractStep } from './steps/extract.step';
import { PipelineSteps } from './steps/pipeline-steps';
import { StepResults } from './steps/step-results';
import { SummariseStep } from './steps/summarise.step';

/** Takes documents to the indexes, step by step. */
@Module({
  imports: [
    ...[WorkersModule, ReadingModule, PipelineSettingsModule, FileAccessModule],
    ...[DocumentStateModule, AttachmentsModule, EmbeddingModule, ClassificationStateModule],
  ],
  providers: [
    ...[AcquireStep, ExtractStep, ClassifyStep, SummariseStep, ChunkStep, EmbedStep, PipelineSteps],
    ...[DocumentReader, StepResults, StepOutcomes, Refusals, FusedSteps, Handover, Pipeline, PipelineStages],
    { provide: FusionLimit, useValue: new FusionLimit() },
  ],
})
export class PipelineModule {}
