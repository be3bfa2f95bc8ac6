import { CrossesCalls, DomainError } from '@acervo/contracts';
import type { DocumentStatus } from '@acervo/public-mapping';
import { OBJECT_COLUMNS } from './discards';
import { type Reversal, reversalTo } from './reversal';

/** The document never reached the state that it is to go back to, or its file is missing. */
@CrossesCalls
export class NotRevertible extends DomainError {
  readonly code = 'CONFLICT';
  constructor() {
    super('The document cannot go back to this state; name an earlier one that it has been in.');
  }
}

/** A document as it stands before a change. */
export interface Held {
  readonly documentId: string;
  readonly code: string;
  readonly status: DocumentStatus;
  readonly deleted: boolean;
  readonly carried: boolean;
  readonly contentHash: string | null;
  readonly objects: readonly (string | null)[];
  readonly named: Readonly<Record<string, string | null>>;
}

/** Reads documents as they stand; predicates follow. */
export const HELD = `select d.document_id as "documentId", d.code, d.status, d.deleted_at is not null as deleted,
  d.parent_id is not null as carried,
  d.content_hash as "contentHash", array[${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}] as objects,
  jsonb_build_object(${OBJECT_COLUMNS.map((column) => `'${column}', d.${column}`).join(', ')}) as named
  from ingestion.document d`;

/** The way of a document back to an earlier state. @throws NotRevertible */
export const assertRevertible = (held: Held, status: DocumentStatus): Reversal => {
  const way = reversalTo(status);
  const isThere = held.status !== 'NO_ENCONTRADO' || held.deleted;
  // What travels inside another file has none of its own to be read again.
  const hasFile = !held.carried || status !== 'DETECTADO';
  if (way === undefined || !isThere || !hasFile || way.kept.some((column) => held.named[column] == null))
    throw new NotRevertible();
  return way;
};
