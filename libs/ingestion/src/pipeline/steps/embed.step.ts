import { Injectable } from '@nestjs/common';
import { EmbedderFailure } from '@acervo/models';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { VectorBacklog } from '../../embedding/vector-backlog';
import { Vectoriser } from '../../embedding/vectoriser';
import { EMBED, HAND_OVER } from '../stages';
import type { WorkingDocument } from '../working-document.store';
import type { Done, Step } from './step';

/** Vectors for the embedding index that searches use now. Without them, a document is found by its words meanwhile. */
@Injectable()
export class EmbedStep implements Step {
  readonly stage = EMBED;
  readonly from = 'FRAGMENTADO';
  readonly to = 'FRAGMENTADO';
  readonly next = HAND_OVER;
  readonly atOnce = 3;

  constructor(
    private readonly vectoriser: Vectoriser,
    private readonly backlog: VectorBacklog,
    private readonly logger: Logger,
  ) {}

  /** No vectors, and no failure, while the embedder of the embedding index is away. */
  async work(scope: TenantScope, document: WorkingDocument, progress: () => void): Promise<Done> {
    const space = await this.backlog.searched(scope);
    try {
      const { value, objects, keep } = await this.vectoriser.vectors(scope, document, space, progress);
      return { patch: value, objects, keep };
    } catch (error) {
      if (!(error instanceof EmbedderFailure)) throw error;
      this.logger.warn({ error, model: space.model }, 'a document is searchable by its words alone for now');
      return {
        patch: { vectorsObject: null, embedding: space },
        objects: [],
        keep: (_tx: Transaction) => Promise.resolve(),
      };
    }
  }
}
