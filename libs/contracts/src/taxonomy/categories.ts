import { Choice, Code, Flag, Int, ListOf, Meaningful, Moment, Text } from '../fields';
import { DocumentTypeReference } from './document-types';

/** Most categories of features that a group has. */
export const MOST_CATEGORIES = 500;

export const featureKinds = ['ATTRIBUTE', 'CHARACTERISTIC'] as const;
export const valueKinds = ['TEXT', 'NUMBER', 'AMOUNT', 'DATE', 'BOOLEAN'] as const;
type FeatureKind = (typeof featureKinds)[number];
type ValueKindName = (typeof valueKinds)[number];

const NAME = { max: 200, description: 'Name' } as const;
const DESCRIPTION = { max: 2_000, description: 'What the features of the category are' } as const;
const KIND = {
  publicly: 'same',
  description: 'ATTRIBUTE where its features have a value, CHARACTERISTIC where they are there or not',
} as const;
const VALUE_KIND = { publicly: 'same', nullable: true, description: 'Kind of the values of an attribute' } as const;

export class FeatureCategoryReference {
  @Code({ names: 'feature_category', description: 'Code of the category of features' }) readonly categoryCode!: string;
}

export class NewFeatureCategory extends DocumentTypeReference {
  @Code({ names: 'new feature_category', description: 'Code, unique in the group and without commas' })
  readonly code!: string;
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Choice(featureKinds, KIND) readonly kind!: FeatureKind;
  @Choice(valueKinds, { ...VALUE_KIND, optional: true }) readonly valueKind?: ValueKindName | null;
}

/** Changes of a category; absent fields stay. Code, type and kind never change. */
export class FeatureCategoryUpdate extends FeatureCategoryReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Choice(valueKinds, { publicly: 'same', optional: true, description: 'Kind of the values of an attribute' })
  readonly valueKind?: ValueKindName;
}

export class FeatureCategoryItem {
  @Code({ description: 'Code of the category' }) readonly code!: string;
  @Code({ description: 'The type that it belongs to; the types below inherit it' }) readonly documentTypeCode!: string;
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @Choice(featureKinds, KIND) readonly kind!: FeatureKind;
  @Choice(valueKinds, VALUE_KIND) readonly valueKind!: ValueKindName | null;
  @Flag({ description: 'It belongs to a type above' }) readonly isInherited!: boolean;
  @Text({ max: 500_000, nullable: true, description: 'Its page, where it was asked for and compiled before' })
  readonly page!: string | null;
  @Moment({ nullable: true, description: 'When the page was compiled' }) readonly pageAt!: string | null;
}

export class FeatureCategoryListRequest extends DocumentTypeReference {
  @Flag({ default: false, description: 'Returns the compiled pages too' }) readonly withPages!: boolean;
}

export class FeatureCategoryList {
  @ListOf(() => FeatureCategoryItem, {
    max: MOST_CATEGORIES,
    description: 'Its categories and those of the types above it, by code',
  })
  readonly categories!: readonly FeatureCategoryItem[];
}

/** The effects of removing a category. */
export class FeatureCategoryEffect extends FeatureCategoryReference {
  @Int({ description: 'Features of it' }) readonly features!: number;
  @Int({ description: 'Documents that have one of them' }) readonly documents!: number;
  @Int({ default: 0, description: 'Spaces with criteria that name one of them; they stay' }) readonly spaces!: number;
}

export class FeatureCategoryRemoved extends FeatureCategoryReference {
  @Flag({ description: 'Always true' }) readonly removed!: boolean;
}

/** The page of a category, compiled and stored now. Its counts and examples are those that the caller sees. */
export class FeatureCategoryPage extends FeatureCategoryReference {
  @Text({ max: 500_000, description: 'The page, in Markdown' }) readonly page!: string;
  @Moment({ description: 'When it was compiled' }) readonly pageAt!: string;
}
