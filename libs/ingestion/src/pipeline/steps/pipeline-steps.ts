import { Injectable } from '@nestjs/common';
import type { Stage } from '@acervo/platform-queue';
import { AcquireStep } from './acquire.step';
import { ChunkStep } from './chunk.step';
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
    readonly summarise: SummariseStep,
    readonly chunk: ChunkStep,
    readonly embed: EmbedStep,
  ) {}

  /** The step of a stage; undefined for a stage of another kind. */
  of({ name }: Stage): Step | undefined {
    const { acquire, extract, summarise, chunk, embed } = this;
    return [acquire, extract, summarise, chunk, embed].find(({ stage }) => stage.name === name);
  }
}
