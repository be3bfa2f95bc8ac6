import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { Cpu } from '../../workers/cpu';
import { PipelineSettings } from '../settings';
import { CHUNK, SUMMARISE } from '../stages';
import { type DocumentPatch, filled, type WorkingDocument } from '../working-document.store';
import type { Done, Step } from './step';
import { StepResults } from './step-results';

/** Summarises a document in its best sentences. */
@Injectable()
export class SummariseStep implements Step {
  readonly stage = SUMMARISE;
  readonly from = 'CLASIFICADO';
  readonly to = 'RESUMIDO';
  readonly next = CHUNK;
  readonly atOnce = 1;

  constructor(
    private readonly cpu: Cpu,
    private readonly objects: ObjectStore,
    private readonly results: StepResults,
    private readonly settings: PipelineSettings,
  ) {}

  isCheap(): boolean {
    return true;
  }

  work(scope: TenantScope, document: WorkingDocument): Promise<Done> {
    const make = (): Promise<DocumentPatch> => this.summarise(scope, document);
    return this.results.reuse(scope, document, { stage: SUMMARISE, key: 'summarise', make });
  }

  private async summarise(scope: TenantScope, { textObject }: WorkingDocument): Promise<DocumentPatch> {
    const text = await this.objects.get(scope, filled(textObject));
    const { languages } = this.settings.chunks;
    return { summary: await this.cpu.run('summarise', { text, languages }, scope.urgent) };
  }
}
