import { Choice, Code, Flag, Int, ListOf, Meaningful, Text, TextList } from '../fields';
import { FeatureCategoryReference } from './categories';

/** Most features that a group has, and most of one category. */
export const MOST_FEATURES = 2_000;
export const MOST_FEATURES_OF_CATEGORY = 200;

/** Languages of documents that features are described in. */
export const phraseLanguages = ['ca', 'de', 'en', 'es', 'fr', 'gl', 'it', 'nl', 'pt'] as const;

const NAME = { max: 200, description: 'Name' } as const;
const PATTERN = {
  max: 2_000,
  nullable: true,
  description: 'RE2 pattern; the group `value` is the value of an attribute',
} as const;
const PROMPT = { max: 2_000, nullable: true, description: 'What a chat model is asked, where there is one' } as const;

export class FeaturePhrases {
  @Choice(phraseLanguages, { publicly: 'same', description: 'Language of the phrases' })
  readonly language!: (typeof phraseLanguages)[number];
  @TextList({ max: 50, length: 200, description: 'Phrases that mark the feature' })
  readonly phrases!: readonly string[];
}

const PHRASES = { max: phraseLanguages.length, description: 'Phrases that mark the feature, by language' } as const;

export class FeatureReference extends FeatureCategoryReference {
  @Code({ names: 'feature', description: 'Code of the feature in its category' }) readonly featureCode!: string;
}

export class NewFeature extends FeatureCategoryReference {
  @Code({ names: 'new feature', description: 'Code, unique in its category and without commas' })
  readonly code!: string;
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Text({ ...PATTERN, optional: true }) readonly pattern?: string | null;
  @ListOf(() => FeaturePhrases, { ...PHRASES, optional: true }) readonly phrases?: readonly FeaturePhrases[];
  @Text({ ...PROMPT, optional: true }) readonly prompt?: string | null;
}

/** Changes of a feature; absent fields stay, a given list replaces the whole list. Its code never changes. */
export class FeatureUpdate extends FeatureReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...PATTERN, optional: true }) readonly pattern?: string | null;
  @ListOf(() => FeaturePhrases, { ...PHRASES, optional: true }) readonly phrases?: readonly FeaturePhrases[];
  @Text({ ...PROMPT, optional: true }) readonly prompt?: string | null;
}

export class FeatureItem {
  @Code({ description: 'Category of the feature' }) readonly categoryCode!: string;
  @Code({ description: 'Code of the feature' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
  @Text(PATTERN) readonly pattern!: string | null;
  @ListOf(() => FeaturePhrases, PHRASES) readonly phrases!: readonly FeaturePhrases[];
  @Text(PROMPT) readonly prompt!: string | null;
}

export class FeatureList {
  @ListOf(() => FeatureItem, { max: MOST_FEATURES_OF_CATEGORY, description: 'Features by code' })
  readonly features!: readonly FeatureItem[];
}

/** The effects of removing a feature. */
export class FeatureEffect extends FeatureReference {
  @Int({ description: 'Documents that have it' }) readonly documents!: number;
  @Int({ default: 0, description: 'Spaces with criteria that name it; they stay' }) readonly spaces!: number;
}

export class FeatureRemoved extends FeatureReference {
  @Flag({ description: 'Always true' }) readonly removed!: boolean;
}
