import { Code, Flag, Fraction, Int, ListOf, Mode, Nested, Text } from '../fields';
import { Space, SPACE_NUMBER, SpaceReference } from './spaces';

/** A document of a space, as a list shows it. */
export class SpaceDocument {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @Text({ max: 4000, description: 'Summary' }) readonly summary!: string;
  @Text({ max: 4096, description: 'Logical path of the original' }) readonly location!: string;
  @Text({ max: 4096, description: 'Opens the document in the web application' }) readonly url!: string;
  @Code({ nullable: true, description: 'Code of its document type, null without one' })
  readonly documentTypeCode!: string | null;
}

export class SpaceDocumentsRequest extends SpaceReference {
  @Int({ min: 1, max: 200, default: 50, description: 'Most documents to return' }) readonly limit!: number;
  @Text({ min: 1, max: 1_024, optional: true, description: 'Cursor of the page, from the page before' })
  readonly cursor?: string;
}

export class SpaceDocuments {
  @ListOf(() => SpaceDocument, { max: 200, description: 'Documents by code' })
  readonly documents!: readonly SpaceDocument[];
  @Int({ description: 'Documents of the space that the caller sees' }) readonly total!: number;
  @Text({ max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

export class SpaceDetailLimit {
  @Int({ min: 1, max: 200, default: 20, description: 'Most documents to return' }) readonly documentLimit!: number;
}

export class SpaceDetailRequest extends SpaceDetailLimit {
  @Int({ ...SPACE_NUMBER, description: 'Number of the space' }) readonly spaceId!: number;
}

export class SpaceDetail {
  @Nested(() => Space, { description: 'The space' }) readonly space!: Space;
  @ListOf(() => SpaceDocument, { max: 200, description: 'The first documents by code' })
  readonly documents!: readonly SpaceDocument[];
  @Int({ description: 'Documents of the space that the caller sees' }) readonly totalDocuments!: number;
}

export const resolutions = ['count', 'manifest', 'chunks', 'text'] as const;
export type Resolution = (typeof resolutions)[number];

/** How a space is read. */
export class ReadingOptions {
  @Mode(resolutions, {
    default: 'manifest',
    description:
      'No items (count), its documents (manifest), passages for a query (chunks), or how documents begin (text)',
  })
  readonly resolution!: Resolution;
  @Text({ max: 4_000, optional: true, description: 'What to look for, in any language; chunks need it' })
  readonly query?: string;
  @Int({ min: 1, max: 500, default: 50, description: 'Most items to return' }) readonly limit!: number;
}

export class SpaceReadRequest extends ReadingOptions {
  @Int({ ...SPACE_NUMBER, description: 'Number of the space' }) readonly spaceId!: number;
}

/** One item of a reading. Fields of other resolutions are absent. */
export class SpaceItem {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @Text({ max: 4000, optional: true, description: 'Summary; in a manifest' }) readonly summary?: string;
  @Text({ max: 4096, optional: true, description: 'Logical path of the original; in a manifest' })
  readonly location?: string;
  @Text({ max: 4096, optional: true, description: 'Opens the document in the web application; in a manifest' })
  readonly url?: string;
  @Code({ nullable: true, optional: true, description: 'Code of its document type, null without one; in a manifest' })
  readonly documentTypeCode?: string | null;
  @Text({
    max: 100_000,
    optional: true,
    description: 'A passage, literally as it stands in the document, in chunks; how the document begins, in text',
  })
  readonly text?: string;
  @Int({ min: 1, nullable: true, optional: true, description: 'Page, null when the source has no pages; in chunks' })
  readonly page?: number | null;
  @Fraction({
    nullable: true,
    optional: true,
    description: 'Vector similarity, null where found by words alone; in chunks',
  })
  readonly similarity?: number | null;
  @Int({ optional: true, description: 'Ordinal of the chunk in its document, from 0; in chunks' })
  readonly chunkNumber?: number;
  @Flag({ optional: true, description: 'Always true: the text is never the whole document; in text' })
  readonly isExcerpt?: boolean;
}

export class SpaceReading {
  @Mode(resolutions, { description: 'How the space was read' }) readonly resolution!: Resolution;
  @Int({ description: 'Documents of the space that the caller sees; with chunks, passages found' })
  readonly total!: number;
  @ListOf(() => SpaceItem, { max: 500, description: 'Items; none for a count' })
  readonly items!: readonly SpaceItem[];
}
