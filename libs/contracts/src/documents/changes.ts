import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Code, Int, OneOf } from '../fields';
import { operation } from '../operation';
import { DocumentReference } from './documents';

/** A document after a change. */
export class ChangedDocument {
  @Code({ description: 'Document code' }) readonly code!: string;
  @OneOf(documentStatus, { description: 'State of the document now' }) readonly status!: DocumentStatus;
}

export class DocumentReversal extends DocumentReference {
  @OneOf(documentStatus, { description: 'Earlier state to go back to' }) readonly status!: DocumentStatus;
}

export class IngestionOrder extends DocumentReference {
  @Int({ min: 1, max: 9, description: 'Priority among waiting work: 1 runs first, 9 last, 5 is the default' })
  readonly order!: number;
}

/** The documents that a change would affect: the document and the files inside it. */
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
/**
 * Deletes a document in any state. It leaves search at once, and its chunks and objects are discarded. A scan restores
 * it only when its bytes change.
 */
export const deleteDocument = operation({
  code: 'documents.delete',
  owner: 'ingestion',
  kind: 'write_confirm',
  profile: 'USUARIO',
  screens: ['DOCUMENTS', 'PROCESS_DOCUMENTS'],
  summary: 'Delete a document in any state; it comes back only when its file changes.',
  preview: previewDocumentDeletion,
  input: DocumentReference,
  output: ChangedDocument,
});
export const previewMissingReport = call({
  ...counting,
  code: 'documents.preview_report_missing',
  input: DocumentReference,
});
/** Marks a document as missing now, as a scan does that does not find its file. */
export const reportMissingDocument = operation({
  code: 'documents.report_missing',
  owner: 'ingestion',
  kind: 'write_confirm',
  profile: 'ADMINISTRADOR',
  screens: ['PROCESS_DOCUMENTS'],
  summary: 'Mark a document as missing; it leaves search at once.',
  preview: previewMissingReport,
  input: DocumentReference,
  output: ChangedDocument,
});
/** @throws NotRevertible */
export const previewReversal = call({ ...counting, code: 'documents.preview_revert', input: DocumentReversal });
/**
 * Reverts a document to an earlier state; later results are discarded and made again. A deleted document is restored.
 * @throws NotRevertible
 */
export const revertDocument = operation({
  code: 'documents.revert',
  owner: 'ingestion',
  kind: 'write_confirm',
  profile: 'USUARIO',
  screens: ['DOCUMENTS', 'PROCESS_DOCUMENTS'],
  summary: 'Take a document back to an earlier state; what was made after it is discarded and made again.',
  preview: previewReversal,
  input: DocumentReversal,
  output: ChangedDocument,
});

export const setIngestionOrder = operation({
  code: 'documents.set_ingestion_order',
  owner: 'ingestion',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['PROCESS_DOCUMENTS'],
  summary: 'Move a document forward or back among those that wait.',
  input: IngestionOrder,
  output: ChangedDocument,
});
