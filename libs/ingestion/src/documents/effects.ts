import {
  type DocumentEffect,
  type DocumentReference,
  type DocumentReversal,
  NotFound,
  previewDocumentDeletion,
  previewMissingReport,
  previewReversal,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf, visibilitySql } from '@acervo/rbac';
import { assertRevertible, HELD, type Held } from './held';

/** Documents, the passages they have and the work that waits for them: one of them, and with `carried` what is inside. */
const EFFECT = `with recursive touched as (
    select document_id, chunk_count from ingestion.document where group_id = $1 and document_id = $2
    union all
    select c.document_id, c.chunk_count from ingestion.document c join touched on c.parent_id = touched.document_id
    where c.group_id = $1 and c.deleted_at is null and $3)
  select count(*)::int as documents, coalesce(sum(chunk_count), 0)::int as chunks,
    (select count(*)::int from ingestion.task t where t.group_id = $1 and t.status in ('WAITING', 'LEASED')
      and t.subject_id in (select document_id from touched)) as waiting
  from touched`;

/** Counts what changes of documents would touch, and changes nothing. */
export class DocumentEffectsCalls {
  constructor(private readonly database: Database) {}

  @Handles(previewDocumentDeletion)
  async delete(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentEffect> {
    return this.count(scope, await this.visible(scope, documentCode, false), true);
  }

  @Handles(previewMissingReport)
  async reportMissing(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentEffect> {
    return this.count(scope, await this.visible(scope, documentCode, false), true);
  }

  @Handles(previewReversal)
  async revert(scope: Scope, { documentCode, status }: DocumentReversal): Promise<DocumentEffect> {
    const held = await this.visible(scope, documentCode, true);
    assertRevertible(held, status);
    return this.count(scope, held, false);
  }

  private visible(scope: Scope, code: string, deletedToo: boolean): Promise<Held> {
    const visible = visibilitySql(visibilityOf(scope), 'd', 2);
    return this.database.read(scope, async (tx) => {
      const [row] = await tx.query<Held>(
        `${HELD} where d.code = $1 and ${visible.sql} ${deletedToo ? '' : 'and d.deleted_at is null'}`,
        [code, ...visible.params],
      );
      if (row === undefined) throw new NotFound();
      return row;
    });
  }

  private async count(scope: Scope, { documentId }: Held, carried: boolean): Promise<DocumentEffect> {
    const [effect] = await this.database.read(scope, (tx) =>
      tx.query<DocumentEffect>(EFFECT, [scope.groupId, documentId, carried]),
    );
    return effect ?? { documents: 0, chunks: 0, waiting: 0 };
  }
}
