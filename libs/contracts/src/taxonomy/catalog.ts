import { Choice, Code, Int, ListOf, Text, TextList } from '../fields';
import { call } from '../calls';
import { Skill } from '../skills/skills';
import { featureKinds } from './categories';
import { MOST_DOCUMENT_TYPES } from './document-types';
import { MOST_FEATURES } from './features';

const asked = { effect: 'read', scope: 'user', callers: ['gateway', 'chat'] } as const;

export class CatalogRequest {
  @Text({ max: 120, optional: true, description: 'ALL, FUNCTIONS or SKILLS; any other value is read as ALL' })
  readonly type?: string;
}

/** A screen of the application that the caller has. */
export class CatalogFunction {
  @Code({ description: 'Function code' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: 120, description: 'Stable English name' }) readonly alias!: string;
  @Text({ max: 1_000, description: 'What it is' }) readonly description!: string;
}

export class Catalog {
  @ListOf(() => CatalogFunction, { max: 1_000, description: 'Functions in the order of the menu' })
  readonly functions!: readonly CatalogFunction[];
  @ListOf(() => Skill, { max: 1_000, description: 'Skills by code' }) readonly skills!: readonly Skill[];
  @Int({ description: 'Number of functions' }) readonly totalFunctions!: number;
  @Int({ description: 'Number of skills' }) readonly totalSkills!: number;
}

/** What integrators may use by name: the functions of the caller, and skills. */
export const listCatalog = call({
  ...asked,
  code: 'catalog.list',
  owner: 'operations',
  callers: ['gateway', 'chat'],
  input: CatalogRequest,
  output: Catalog,
});

export class CatalogTypesRequest {
  @Code({ names: 'entity', optional: true, description: 'One of the caller’s own entities' })
  readonly entityCode?: string;
}

/** A type of documents, as searches name it. */
export class CatalogDocumentType {
  @Code({ description: 'Code, for `document_types` of the search filter' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Code({ nullable: true, description: 'The type above; null at the top' }) readonly parentCode!: string | null;
}

export class CatalogDocumentTypes {
  @ListOf(() => CatalogDocumentType, { max: MOST_DOCUMENT_TYPES, description: 'Types by code' })
  readonly documentTypes!: readonly CatalogDocumentType[];
}

/** The types of the group and of the entities in scope. @throws NotFound for an entity that the caller does not have */
export const listCatalogDocumentTypes = call({
  ...asked,
  code: 'catalog.list_document_types',
  owner: 'ingestion',
  input: CatalogTypesRequest,
  output: CatalogDocumentTypes,
});

export class CharacteristicsRequest {
  @TextList({
    names: 'document_type',
    separated: true,
    max: 100,
    length: 120,
    optional: true,
    description:
      'Only features of these document types and of the types above them: codes, repeated or separated by commas; unknown ones match nothing',
  })
  readonly documentTypes?: readonly string[];
  @Code({ names: 'entity', optional: true, description: 'One of the caller’s own entities' })
  readonly entityCode?: string;
}

/** A feature of documents, as searches name it. */
export class CatalogCharacteristic {
  @Code({ description: 'Category of the feature' }) readonly categoryCode!: string;
  @Code({ description: 'Code, for `attributes` or `characteristics` of the search filter' }) readonly code!: string;
  @Choice(featureKinds, {
    publicly: 'same',
    description: 'ATTRIBUTE where it has a value, CHARACTERISTIC where it is there or not',
  })
  readonly kind!: (typeof featureKinds)[number];
}

export class CatalogCharacteristics {
  @ListOf(() => CatalogCharacteristic, {
    max: MOST_FEATURES,
    description:
      'Features of both kinds by category and code; those with a value are the attributes of the search filter',
  })
  readonly characteristics!: readonly CatalogCharacteristic[];
}

/** The features of documents, of both kinds. @throws NotFound for an entity that the caller does not have */
export const listCharacteristics = call({
  ...asked,
  code: 'catalog.list_characteristics',
  owner: 'ingestion',
  input: CharacteristicsRequest,
  output: CatalogCharacteristics,
});
