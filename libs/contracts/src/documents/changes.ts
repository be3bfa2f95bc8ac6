import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Code, Int, OneOf } from '../fields';
import { DocumentReference } from './documents';

/** What a document is after somebody changed it. */
export class ChangedDocument {
  @Code({ description: 'Document code' }) readonly code!: string;
  @OneOf(documentStatus, { description: 'State of the document now' }) readonly status!: DocumentStatus;
}

const changing = {
  owner: 'ingestion',
  effect: 'write',
  scope: 'user',
  callers: ['operations'],
  output: ChangedDocument,
} as const;

/**
 * Deletes a document in whatever state it is: it leaves search at once, what was made of it is discarded, and no scan
 * brings it back unless its bytes change.
 */
export const deleteDocument = call({ ...changing, code: 'documents.delete', input: DocumentReference });

/** Takes a document for missing now, as a scan would that does not find its file. */
export const reportMissingDocument = call({ ...changing, code: 'documents.report_missing', input: DocumentReference });

export class DocumentReversal extends DocumentReference {
  @OneOf(documentStatus, { description: 'Earlier state to go back to' }) readonly status!: DocumentStatus;
}

/**
 * Takes a document back to an earlier state: what was made after it is discarded and made again. A deleted document
 * is one again. @throws NotRevertible
 */
export const revertDocument = call({ ...changing, code: 'documents.revert', input: DocumentReversal });

export class IngestionOrder extends DocumentReference {
  @Int({ min: 1, max: 9, description: 'Place among what waits: 1 is worked first, 9 last, 5 is usual' })
  readonly order!: number;
}

/** What a change of a document would touch: itself and the files inside it. */
export class DocumentEffect {
  @Int({ description: 'Documents that it concerns' }) readonly documents!: number;
  @Int({ description: 'Passages that leave search' }) readonly chunks!: number;
  @Int({ description: 'Pieces of work that are withdrawn' }) readonly waiting!: number;
}

const counting = {
  owner: 'ingestion',
  effect: 'read',
  scope: 'user',
  callers: ['operations'],
  output: DocumentEffect,
} as const;

export const previewDocumentDeletion = call({
  ...counting,
  code: 'documents.preview_delete',
  input: DocumentReference,
});
export const previewMissingReport = call({
  ...counting,
  code: 'documents.preview_report_missing',
  input: DocumentReference,
});
/** @throws NotRevertible */
export const previewReversal = call({ ...counting, code: 'documents.preview_revert', input: DocumentReversal });

/** Moves a document forward or back among those that wait. */
export const setIngestionOrder = call({ ...changing, code: 'documents.set_ingestion_order', input: IngestionOrder });
