import { Injectable } from '@nestjs/common';
import {
  addFeature,
  type FeatureCategoryReference,
  type FeatureEffect,
  type FeatureItem,
  type FeatureList,
  type FeatureReference,
  type FeatureRemoved,
  type FeatureUpdate,
  InvalidMeaning,
  listFeatures,
  MOST_FEATURES,
  MOST_FEATURES_OF_CATEGORY,
  type NewFeature,
  previewFeatureRemoval,
  removeFeature,
  updateFeature,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { affectedByFeature } from './affected';
import { type CategoryRow, CategoryStore } from './category.store';
import { assertSeparable } from './codes';
import { FeatureStore, phrasesByLanguage } from './feature.store';
import { NamingSpaces } from './naming-spaces';
import { checkPattern } from './pattern-check';
import { TaxonomyChanges } from './taxonomy-changes';
import { TaxonomyConflict } from './taxonomy.errors';
import { TypeReach } from './type-reach';

/** @throws PatternRefused */
const assertFinds = (pattern: string | null | undefined, { kind }: CategoryRow): void => {
  if (pattern != null) checkPattern(pattern, { field: 'pattern', hasValue: kind === 'ATTRIBUTE' });
};

/** What is looked for in documents of each type. */
@Injectable()
export class FeaturesHandlers {
  constructor(
    private readonly database: Database,
    private readonly categories: CategoryStore,
    private readonly features: FeatureStore,
    private readonly changes: TaxonomyChanges,
    private readonly naming: NamingSpaces,
  ) {}

  @Handles(listFeatures)
  list(scope: Scope, { categoryCode }: FeatureCategoryReference): Promise<FeatureList> {
    const reach = TypeReach.of(scope);
    return this.database.read(scope, async (tx) => {
      await this.categories.get(tx, reach, categoryCode);
      return { features: await this.features.list(tx, categoryCode) };
    });
  }

  @Handles(addFeature)
  add(scope: Scope, draft: NewFeature, context: WriteContext): Promise<FeatureItem> {
    const { categoryCode, code, name, pattern = null, phrases = [], prompt = null } = draft;
    assertSeparable(code);
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      const category = await this.lockCategory(tx, reach, categoryCode);
      assertFinds(pattern, category);
      await this.assertRoom(tx, categoryCode);
      const rule = { pattern, phrases: phrasesByLanguage(phrases) };
      await this.features.create(tx, { categoryCode, code, name, rule, prompt });
      await this.changes.featuresChanged(tx, category.documentTypeCode);
      return this.features.get(tx, categoryCode, code);
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing. */
  @Handles(updateFeature)
  update(scope: Scope, change: FeatureUpdate, context: WriteContext): Promise<FeatureItem> {
    const { categoryCode, featureCode, name, pattern, phrases, prompt } = change;
    if ([name, pattern, phrases, prompt].every((each) => each === undefined))
      throw new InvalidMeaning(['name', 'pattern', 'phrases', 'prompt']);
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      const category = await this.lockCategory(tx, reach, categoryCode);
      await this.features.get(tx, categoryCode, featureCode);
      assertFinds(pattern, category);
      const stored = phrases === undefined ? undefined : phrasesByLanguage(phrases);
      await this.features.update(tx, categoryCode, featureCode, { name, pattern, phrases: stored, prompt });
      // A name reaches no document.
      if ([pattern, phrases, prompt].some((each) => each !== undefined))
        await this.changes.featuresChanged(tx, category.documentTypeCode);
      return this.features.get(tx, categoryCode, featureCode);
    });
  }

  @Handles(previewFeatureRemoval)
  async previewRemoval(scope: Scope, { categoryCode, featureCode }: FeatureReference): Promise<FeatureEffect> {
    const reach = TypeReach.of(scope);
    const { counts, kind } = await this.database.read(scope, async (tx) => {
      const category = await this.categories.get(tx, reach, categoryCode);
      reach.assertChanges(category.entityCode);
      await this.features.get(tx, categoryCode, featureCode);
      return { counts: await countSelected(tx, affectedByFeature(tx, categoryCode, featureCode)), kind: category.kind };
    });
    const spaces = await this.naming.count(scope, [], [{ kind, code: featureCode }]);
    return { categoryCode, featureCode, ...counts, spaces };
  }

  @Handles(removeFeature)
  remove(
    scope: Scope,
    { categoryCode, featureCode }: FeatureReference,
    context: WriteContext,
  ): Promise<FeatureRemoved> {
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      const { documentTypeCode } = await this.lockCategory(tx, reach, categoryCode);
      await this.features.get(tx, categoryCode, featureCode);
      await this.features.delete(tx, categoryCode, featureCode);
      await this.changes.featuresChanged(tx, documentTypeCode);
      return { categoryCode, featureCode, removed: true };
    });
  }

  /** A category that the caller may change, with the taxonomy locked. */
  private async lockCategory(tx: Transaction, reach: TypeReach, code: string): Promise<CategoryRow> {
    await this.changes.lock(tx);
    const category = await this.categories.get(tx, reach, code);
    reach.assertChanges(category.entityCode);
    return category;
  }

  /** @throws TaxonomyConflict */
  private async assertRoom(tx: Transaction, categoryCode: string): Promise<void> {
    const { ofCategory, ofGroup } = await this.features.counts(tx, categoryCode);
    if (ofCategory >= MOST_FEATURES_OF_CATEGORY)
      throw new TaxonomyConflict('TOO_MANY', { most: MOST_FEATURES_OF_CATEGORY });
    if (ofGroup >= MOST_FEATURES) throw new TaxonomyConflict('TOO_MANY', { most: MOST_FEATURES });
  }
}
