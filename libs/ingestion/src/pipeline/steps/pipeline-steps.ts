import { Injectable } from '@nestjs/common';
import { AcquireStep } from './acquire.step';
import { ChunkStep } from './chunk.step';
import { EmbedStep } from './embed.step';
import { ExtractStep } from './extract.step';
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
}
