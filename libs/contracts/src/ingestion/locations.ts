import { call } from '../calls';
import { Code, Int, ListOf, Text, TextList } from '../fields';

export class LocationCodes {
  @TextList({ names: 'location', max: 200, length: 120, description: 'Codes of folders' })
  readonly codes!: readonly string[];
}

/** A folder as other services name it. */
export class KnownLocation {
  @Code({ description: 'Code of the folder' }) readonly code!: string;
  @Text({ max: 1_024, description: 'Name of the folder' }) readonly name!: string;
  @Code({ description: 'Entity of the folder' }) readonly entityCode!: string;
}

export class KnownLocations {
  @ListOf(() => KnownLocation, { max: 200, description: 'Those that exist' })
  readonly locations!: readonly KnownLocation[];
}

const asked = { owner: 'ingestion', effect: 'read', scope: 'user', callers: ['auth'] } as const;

/** Folders of the group by code, without a check of visibility: the asking service decides for whom it asks. */
export const describeLocations = call({
  ...asked,
  code: 'locations.describe',
  input: LocationCodes,
  output: KnownLocations,
});

/** The subject of a count: an entity, or folders with everything below them. */
export class ContentCountRequest {
  @Code({ names: 'entity', optional: true, description: 'Everything of this entity' }) readonly entityCode?: string;
  @TextList({
    names: 'location',
    max: 10_000,
    length: 120,
    optional: true,
    description: 'Everything in these folders and below',
  })
  readonly locationCodes?: readonly string[];
}

export class ContentCounts {
  @Int({ description: 'Folders' }) readonly locations!: number;
  @Int({ description: 'Documents' }) readonly documents!: number;
  @Int({ default: 0, description: 'Document types of the entity; 0 for folders' }) readonly documentTypes!: number;
}

/** Counts folders, documents and document types of an entity or an area, so that neither is deleted while it has content. */
export const countContents = call({
  ...asked,
  code: 'locations.count',
  input: ContentCountRequest,
  output: ContentCounts,
});
