import { DerivedFrom } from '../documents/skill-results';
import { Code, ListOf, Moment, Text } from '../fields';
import { operation } from '../operation';

/** Documents whose summaries stand on the page of a folder. */
export const MOST_DESCRIBED_DOCUMENTS = 20;

export class LocationReference {
  @Code({ names: 'location', description: 'A visible folder' }) readonly locationCode!: string;
}

/** The page of a folder, compiled now. Counts and documents are those that the caller sees. */
export class LocationPage extends LocationReference {
  @Text({ max: 500_000, description: 'The page, in Markdown' }) readonly page!: string;
  @Moment({ description: 'When it was compiled' }) readonly pageAt!: string;
  @ListOf(() => DerivedFrom, { max: MOST_DESCRIBED_DOCUMENTS, description: 'The documents that it cites, by code' })
  readonly derivedFrom!: readonly DerivedFrom[];
}

/** @throws NotFound for a folder that the caller does not see */
export const generateLocationPage = operation({
  owner: 'ingestion',
  code: 'locations.generate_md',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['DOC_LOCATIONS'],
  summary: 'Give a folder a page: its folders, the types of its documents, their summaries.',
  input: LocationReference,
  output: LocationPage,
});
