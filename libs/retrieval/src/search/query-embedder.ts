import { Injectable } from '@nestjs/common';
import { Overloaded } from '@acervo/contracts';
import { Embedders, EmbedderUnavailable, measureMeaning } from '@acervo/models';
import { FairSemaphore, RecentAnswers } from '@acervo/platform-resilience';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { SearchConfig } from './search-config';

/** Queries that are embedded at a time; while queries of several groups wait, one group gets at most half of these. */
const AT_ONCE = 4;

/** The vectors of a revision of a model stay the same, so what they hold is measured once in a process. */
const MEASURED_FOR_MS = Infinity;
const MOST_MEASURED = 100;

/** Turns queries into vectors for the live embedding index. */
@Injectable()
export class QueryEmbedder {
  private readonly semaphore: FairSemaphore;
  private readonly meanings = new RecentAnswers<number>(MEASURED_FOR_MS, MOST_MEASURED);

  constructor(
    private readonly embedders: Embedders,
    { queriesWaiting: mostWaiting }: SearchConfig,
  ) {
    this.semaphore = new FairSemaphore({
      ...{ permits: AT_ONCE, mostWaiting },
      refusal: () => new Overloaded('the embedder'),
    });
  }

  /**
   * @throws EmbedderUnavailable when no embedder of this process makes such vectors, or it does not answer; Overloaded
   * when too many queries wait
   */
  async embed(
    { groupId }: { readonly groupId: string },
    embeddingIndex: LiveEmbeddingIndex,
    query: string,
  ): Promise<Float32Array> {
    const embedder = this.embedders.of(embeddingIndex);
    if (embedder === undefined) throw new EmbedderUnavailable(`${embeddingIndex.model} is not configured here`);
    const [embedded] = await this.semaphore.run(groupId, () => embedder.embed([query], 'query'));
    if (embedded === undefined) throw new EmbedderUnavailable('it gave no vector');
    return embedded;
  }

  /** How far the vectors of an embedding index hold meaning, from 0 to 1. @throws as `embed` */
  meaning(embeddingIndex: LiveEmbeddingIndex): Promise<number> {
    const embedder = this.embedders.of(embeddingIndex);
    if (embedder === undefined)
      return Promise.reject(new EmbedderUnavailable(`${embeddingIndex.model} is not configured here`));
    if (embedder.meaning !== undefined) return Promise.resolve(embedder.meaning);
    const { model, revision, dimension } = embeddingIndex;
    return this.meanings.get(JSON.stringify([model, revision, dimension]), () => measureMeaning(embedder));
  }
}
