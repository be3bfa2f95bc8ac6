import { EmbedderFailure, type Embedders, EmbedderUnavailable, type EmbeddingModel, vectorBytes } from '@acervo/models';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { newObjectKey, type ObjectStore } from '@acervo/platform-object-store';
import type { Logger } from '@acervo/platform-observability';
import type { HandedVectors } from '../documents/document.facts';
import type { ResultStore, Reusable } from '../pipeline/result.store';
import { type PipelineSettings, stepKeys, vectorsKey } from '../pipeline/settings';
import { EMBED } from '../pipeline/stages';
import type { Done } from '../pipeline/steps';
import { filled, type WorkingDocument } from '../pipeline/work.store';
import type { Cpu } from '../workers/cpu';
import type { VectorBacklog } from './vector-backlog';

export interface VectoriserParts {
  readonly cpu: Cpu;
  readonly objects: ObjectStore;
  readonly results: ResultStore;
  readonly settings: PipelineSettings;
  readonly embedders: Embedders;
  readonly backlog: Pick<VectorBacklog, 'searched'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Passages between two signs of life. */
const SLICE = 8;

/** Makes the vectors of a document's chunks, once for each space and group. */
export class Vectoriser {
  constructor(private readonly parts: VectoriserParts) {}

  /** Vectors in the space that is searched; none, and no failure, while its embedder cannot be asked. */
  async searched(scope: TenantScope, document: WorkingDocument, progress: () => void): Promise<Done> {
    const space = await this.parts.backlog.searched(scope);
    try {
      const { value, objects, keep } = await this.vectors(scope, document, space, progress);
      return { patch: value, objects, keep };
    } catch (error) {
      if (!(error instanceof EmbedderFailure)) throw error;
      this.parts.logger.warn({ error, model: space.model }, 'a document is searchable by its words alone for now');
      return {
        patch: { vectorsObject: null, embedding: space },
        objects: [],
        keep: (_tx: Transaction) => Promise.resolve(),
      };
    }
  }

  /** Vectors in a space: those that were made before, else new ones. @throws EmbedderFailure */
  vectors(
    scope: TenantScope,
    document: WorkingDocument,
    space: EmbeddingModel,
    progress: () => void,
  ): Promise<Reusable<HandedVectors>> {
    const { results, settings, objects } = this.parts;
    const contentHash = filled(document.contentHash);
    const key = vectorsKey(stepKeys(settings, document.name, contentHash), space);
    return results.reuse(scope, { stage: EMBED.name, key, contentHash }, async () => {
      const chunks = await objects.get(scope, filled(document.chunksObject));
      const bytes = await this.embed(chunks, space, progress);
      const vectorsObject = newObjectKey(scope, 'vectors');
      await objects.put(scope, vectorsObject, bytes);
      return { vectorsObject, embedding: space };
    });
  }

  private async embed(chunks: Uint8Array, space: EmbeddingModel, progress: () => void): Promise<Uint8Array> {
    const { cpu, embedders } = this.parts;
    const embedder = embedders.of(space);
    if (embedder === undefined) throw new EmbedderUnavailable(`${space.model} is not configured here`);
    if (!embedder.remote) return cpu.run('embed', { chunks, embedder: space.model });
    const texts = await cpu.run('passages', { chunks });
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += SLICE) {
      vectors.push(...(await embedder.embed(texts.slice(from, from + SLICE), 'passage')));
      progress();
    }
    return vectorBytes(vectors);
  }
}
