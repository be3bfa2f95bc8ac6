import { Injectable } from '@nestjs/common';
import {
  addFeatureCategory,
  type FeatureCategoryEffect,
  type FeatureCategoryItem,
  type FeatureCategoryList,
  type FeatureCategoryListRequest,
  type FeatureCategoryPage,
  type FeatureCategoryReference,
  type FeatureCategoryRemoved,
  type FeatureCategoryUpdate,
  generateCategoryPage,
  InvalidMeaning,
  listFeatureCategories,
  MOST_CATEGORIES,
  type NewFeatureCategory,
  previewCategoryRemoval,
  removeFeatureCategory,
  updateFeatureCategory,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import type { FeatureCategory } from './taxonomy';
import { affectedByCategory } from './affected';
import { CategoryPages } from './category-pages';
import { type CategoryRow, CategoryStore } from './category.store';
import { assertSeparable } from './codes';
import { DocumentTypeStore } from './document-type.store';
import { NamingSpaces } from './naming-spaces';
import { TaxonomyChanges } from './taxonomy-changes';
import { TaxonomyConflict, TaxonomyRefused } from './taxonomy.errors';
import { TypeReach } from './type-reach';

/** The kind of the values of a new category: texts unless it names another kind. */
const valueKindOf = ({ kind, valueKind }: NewFeatureCategory): FeatureCategory['valueKind'] => {
  if (kind === 'ATTRIBUTE') return valueKind ?? 'TEXT';
  if (valueKind != null) throw new TaxonomyRefused('VALUE_KIND', 'value_kind');
  return null;
};

/** An item without its page, which is completed for each reader. */
const itemOf = ({ pageAt, entityCode: _, ...row }: CategoryRow, typeCode: string): FeatureCategoryItem => ({
  ...row,
  isInherited: row.documentTypeCode !== typeCode,
  page: null,
  pageAt: pageAt?.toISOString() ?? null,
});

/** The categories of features that types of documents have. */
@Injectable()
export class CategoriesHandlers {
  constructor(
    private readonly database: Database,
    private readonly types: DocumentTypeStore,
    private readonly categories: CategoryStore,
    private readonly pages: CategoryPages,
    private readonly changes: TaxonomyChanges,
    private readonly naming: NamingSpaces,
  ) {}

  @Handles(listFeatureCategories)
  list(scope: Scope, { documentTypeCode: code, withPages }: FeatureCategoryListRequest): Promise<FeatureCategoryList> {
    const [reach, visibility] = [TypeReach.of(scope), visibilityOf(scope)];
    return this.database.read(scope, async (tx) => {
      await this.types.place(tx, reach, code);
      const rows = await this.categories.ofTypes(tx, (await this.types.tree(tx)).upwards(code));
      const pages = withPages ? await this.pages.read(tx, visibility, rows) : new Map<string, string>();
      return { categories: rows.map((row) => ({ ...itemOf(row, code), page: pages.get(row.code) ?? null })) };
    });
  }

  @Handles(addFeatureCategory)
  add(scope: Scope, draft: NewFeatureCategory, context: WriteContext): Promise<FeatureCategoryItem> {
    const { code, documentTypeCode: typeCode, name, description = '', kind } = draft;
    assertSeparable(code);
    const valueKind = valueKindOf(draft);
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      await this.changes.lock(tx);
      reach.assertChanges((await this.types.place(tx, reach, typeCode)).entityCode);
      if ((await this.categories.count(tx)) >= MOST_CATEGORIES)
        throw new TaxonomyConflict('TOO_MANY', { most: MOST_CATEGORIES });
      await this.categories.create(tx, { code, typeCode, name, description, kind, valueKind });
      return itemOf(await this.categories.get(tx, reach, code), typeCode);
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing. */
  @Handles(updateFeatureCategory)
  update(scope: Scope, change: FeatureCategoryUpdate, context: WriteContext): Promise<FeatureCategoryItem> {
    const { categoryCode, name, description, valueKind } = change;
    if ([name, description, valueKind].every((each) => each === undefined))
      throw new InvalidMeaning(['name', 'description', 'value_kind']);
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      const { kind, documentTypeCode } = await this.lockRow(tx, reach, categoryCode);
      if (valueKind !== undefined && kind !== 'ATTRIBUTE') throw new TaxonomyRefused('VALUE_KIND', 'value_kind');
      await this.categories.update(tx, change);
      // Values of another kind are written in another form; names of categories reach no document.
      if (valueKind !== undefined) await this.changes.featuresChanged(tx, documentTypeCode);
      return itemOf(await this.categories.get(tx, reach, categoryCode), documentTypeCode);
    });
  }

  @Handles(previewCategoryRemoval)
  async previewRemoval(scope: Scope, { categoryCode }: FeatureCategoryReference): Promise<FeatureCategoryEffect> {
    const reach = TypeReach.of(scope);
    const { counts, features } = await this.database.read(scope, async (tx) => {
      reach.assertChanges((await this.categories.get(tx, reach, categoryCode)).entityCode);
      return {
        counts: await countSelected(tx, affectedByCategory(tx, categoryCode)),
        features: await this.naming.features(tx, { categoryCode }),
      };
    });
    return { categoryCode, ...counts, spaces: await this.naming.count(scope, [], features) };
  }

  @Handles(removeFeatureCategory)
  remove(
    scope: Scope,
    { categoryCode }: FeatureCategoryReference,
    context: WriteContext,
  ): Promise<FeatureCategoryRemoved> {
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      const { documentTypeCode } = await this.lockRow(tx, reach, categoryCode);
      await this.categories.delete(tx, categoryCode);
      await this.changes.featuresChanged(tx, documentTypeCode);
      return { categoryCode, removed: true };
    });
  }

  @Handles(generateCategoryPage)
  generatePage(
    scope: Scope,
    { categoryCode }: FeatureCategoryReference,
    context: WriteContext,
  ): Promise<FeatureCategoryPage> {
    const [reach, visibility] = [TypeReach.of(scope), visibilityOf(scope)];
    return context.write(async (tx) => {
      const row = await this.lockRow(tx, reach, categoryCode);
      const compiled = await this.pages.compile(tx, row);
      const at = await this.categories.keepPage(tx, categoryCode, compiled);
      const pages = await this.pages.read(tx, visibility, [{ code: categoryCode, page: compiled }]);
      return { categoryCode, page: pages.get(categoryCode) ?? '', pageAt: at.toISOString() };
    });
  }

  /** A category that the caller may change, with the taxonomy locked. */
  private async lockRow(tx: Transaction, reach: TypeReach, code: string): Promise<CategoryRow> {
    await this.changes.lock(tx);
    const row = await this.categories.get(tx, reach, code);
    reach.assertChanges(row.entityCode);
    return row;
  }
}
