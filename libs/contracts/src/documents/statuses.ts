import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { Empty } from '../empty';
import { Flag, Int, ListOf, OneOf } from '../fields';
import { operation } from '../operation';

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

const published = { owner: 'ingestion', profile: 'ADMINISTRADOR' } as const;

export const listDocumentStatuses = operation({
  ...published,
  code: 'document_statuses.list',
  kind: 'read',
  screens: ['DOCS_DASHBOARD'],
  summary: 'List the states that documents go through.',
  input: Empty,
  output: DocumentStatuses,
});
export const countDocumentsByStatus = operation({
  ...published,
  code: 'documents.count_by_status',
  kind: 'read',
  screens: ['DOCS_DASHBOARD', 'PROCESS_DOCUMENTS', 'PROCESS_PIPELINE'],
  summary: 'Count the documents that the caller sees by state.',
  input: Empty,
  output: DocumentStatusCounts,
});
