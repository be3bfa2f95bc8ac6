import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { Code, Int, ListOf, Moment, Nested, OneOf, Text } from '../fields';
import { operation } from '../operation';
import { ExtractionReport } from './extraction-report';
import { FileHints } from './file-hints';
import { SkillResult } from './skill-results';

export class DocumentListRequest {
  @OneOf(documentStatus, { optional: true, description: 'Only documents in this state' })
  readonly status?: DocumentStatus;
  @Int({ min: 1, max: 100, default: 20, description: 'Documents per page' }) readonly limit!: number;
  @Int({ min: 1, max: 1_000_000, default: 1, description: 'Page, from 1' }) readonly page!: number;
  @Code({ names: 'location', optional: true, description: 'Only documents of this visible folder and its descendants' })
  readonly locationCode?: string;
}

/** The path of the pages of documents. */
export const DOCUMENT_PAGES = '/app/documents';

/** The page of a document in the web application. @param publicUrl base of the links in answers */
export const documentUrl = (publicUrl: string, code: string): string =>
  `${publicUrl.replace(/\/$/, '')}${DOCUMENT_PAGES}/${encodeURIComponent(code)}`;

export class DocumentItem {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @OneOf(documentStatus, { description: 'State of the document' }) readonly status!: DocumentStatus;
  @Text({ max: 4000, nullable: true, description: 'Summary, null until there is one' }) readonly summary!:
    string | null;
  @Text({ max: 4096, description: 'Logical path of the original' }) readonly location!: string;
  @Code({ description: 'Code of the folder' }) readonly locationCode!: string;
  @Code({ description: 'Code of the entity' }) readonly entityCode!: string;
  @Code({ optional: true, nullable: true, description: 'Code of its document type, null without one' })
  readonly documentTypeCode?: string | null;
  @Text({ max: 4096, description: 'Opens the document in the web application' }) readonly url!: string;
  @Moment({ description: 'When the content was last seen to change' }) readonly updatedAt!: string;
  @Nested(() => FileHints, { description: 'Where the original can be opened' }) readonly fs!: FileHints;
}

export class DocumentList {
  @ListOf(() => DocumentItem, { max: 100, description: 'Documents of this page' })
  readonly documents!: readonly DocumentItem[];
  @Int({ description: 'Visible documents that match' }) readonly total!: number;
  @Int({ min: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, max: 100, description: 'Documents per page' }) readonly limit!: number;
}

export class DocumentDetail extends DocumentItem {
  @Text({ max: 500, nullable: true, description: 'Why the document failed or is not supported' })
  readonly reason!: string | null;
  @Text({ max: 12, nullable: true, description: 'Language of the text' }) readonly language!: string | null;
  @Int({ description: 'Size of the original in bytes' }) readonly sizeBytes!: number;
  @Int({ nullable: true, description: 'Pages, null until the text is extracted' }) readonly pages!: number | null;
  @Int({ nullable: true, description: 'Chunks, null until the text is cut' }) readonly chunkCount!: number | null;
  @Nested(() => ExtractionReport, {
    optional: true,
    nullable: true,
    description: 'What the file consists of, and what of it is in the text; null until the text is extracted',
  })
  readonly extraction?: ExtractionReport | null;
  @ListOf(() => SkillResult, {
    optional: true,
    max: 100,
    description: 'What skills found in the present content; absent where the document is shown beside its edges',
  })
  readonly skillResults?: readonly SkillResult[];
  @Moment({ description: 'When the document was first seen' }) readonly createdAt!: string;
}

export class DocumentReference {
  @Code({ names: 'document', description: 'Document code' }) readonly documentCode!: string;
}

const published = { owner: 'ingestion', callers: ['gateway', 'chat'], profile: 'USUARIO' } as const;

export const listDocuments = operation({
  ...published,
  code: 'documents.list',
  kind: 'read',
  screens: ['DOCS_DASHBOARD', 'DOCUMENTS', 'PROCESS_DOCUMENTS'],
  summary: 'List the documents that the caller may see.',
  input: DocumentListRequest,
  output: DocumentList,
});

export const getDocument = operation({
  ...published,
  callers: [...published.callers, 'retrieval'],
  code: 'documents.get',
  kind: 'read',
  screens: ['DOCUMENTS'],
  summary: 'Show one document, and why it failed where it did.',
  input: DocumentReference,
  output: DocumentDetail,
});
