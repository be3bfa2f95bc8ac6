import { Injectable } from '@nestjs/common';
import type { EmbeddingModel } from '@acervo/models';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { newObjectKey, ObjectMissing, ObjectStore } from '@acervo/platform-object-store';
import type { HandedVectors } from '../document-state/document-events';
import { type ResultId, ResultStore, type Reusable } from '../document-state/result.store';
import { EMBED_VERSION, PipelineSettings, stepKeys, vectorsKey } from '../reading/pipeline-settings';
import { EMBED } from '../kernel/stages';
import { filled, type WorkingDocument } from '../document-state/working-document.store';
import { areOf, EarlierVectorsStore } from '../document-state/earlier-vectors.store';
import { PassageEmbedder } from './passage-embedder';
import type { EarlierBytes } from './vector-plan';

/** The vectors of a document in one embedding index. */
export interface DocumentVectors extends Reusable<HandedVectors> {
  readonly document: WorkingDocument;
}

/** Makes the vectors of a document's chunks, once for each embedding index and group. */
@Injectable()
export class Vectoriser {
  constructor(
    private readonly objects: ObjectStore,
    private readonly results: ResultStore,
    private readonly settings: PipelineSettings,
    private readonly embedder: PassageEmbedder,
    private readonly earlierVectors: EarlierVectorsStore,
  ) {}

  /** Looks the vectors of documents up in one query, for the calls of `vectors` that follow. */
  expect(scope: TenantScope, documents: readonly WorkingDocument[], embeddingModel: EmbeddingModel): void {
    this.results.expect(
      scope,
      documents.map((document) => this.resultOf(document, embeddingModel)),
    );
  }

  /**
   * Vectors in an embedding index: remembered ones, otherwise new ones of the passages that changed since the last
   * embedding.
   * @throws EmbedderFailure
   */
  async vectors(
    scope: TenantScope,
    document: WorkingDocument,
    embeddingModel: EmbeddingModel,
    progress: () => void,
  ): Promise<DocumentVectors> {
    const { results, objects, embedder } = this;
    const made = await results.reuse(scope, this.resultOf(document, embeddingModel), async () => {
      const chunks = await objects.get(scope, filled(document.chunksObject));
      const earlier = await this.earlier(scope, document, embeddingModel);
      const bytes = await embedder.embed({ chunks, earlier, embeddingModel, progress });
      const vectorsObject = newObjectKey(scope, 'vectors');
      await objects.put(scope, vectorsObject, bytes);
      return { vectorsObject, embedding: embeddingModel, vectorsVersion: EMBED_VERSION };
    });
    return { ...made, document };
  }

  /** Remembers vectors in the transaction that uses them; earlier ones of their embedding index are of no use now. */
  async keep(tx: Transaction, all: readonly DocumentVectors[]): Promise<void> {
    await this.results.keep(
      tx,
      all.map(({ used }) => used),
    );
    for (const { document, value } of all)
      if (document.earlier !== null) await this.earlierVectors.forget(tx, [document.documentId], value.embedding);
  }

  private resultOf({ contentHash: hash, name }: WorkingDocument, embeddingModel: EmbeddingModel): ResultId {
    const contentHash = filled(hash);
    const key = vectorsKey(stepKeys(this.settings, name, contentHash), embeddingModel);
    return { stage: EMBED.name, key, contentHash };
  }

  /** The vectors of the document in this embedding index before its change; null where they are of no use. */
  private async earlier(
    scope: TenantScope,
    { earlier }: WorkingDocument,
    embeddingModel: EmbeddingModel,
  ): Promise<EarlierBytes | null> {
    if (earlier === null || !areOf(earlier, embeddingModel)) return null;
    const { objects } = this;
    try {
      const [chunks, vectors] = await Promise.all([
        objects.get(scope, earlier.chunksObject),
        objects.get(scope, earlier.vectorsObject),
      ]);
      return { chunks, vectors };
    } catch (error) {
      // The document changed again, or was deleted; this result will not be committed.
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }
}
