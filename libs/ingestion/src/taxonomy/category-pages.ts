import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { type CitedExample, compileCategory, completePage, type SeenFeature } from './category-page';
import type { CategoryRow } from './category.store';
import { FeatureStore } from './feature.store';

/** Examples of each feature on a page. */
const EXAMPLES = 3;

interface Place {
  readonly categoryCode: string;
  readonly code: string;
}

type Counted = Place & { readonly documents: number };
type Cited = Place & CitedExample;

/** Documents with a feature, as `d`. */
const CARRIER = `ingestion.document_feature f join ingestion.document d
  on d.group_id = f.group_id and d.document_id = f.document_id and d.deleted_at is null`;

const ofCategory = <T extends Place>(rows: readonly T[], categoryCode: string, code: string): T[] =>
  rows.filter((row) => row.categoryCode === categoryCode && row.code === code);

/**
 * The pages of categories. What is stored names no document: counts and examples are those that the reader of a page
 * sees when it is read.
 */
@Injectable()
export class CategoryPages {
  constructor(private readonly features: FeatureStore) {}

  async compile(tx: Transaction, category: CategoryRow): Promise<string> {
    return compileCategory(category, await this.features.list(tx, category.code));
  }

  /** The pages of those categories that have one, by code, as one reader sees them. */
  async read(
    tx: Transaction,
    visibility: Visibility,
    categories: readonly Pick<CategoryRow, 'code' | 'page'>[],
  ): Promise<ReadonlyMap<string, string>> {
    const compiled = categories.flatMap(({ code, page }) => (page === null ? [] : [{ code, page }]));
    if (compiled.length === 0) return new Map();
    const codes = compiled.map(({ code }) => code);
    const counted = await this.counted(tx, visibility, codes);
    const cited = await this.cited(tx, visibility, codes);
    return new Map(
      compiled.map(({ code, page }) => {
        const seen = counted
          .filter(({ categoryCode }) => categoryCode === code)
          .map(({ code: feature, documents }): [string, SeenFeature] => [
            feature,
            { documents, examples: ofCategory(cited, code, feature) },
          ]);
        return [code, completePage(page, new Map(seen))];
      }),
    );
  }

  private counted(tx: Transaction, visibility: Visibility, codes: readonly string[]): Promise<Counted[]> {
    const visible = visibilitySql(visibility, 'd', 3);
    return tx.query<Counted>(
      `select f.category_code as "categoryCode", f.code, count(*)::int as documents from ${CARRIER}
       where f.group_id = $1 and f.category_code = any($2::text[]) and ${visible.sql}
       group by f.category_code, f.code`,
      [tx.groupId, codes, ...visible.params],
    );
  }

  private cited(tx: Transaction, visibility: Visibility, codes: readonly string[]): Promise<Cited[]> {
    const visible = visibilitySql(visibility, 'd', 4);
    return tx.query<Cited>(
      `select x.* from ingestion.feature t cross join lateral (
         select f.category_code as "categoryCode", f.code, d.code as "documentCode", d.name, f.page, f.quote
         from ${CARRIER} where f.group_id = t.group_id and f.category_code = t.category_code and f.code = t.code
           and ${visible.sql} order by f.document_id limit $3) x
       where t.group_id = $1 and t.category_code = any($2::text[]) order by x."documentCode" collate "C"`,
      [tx.groupId, codes, EXAMPLES, ...visible.params],
    );
  }
}
