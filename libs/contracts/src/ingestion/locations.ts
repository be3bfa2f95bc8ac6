import { call } from '../calls';
import { Code, Int, ListOf, Text, TextList } from '../fields';

export class LocationCodes {
  @TextList({ max: 200, length: 120, description: 'Codes of folders' }) readonly codes!: readonly string[];
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

/** Folders of the group by code, whoever may see them: the asking service decides for whom it asks. */
export const describeLocations = call({
  ...asked,
  code: 'locations.describe',
  input: LocationCodes,
  output: KnownLocations,
});

/** What is counted: an entity, or folders with everything below them. */
export class HoldingsRequest {
  @Code({ optional: true, description: 'Everything of this entity' }) readonly entityCode?: string;
  @TextList({ max: 10_000, length: 120, optional: true, description: 'Everything in these folders and below' })
  readonly locationCodes?: readonly string[];
}

export class Holdings {
  @Int({ description: 'Folders' }) readonly locations!: number;
  @Int({ description: 'Documents' }) readonly documents!: number;
}

/** Counts folders and documents of the group, so that nothing they hang on is deleted under them. */
export const countHoldings = call({ ...asked, code: 'locations.count', input: HoldingsRequest, output: Holdings });
