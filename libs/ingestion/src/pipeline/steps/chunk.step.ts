import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { Cpu } from '../../cpu/cpu';
import { PipelineSettings } from '../../reading/pipeline-settings';
import { CHUNK } from '../../kernel/stages';
import type { DocumentPatch, WorkingDocument } from '../../document-state/working-document.store';
import { CHUNK_TEXT } from '../text-jobs';
import type { Step, StepContext, StepOutput } from './step';
import { StepResults } from './step-results';

/** Cuts a text into chunks. */
@Injectable()
export class ChunkStep implements Step {
  constructor(
    private readonly cpu: Cpu,
    private readonly objects: ObjectStore,
    private readonly results: StepResults,
    private readonly settings: PipelineSettings,
  ) {}

  /** Vectors belong to the chunks that they were made of, and go with them. */
  async work(scope: TenantScope, document: WorkingDocument, context: StepContext): Promise<StepOutput> {
    const make = async (): Promise<DocumentPatch> => this.chunk(scope, await context.text());
    const done = await this.results.reuse(scope, document, { stage: CHUNK, make });
    const { chunksObject, chunksDigest = null } = done.patch;
    const areOthers = chunksObject !== document.chunksObject;
    return { ...done, patch: { ...done.patch, chunksDigest, ...(areOthers ? { vectorsObject: null } : {}) } };
  }

  private async chunk(scope: TenantScope, text: Uint8Array): Promise<DocumentPatch> {
    const options = this.settings.chunks;
    const { chunks, count, digest } = await this.cpu.run(CHUNK_TEXT, { text, options }, scope.urgent);
    const chunksObject = newObjectKey(scope, 'chunks');
    await this.objects.put(scope, chunksObject, chunks);
    return { chunksObject, chunkCount: count, chunksDigest: digest };
  }
}
