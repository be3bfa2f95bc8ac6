import { call } from '../calls';
import { TextList } from '../fields';

/** Documents that one call asks about. */
export const MOST_ASKED_DOCUMENTS = 1_000;

const CODES = { max: MOST_ASKED_DOCUMENTS, length: 120 } as const;

export class DocumentCodes {
  @TextList({ ...CODES, names: 'document', description: 'Codes of documents' }) readonly codes!: readonly string[];
}

export class VisibleDocuments {
  @TextList({ ...CODES, description: 'Those that exist and that the caller sees now, in order of their codes' })
  readonly codes!: readonly string[];
}

/** Which of some documents the caller sees now: what was derived from the others is shown no longer. */
export const filterVisibleDocuments = call({
  code: 'documents.filter_visible',
  owner: 'retrieval',
  effect: 'read',
  scope: 'user',
  callers: ['chat', 'operations'],
  input: DocumentCodes,
  output: VisibleDocuments,
});

export class StoredDocuments {
  @TextList({ ...CODES, description: 'Those that the group has and that are not deleted, in order of their codes' })
  readonly codes!: readonly string[];
}

/** Which of some documents are not deleted: what was derived from the others is erased. */
export const filterStoredDocuments = call({
  code: 'documents.filter_stored',
  owner: 'ingestion',
  effect: 'read',
  scope: 'work',
  callers: ['chat'],
  input: DocumentCodes,
  output: StoredDocuments,
});
