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

/** Which of the documents inside of one a change takes along. */
const takenAlong = {
  delete: 'd.deleted_at is null',
  miss: `d.deleted_at is null and d.status <> 'NO_ENCONTRADO'`,
  revert: 'false',
} as const;

/** Documents that a change touches, their passages that are searched, and the work that waits for them. */
const effectOf = (change: keyof typeof takenAlong): string => `with recursive carried as (
    select document_id from ingestion.document where group_id = $1 and parent_id = $2
    union all
    select c.document_id from ingestion.document c join carried on c.parent_id = carried.document_id
    where c.group_id = $1),
  touched as (
    select d.document_id, d.indexed_chunks from ingestion.document d where d.group_id = $1 and (d.document_id = $2
      or d.document_id in (select document_id from carried) and ${takenAlong[change]}))
  select count(*)::int as documents, coalesce(sum(indexed_chunks), 0)::int as chunks,
    (select count(*)::int from ingestion.task t where t.group_id = $1 and t.status in ('WAITING', 'LEASED')
      and t.subject_id in (select document_id from touched)) as waiting
  from touched`;

/** Counts what changes of documents would touch, and changes nothing. */
export class DocumentEffectsCalls {
  constructor(private readonly database: Database) {}

  @Handles(previewDocumentDeletion)
  async delete(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentEffect> {
    return this.count(scope, await this.visible(scope, documentCode, false), 'delete');
  }

  @Handles(previewMissingReport)
  async reportMissing(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentEffect> {
    return this.count(scope, await this.visible(scope, documentCode, false), 'miss');
  }

  @Handles(previewReversal)
  async revert(scope: Scope, { documentCode, status }: DocumentReversal): Promise<DocumentEffect> {
    const held = await this.visible(scope, documentCode, true);
    assertRevertible(held, status);
    return this.count(scope, held, 'revert');
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

  private async count(scope: Scope, { documentId }: Held, change: keyof typeof takenAlong): Promise<DocumentEffect> {
    const [effect] = await this.database.read(scope, (tx) =>
      tx.query<DocumentEffect>(effectOf(change), [scope.groupId, documentId]),
    );
    return effect ?? { documents: 0, chunks: 0, waiting: 0 };
  }
}
