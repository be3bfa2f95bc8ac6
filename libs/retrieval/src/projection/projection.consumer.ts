import {
  documentDescribed,
  DocumentDescribed,
  documentPrepared,
  DocumentPrepared,
  documentWithdrawn,
  DocumentWithdrawn,
  encode,
} from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { sameSpace } from '@acervo/models';
import { BUILD_STAGE, COPY_STAGE, FLIP_STAGE, INDEX_STAGE, PURGE_STAGE } from '../handover/stages';
import type { SpaceStore } from '../spaces/space.store';
import type { ChunkCopies } from '../copies/chunk-copies';
import type { ProjectionStore } from './projection.store';

/** Takes note of what ingestion says about documents: a row of the projection, a row of work, nothing else. */
export class ProjectionConsumer {
  constructor(
    private readonly projection: ProjectionStore,
    private readonly tasks: Tasks,
    private readonly spaces: SpaceStore,
    private readonly copies: Pick<ChunkCopies, 'kept'>,
  ) {}

  @On(documentDescribed)
  async describe(_scope: WorkScope, tx: Transaction, fact: DocumentDescribed): Promise<void> {
    await this.take(tx, fact);
  }

  @On(documentPrepared)
  async plan(_scope: WorkScope, tx: Transaction, fact: DocumentPrepared): Promise<void> {
    await this.take(tx, fact);
    const stage = (await this.isSearched(tx, fact)) ? INDEX_STAGE : BUILD_STAGE;
    // Of the vectors for another space only the latest count: the embedder may have changed again.
    if (stage === BUILD_STAGE) await this.tasks.withdraw(tx, fact.documentId, BUILD_STAGE.name);
    await this.tasks.enqueue(tx, {
      subjectId: fact.documentId,
      stage: stage.name,
      generation: fact.generation,
      payload: encode(DocumentPrepared, fact),
    });
  }

  @On(documentWithdrawn)
  async withdraw(_scope: WorkScope, tx: Transaction, { documentId, revision }: DocumentWithdrawn): Promise<void> {
    if (!(await this.projection.withdraw(tx, documentId, revision))) return;
    await this.tasks.withdraw(tx, documentId);
    await this.tasks.enqueue(tx, { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0 });
    // It may have been the last one that a new space was waiting for.
    for (const { spaceId } of await this.spaces.building(tx))
      await this.tasks.enqueue(tx, { subjectId: tx.groupId ?? '', stage: FLIP_STAGE.name, generation: spaceId });
  }

  /** Copies of chunks say who may see them: after a move they are written anew, from what is stored. */
  private async take(tx: Transaction, fact: DocumentDescribed): Promise<void> {
    const before = this.copies.kept ? await this.projection.placeOf(tx, fact.documentId) : undefined;
    await this.projection.describe(tx, fact);
    if (before === undefined || before === (await this.projection.placeOf(tx, fact.documentId))) return;
    await this.tasks.enqueue(tx, { subjectId: fact.documentId, stage: COPY_STAGE.name, generation: 0 });
  }

  private async isSearched(tx: Transaction, { embedding: [model] }: DocumentPrepared): Promise<boolean> {
    const live = await this.spaces.live(tx);
    return live === undefined || (model !== undefined && sameSpace(live, model));
  }
}
