import { CrossesCalls, DomainError, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { DocumentStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import type { Reversal } from '../pipeline/pipeline-order';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { OBJECT_COLUMNS } from '../document-state/object-garbage-collector';

/** The document never reached the requested state, or its file is missing. */
@CrossesCalls
export class NotRevertible extends DomainError {
  readonly code = 'CONFLICT';
  constructor() {
    super('The document cannot go back to this state; name an earlier one that it has been in.');
  }
}

/** A document before a change. */
export interface DocumentSnapshot {
  readonly documentId: string;
  readonly code: string;
  readonly status: DocumentStatus;
  readonly deleted: boolean;
  readonly carried: boolean;
  readonly contentHash: string | null;
  readonly objects: readonly (string | null)[];
  readonly named: Readonly<Record<string, string | null>>;
}

/** Selects documents; predicates follow. */
export const SNAPSHOT_SQL = `select d.document_id as "documentId", d.code, d.status, d.deleted_at is not null as deleted,
  d.parent_id is not null as carried,
  d.content_hash as "contentHash", array[${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}] as objects,
  jsonb_build_object(${OBJECT_COLUMNS.map((column) => `'${column}', d.${column}`).join(', ')}) as named
  from ingestion.document d`;

/** A visible document; deleted ones only with `deletedToo`. @throws NotFound for an absent or invisible one */
export const visibleSnapshot = async (
  tx: Transaction,
  visibility: Visibility,
  code: string,
  { deletedToo = false, lockClause = '' } = {},
): Promise<DocumentSnapshot> => {
  const visible = visibilitySql(visibility, 'd', 2);
  const [row] = await tx.query<DocumentSnapshot>(
    `${SNAPSHOT_SQL} where d.code = $1 and ${visible.sql} ${deletedToo ? '' : 'and d.deleted_at is null'} ${lockClause}`,
    [code, ...visible.params],
  );
  if (row === undefined) throw new NotFound();
  return row;
};

/** How a document returns to an earlier state. @throws NotRevertible */
export const assertRevertible = (snapshot: DocumentSnapshot, status: DocumentStatus): Reversal => {
  const way = pipelineOrder.reversalTo(status);
  const isThere = snapshot.status !== 'NO_ENCONTRADO' || snapshot.deleted;
  // An attachment has no file of its own to read again.
  const hasFile = !snapshot.carried || status !== 'DETECTADO';
  if (way === undefined || !isThere || !hasFile || way.retained.some((column) => snapshot.named[column] == null))
    throw new NotRevertible();
  return way;
};
