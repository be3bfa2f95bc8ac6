import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { Cpu } from '../../cpu/cpu';
import { PipelineSettings } from '../../reading/pipeline-settings';
import { SUMMARISE } from '../../kernel/stages';
import type { DocumentPatch, WorkingDocument } from '../../document-state/working-document.store';
import { SUMMARISE_TEXT } from '../text-jobs';
import type { Step, StepContext, StepOutput } from './step';
import { StepResults } from './step-results';

/** Summarises a document in its best sentences. */
@Injectable()
export class SummariseStep implements Step {
  constructor(
    private readonly cpu: Cpu,
    private readonly results: StepResults,
    private readonly settings: PipelineSettings,
  ) {}

  work(scope: TenantScope, document: WorkingDocument, context: StepContext): Promise<StepOutput> {
    const make = async (): Promise<DocumentPatch> => this.summarise(scope, await context.text());
    return this.results.reuse(scope, document, { stage: SUMMARISE, make });
  }

  private async summarise(scope: TenantScope, text: Uint8Array): Promise<DocumentPatch> {
    const { languages } = this.settings.chunks;
    return { summary: await this.cpu.run(SUMMARISE_TEXT, { text, languages }, scope.urgent) };
  }
}
