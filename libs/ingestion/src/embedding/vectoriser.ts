import { EmbedderFailure, type Embedders, EmbedderUnavailable, type EmbeddingModel } from '@acervo/models';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { newObjectKey, ObjectMissing, type ObjectStore } from '@acervo/platform-object-store';
import type { Logger } from '@acervo/platform-observability';
import type { Discards } from '../documents/discards';
import type { HandedVectors } from '../documents/document.facts';
import type { ResultStore, Reusable } from '../pipeline/result.store';
import { EMBED_VERSION, type PipelineSettings, stepKeys, vectorsKey } from '../pipeline/settings';
import { EMBED } from '../pipeline/stages';
import type { Done } from '../pipeline/steps';
import { filled, type WorkingDocument } from '../pipeline/work.store';
import type { Cpu } from '../workers/cpu';
import { areOf, type EarlierVectorsStore } from './earlier-vectors.store';
import type { VectorBacklog } from './vector-backlog';
import { type EarlierBytes, filledIn } from './vector-plan';

export interface VectoriserParts {
  readonly cpu: Cpu;
  readonly objects: ObjectStore;
  readonly results: ResultStore;
  readonly settings: PipelineSettings;
  readonly embedders: Embedders;
  readonly backlog: Pick<VectorBacklog, 'searched'>;
  readonly earlier: EarlierVectorsStore;
  readonly discards: Discards;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Vectors that are to be made. */
interface Wanted {
  readonly chunks: Uint8Array;
  readonly earlier: EarlierBytes | null;
  readonly space: EmbeddingModel;
  readonly progress: () => void;
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

  /**
   * Vectors in a space: those that were made before, else new ones of what changed since the document was embedded
   * last. @throws EmbedderFailure
   */
  async vectors(
    scope: TenantScope,
    document: WorkingDocument,
    space: EmbeddingModel,
    progress: () => void,
  ): Promise<Reusable<HandedVectors>> {
    const { results, settings, objects } = this.parts;
    const contentHash = filled(document.contentHash);
    const key = vectorsKey(stepKeys(settings, document.name, contentHash), space);
    const made = await results.reuse(scope, { stage: EMBED.name, key, contentHash }, async () => {
      const chunks = await objects.get(scope, filled(document.chunksObject));
      const bytes = await this.embed({ chunks, earlier: await this.earlier(scope, document, space), space, progress });
      const vectorsObject = newObjectKey(scope, 'vectors');
      await objects.put(scope, vectorsObject, bytes);
      return { vectorsObject, embedding: space, vectorsVersion: EMBED_VERSION };
    });
    const keep = async (tx: Transaction): Promise<void> => {
      await made.keep(tx);
      await this.forgetEarlier(tx, document, space);
    };
    return { ...made, keep };
  }

  /** What the document had in this space before it changed; null where that is of no use any more. */
  private async earlier(
    scope: TenantScope,
    { earlier }: WorkingDocument,
    space: EmbeddingModel,
  ): Promise<EarlierBytes | null> {
    if (earlier === null || !areOf(earlier, space)) return null;
    const { objects } = this.parts;
    try {
      const [chunks, vectors] = await Promise.all([
        objects.get(scope, earlier.chunksObject),
        objects.get(scope, earlier.vectorsObject),
      ]);
      return { chunks, vectors };
    } catch (error) {
      // It changed once more, or was deleted; what is made here will not count.
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  private async forgetEarlier(tx: Transaction, document: WorkingDocument, space: EmbeddingModel): Promise<void> {
    if (document.earlier === null) return;
    const { earlier, discards } = this.parts;
    await discards.replaceAll(tx, await earlier.forget(tx, [document.documentId], space));
  }

  private async embed({ chunks, earlier, space, progress }: Wanted): Promise<Uint8Array> {
    const { cpu, embedders } = this.parts;
    const embedder = embedders.of(space);
    if (embedder === undefined) throw new EmbedderUnavailable(`${space.model} is not configured here`);
    if (!embedder.remote) return cpu.run('embed', { chunks, earlier, embedder: space.model });
    const plan = await cpu.run('plan', { chunks, earlier, dimension: space.dimension });
    const vectors: Float32Array[] = [];
    for (let from = 0; from < plan.texts.length; from += SLICE) {
      vectors.push(...(await embedder.embed(plan.texts.slice(from, from + SLICE), 'passage')));
      progress();
    }
    return filledIn(plan, vectors);
  }
}
