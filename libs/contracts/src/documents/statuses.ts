import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Flag, Int, ListOf, OneOf } from '../fields';
import { Empty } from '../ingestion';

export class DocumentStatusItem {
  @OneOf(documentStatus, { description: 'State' }) readonly code!: DocumentStatus;
  @Flag({ description: 'Documents come to rest in it' }) readonly isFinal!: boolean;
  @Flag({ description: 'Documents are taken back to it by documents.revert' }) readonly isRevertible!: boolean;
}

export class DocumentStatuses {
  @ListOf(() => DocumentStatusItem, { max: 20, description: 'States in the order of the work' })
  readonly statuses!: readonly DocumentStatusItem[];
}

export class DocumentStatusCount {
  @OneOf(documentStatus, { description: 'State' }) readonly status!: DocumentStatus;
  @Int({ description: 'Visible documents in it' }) readonly documents!: number;
}

export class DocumentStatusCounts {
  @ListOf(() => DocumentStatusCount, { max: 20, description: 'One entry a state, zeros included' })
  readonly counts!: readonly DocumentStatusCount[];
  @Int({ description: 'All visible documents' }) readonly total!: number;
}

const asked = { owner: 'ingestion', effect: 'read', scope: 'user', callers: ['operations'], input: Empty } as const;

/** The states that documents go through. */
export const listDocumentStatuses = call({ ...asked, code: 'document_statuses.list', output: DocumentStatuses });
/** How many of the documents that the caller sees are in each state. */
export const countDocumentsByStatus = call({
  ...asked,
  code: 'documents.count_by_status',
  output: DocumentStatusCounts,
});
