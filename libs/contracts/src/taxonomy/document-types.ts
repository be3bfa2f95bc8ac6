import { Code, Flag, Int, ListOf, Meaningful, Text } from '../fields';

/** Most types of documents that a group has. */
export const MOST_DOCUMENT_TYPES = 200;

const NAME = { max: 200, description: 'Name' } as const;
const DESCRIPTION = { max: 2_000, description: 'What the documents of the type are' } as const;
const PARENT = 'The type above, whose categories it inherits; null at the top';
const ENTITY = 'The only entity whose documents may have the type; null for all of the group';

export class DocumentTypeReference {
  @Code({ names: 'document_type', description: 'Code of the document type' }) readonly documentTypeCode!: string;
}

export class NewDocumentType {
  @Code({
    names: 'new document_type',
    description: 'Code, unique in the group and without commas, by which searches filter',
  })
  readonly code!: string;
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Code({ names: 'document_type', optional: true, nullable: true, description: PARENT })
  readonly parentCode?: string | null;
  @Code({ names: 'entity', optional: true, nullable: true, description: ENTITY })
  readonly entityCode?: string | null;
}

/** Changes of a type; absent fields stay. Code and entity never change. */
export class DocumentTypeUpdate extends DocumentTypeReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Code({ names: 'document_type', optional: true, nullable: true, description: PARENT })
  readonly parentCode?: string | null;
}

export class DocumentTypeItem {
  @Code({ description: 'Code of the type' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @Code({ nullable: true, description: PARENT }) readonly parentCode!: string | null;
  @Code({ nullable: true, description: ENTITY }) readonly entityCode!: string | null;
  @Flag({ description: 'There are types below it' }) readonly hasChildren!: boolean;
}

export class DocumentTypeListRequest {
  @Code({ names: 'entity', optional: true, description: 'Only types of this entity and of the whole group' })
  readonly entityCode?: string;
  @Text({ max: 200, optional: true, description: 'Part of a name or of a code' }) readonly query?: string;
  @Int({ min: 1, max: 200, default: 50, description: 'Most types to return' }) readonly limit!: number;
  @Text({ min: 1, max: 1_024, optional: true, description: 'Cursor of the page, from the page before' })
  readonly cursor?: string;
}

export class DocumentTypeList {
  @ListOf(() => DocumentTypeItem, { max: 200, description: 'Types by code' })
  readonly documentTypes!: readonly DocumentTypeItem[];
  @Text({ max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

/** The effects of deleting a type. With types below it, the deletion is refused. */
export class DocumentTypeEffect extends DocumentTypeReference {
  @Int({ description: 'Types directly below it; any of them prevents the deletion' }) readonly children!: number;
  @Int({ description: 'Categories of features that it adds' }) readonly categories!: number;
  @Int({ description: 'Features of these categories' }) readonly features!: number;
  @Int({ description: 'Examples of its boundary' }) readonly examples!: number;
  @Int({ description: 'Documents that have the type and are classified again' }) readonly documents!: number;
  @Int({ default: 0, description: 'Spaces with criteria that name it or one of these features; they stay' })
  readonly spaces!: number;
}

export class DocumentTypeDeleted extends DocumentTypeReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}
