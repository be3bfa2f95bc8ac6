import { Injectable } from '@nestjs/common';
import type { ChangedDocument, DocumentDeleted } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Tasks, WorkStore } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import type { Visibility } from '@acervo/rbac';
import { AttachmentStore } from '../attachments/attachment.store';
import { ClassificationStore } from '../classification/classification.store';
import { EarlierVectorsStore } from '../document-state/earlier-vectors.store';
import { priorityOf, USUAL_ORDER } from '../kernel/priority';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { CLASSIFY } from '../kernel/stages';
import { DocumentSkillStore } from '../skills/document-skill.store';
import { selectAffected } from '../document-state/affected';
import { ObjectGarbageCollector, OBJECT_COLUMNS, type Released } from '../document-state/object-garbage-collector';
import { DocumentEvents } from '../document-state/document-events';
import { assertRevertible, type DocumentSnapshot, visibleSnapshot } from './document-snapshot';

/** Changes of documents by users. Each change locks the row first, so changes of one document are serialised. */
@Injectable()
export class ChangeStore {
  constructor(
    private readonly tasks: Tasks,
    private readonly workStore: WorkStore,
    private readonly documentEvents: DocumentEvents,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly attachments: AttachmentStore,
    private readonly earlier: EarlierVectorsStore,
    private readonly classifications: ClassificationStore,
    private readonly skills: DocumentSkillStore,
  ) {}

  /** The document, locked until the end of the transaction. @throws NotFound for an absent or invisible one */
  lockForUpdate(tx: Transaction, visibility: Visibility, code: string, deletedToo = false): Promise<DocumentSnapshot> {
    return visibleSnapshot(tx, visibility, code, { deletedToo, lockClause: 'for update' });
  }

  /** Leaves a tombstone: the row keeps place and content, so scans do not register the file again. */
  async delete(tx: Transaction, { documentId, code, status }: DocumentSnapshot): Promise<ChangedDocument> {
    const gone = await selectAffected(tx, documentId, 'delete');
    for (const id of gone) await this.tasks.withdraw(tx, id);
    await this.documentEvents.withdraw(tx, gone);
    const emptied = pipelineOrder.columns
      .filter((column) => column !== 'content_hash')
      .map((column) => `${column} = null`);
    const released = await tx.query<Released & DocumentDeleted>(
      `update ingestion.document set deleted_at = now(), deleted_with = nullif($3::uuid, document_id),
         revision = revision + 1, generation = generation + 1, retry_on_scan = false, updated_at = now(),
         ${emptied.join(', ')}
       where group_id = $1 and document_id = any($2::uuid[]) and deleted_at is null
       returning document_id as "documentId", revision, code, content_hash as "contentHash",
         array[${OBJECT_COLUMNS.map((column) => `old.${column}`).join(', ')}] as objects`,
      [tx.groupId, gone, documentId],
    );
    await this.documentEvents.deleted(tx, released);
    await this.garbageCollector.release(tx, released, null);
    await this.earlier.forget(tx, gone);
    await this.classifications.forget(tx, gone);
    await this.skills.forget(tx, gone);
    return { code, status };
  }

  async reportMissing(tx: Transaction, { documentId, code }: DocumentSnapshot): Promise<ChangedDocument> {
    const affected = await selectAffected(tx, documentId, 'reportMissing');
    await this.tasks.withdraw(tx, documentId);
    await this.documentEvents.withdraw(tx, [documentId]);
    await tx.query(
      `update ingestion.document set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now(),
         revision = revision + 1
       where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId],
    );
    await this.attachments.markMissing(
      tx,
      affected.filter((id) => id !== documentId),
    );
    return { code, status: 'NO_ENCONTRADO' };
  }

  /** @throws NotRevertible */
  async revert(tx: Transaction, snapshot: DocumentSnapshot, status: DocumentStatus): Promise<ChangedDocument> {
    const way = assertRevertible(snapshot, status);
    const { documentId, code } = snapshot;
    const affected = await selectAffected(tx, documentId, 'revert');
    for (const id of affected) await this.tasks.withdraw(tx, id);
    await this.documentEvents.withdraw(tx, affected);
    const [row] = await tx.query<{ generation: number; order: number }>(
      `update ingestion.document set status = $3, reason = null, retry_on_scan = false, deleted_at = null,
         generation = generation + 1, revision = revision + 1, updated_at = now(),
         ${way.discarded.map((column) => `${column} = null`).join(', ')}
       where group_id = $1 and document_id = any($2::uuid[]) returning generation, ingestion_order as "order"`,
      [tx.groupId, affected, status],
    );
    const discarded = way.discarded.map((column) => snapshot.named[column] ?? null);
    await this.garbageCollector.release(tx, [{ contentHash: snapshot.contentHash, objects: discarded }], way.repeated);
    // A user who reverts a document wants new vectors, too.
    await this.earlier.forget(tx, affected);
    if (way.repeated.includes(CLASSIFY.name)) await this.classifications.forget(tx, affected);
    await this.tasks.enqueue(tx, {
      subjectId: documentId,
      stage: way.next.name,
      generation: row?.generation ?? 1,
      priority: priorityOf(row?.order ?? USUAL_ORDER),
    });
    return { code, status };
  }

  async order(
    tx: Transaction,
    { documentId, code, status }: DocumentSnapshot,
    order: number,
  ): Promise<ChangedDocument> {
    await tx.query(
      `update ingestion.document set ingestion_order = $3, updated_at = now() where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId, order],
    );
    await this.workStore.prioritise(tx, [documentId], priorityOf(order));
    return { code, status };
  }
}
