import { NotFound, type ChangedDocument } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import type { AttachmentStore } from '../attachments/attachment.store';
import type { EarlierVectorsStore } from '../embedding/earlier-vectors.store';
import { priorityOf, USUAL_ORDER } from '../pipeline/priority';
import { type Discards, OBJECT_COLUMNS, type Released } from './discards';
import type { DocumentFacts } from './document.facts';
import { assertRevertible, HELD, type Held } from './held';
import { madeColumns } from './reversal';

/** What people change about documents. Each change holds the row first, so that changes of one document take turns. */
export class ChangeStore {
  constructor(
    private readonly tasks: Tasks,
    private readonly facts: DocumentFacts,
    private readonly discards: Discards,
    private readonly attachments: AttachmentStore,
    private readonly earlier: EarlierVectorsStore,
  ) {}

  /** The document, held until the end of the transaction. @throws NotFound for one that is absent or invisible. */
  async hold(tx: Transaction, visibility: Visibility, code: string, deletedToo = false): Promise<Held> {
    const visible = visibilitySql(visibility, 'd', 2);
    const [row] = await tx.query<Held>(
      `${HELD} where d.code = $1 and ${visible.sql} ${deletedToo ? '' : 'and d.deleted_at is null'} for update`,
      [code, ...visible.params],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** Leaves a tombstone: the row keeps place and content, so that scans know what not to bring back. */
  async delete(tx: Transaction, { documentId, code, status }: Held): Promise<ChangedDocument> {
    const gone = [documentId, ...(await this.attachments.carriedBy(tx, documentId))];
    for (const id of gone) await this.tasks.withdraw(tx, id);
    await this.facts.withdraw(tx, gone);
    const emptied = madeColumns.filter((column) => column !== 'content_hash').map((column) => `${column} = null`);
    const released = await tx.query<Released>(
      `update ingestion.document set deleted_at = now(), deleted_with = nullif($3::uuid, document_id),
         revision = revision + 1, generation = generation + 1, retry_on_scan = false, updated_at = now(),
         ${emptied.join(', ')}
       where group_id = $1 and document_id = any($2::uuid[]) and deleted_at is null
       returning content_hash as "contentHash",
         array[${OBJECT_COLUMNS.map((column) => `old.${column}`).join(', ')}] as objects`,
      [tx.groupId, gone, documentId],
    );
    await this.discards.release(tx, released, null);
    await this.forgetEarlier(tx, gone);
    return { code, status };
  }

  async reportMissing(tx: Transaction, { documentId, code }: Held): Promise<ChangedDocument> {
    await this.tasks.withdraw(tx, documentId);
    await this.facts.withdraw(tx, [documentId]);
    await tx.query(
      `update ingestion.document set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now(),
         revision = revision + 1
       where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId],
    );
    await this.attachments.miss(tx, [documentId]);
    return { code, status: 'NO_ENCONTRADO' };
  }

  /** @throws NotRevertible */
  async revert(tx: Transaction, held: Held, status: DocumentStatus): Promise<ChangedDocument> {
    const way = assertRevertible(held, status);
    const { documentId, code } = held;
    await this.tasks.withdraw(tx, documentId);
    await this.facts.withdraw(tx, [documentId]);
    const [row] = await tx.query<{ generation: number; order: number }>(
      `update ingestion.document set status = $3, reason = null, retry_on_scan = false, deleted_at = null,
         generation = generation + 1, revision = revision + 1, updated_at = now(),
         ${way.discarded.map((column) => `${column} = null`).join(', ')}
       where group_id = $1 and document_id = $2 returning generation, ingestion_order as "order"`,
      [tx.groupId, documentId, status],
    );
    const discarded = way.discarded.map((column) => held.named[column] ?? null);
    await this.discards.release(tx, [{ contentHash: held.contentHash, objects: discarded }], way.repeated);
    // Whoever takes a document back wants it made anew.
    await this.forgetEarlier(tx, [documentId]);
    await this.tasks.enqueue(tx, {
      subjectId: documentId,
      stage: way.next.name,
      generation: row?.generation ?? 1,
      priority: priorityOf(row?.order ?? USUAL_ORDER),
    });
    return { code, status };
  }

  private async forgetEarlier(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    await this.discards.replaceAll(tx, await this.earlier.forget(tx, documentIds));
  }

  async order(tx: Transaction, { documentId, code, status }: Held, order: number): Promise<ChangedDocument> {
    await tx.query(
      `update ingestion.document set ingestion_order = $3, updated_at = now() where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId, order],
    );
    await this.tasks.prioritise(tx, [documentId], priorityOf(order));
    return { code, status };
  }
}
