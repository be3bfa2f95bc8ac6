import { Injectable } from '@nestjs/common';
import type { Stage } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import { AcquireStep } from './acquire.step';
import { ChunkStep } from './chunk.step';
import { ClassifyStep } from './classify.step';
import { EmbedStep } from './embed.step';
import { ExtractStep } from './extract.step';
import type { Step } from './step';
import { SummariseStep } from './summarise.step';

/** The steps before the hand-over, in order. */
@Injectable()
export class PipelineSteps {
  constructor(
    readonly acquire: AcquireStep,
    readonly extract: ExtractStep,
    readonly classify: ClassifyStep,
    readonly summarise: SummariseStep,
    readonly chunk: ChunkStep,
    readonly embed: EmbedStep,
  ) {}

  /** The step of a stage; undefined for a stage of another kind. */
  of({ name }: Stage): Step | undefined {
    const { acquire, extract, classify, summarise, chunk, embed } = this;
    return [acquire, extract, classify, summarise, chunk, embed].find(({ stage }) => stage.name === name);
  }

  /**
   * The step that a task begins with; undefined where the document is past it. A program of an earlier release leaves
   * documents to summarise that nothing classified.
   */
  beginning(step: Step, status: DocumentStatus): Step | undefined {
    const { classify, summarise } = this;
    return (step === summarise ? [classify, summarise] : [step]).find(({ from }) => from === status);
  }
}
