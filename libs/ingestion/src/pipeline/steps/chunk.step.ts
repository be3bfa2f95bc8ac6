import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { Cpu } from '../../workers/cpu';
import { PipelineSettings } from '../settings';
import { CHUNK, HAND_OVER } from '../stages';
import { type DocumentPatch, filled, type WorkingDocument } from '../working-document.store';
import type { Done, Step } from './step';
import { StepResults } from './step-results';

/** Cuts a text into chunks. */
@Injectable()
export class ChunkStep implements Step {
  readonly stage = CHUNK;
  readonly from = 'RESUMIDO';
  readonly to = 'FRAGMENTADO';
  readonly next = HAND_OVER;
  readonly atOnce = 1;

  constructor(
    private readonly cpu: Cpu,
    private readonly objects: ObjectStore,
    private readonly results: StepResults,
    private readonly settings: PipelineSettings,
  ) {}

  /** Vectors belong to the chunks that they were made of, and go with them. */
  async work(scope: TenantScope, document: WorkingDocument): Promise<Done> {
    const make = (): Promise<DocumentPatch> => this.chunk(scope, document);
    const done = await this.results.reuse(scope, document, { stage: CHUNK, key: 'chunk', make });
    const { chunksObject, chunksDigest = null } = done.patch;
    const areOthers = chunksObject !== document.chunksObject;
    return { ...done, patch: { ...done.patch, chunksDigest, ...(areOthers ? { vectorsObject: null } : {}) } };
  }

  private async chunk(scope: TenantScope, { textObject }: WorkingDocument): Promise<DocumentPatch> {
    const text = await this.objects.get(scope, filled(textObject));
    const options = this.settings.chunks;
    const { chunks, count, digest } = await this.cpu.run('chunk', { text, options }, scope.urgent);
    const chunksObject = newObjectKey(scope, 'chunks');
    await this.objects.put(scope, chunksObject, chunks);
    return { chunksObject, chunkCount: count, chunksDigest: digest };
  }
}
