import { Injectable } from '@nestjs/common';
import { type FeatureCategoryItem, type FeatureCategoryUpdate, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { FeatureCategory } from './taxonomy';
import { TaxonomyConflict } from './taxonomy.errors';
import type { TypeReach } from './type-reach';

/** A category as it is stored. */
export interface CategoryRow extends Omit<FeatureCategoryItem, 'isInherited' | 'pageAt'> {
  /** The entity of its type. */
  readonly entityCode: string | null;
  readonly pageAt: Date | null;
}

const ROW = `select c.code, c.type_code as "documentTypeCode", c.name, c.description, c.kind, c.value_kind as "valueKind",
  c.page, c.page_at as "pageAt", t.entity_code as "entityCode"
from ingestion.feature_category c join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code
where c.group_id = $1`;

/** Categories of features. One whose type is out of the caller's reach counts as missing. */
@Injectable()
export class CategoryStore {
  /** The categories of some types, by code. */
  ofTypes(tx: Transaction, typeCodes: readonly string[]): Promise<CategoryRow[]> {
    return tx.query<CategoryRow>(`${ROW} and c.type_code = any($2::text[]) order by c.code collate "C"`, [
      tx.groupId,
      typeCodes,
    ]);
  }

  /** @throws NotFound */
  async get(tx: Transaction, { entities }: TypeReach, code: string): Promise<CategoryRow> {
    const [row] = await tx.query<CategoryRow>(
      `${ROW} and c.code = $2 and ($3::text[] is null or t.entity_code is null or t.entity_code = any($3))`,
      [tx.groupId, code, entities],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }

  async count(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ categories: number }>(
      `select count(*)::int as categories from ingestion.feature_category where group_id = $1`,
      [tx.groupId],
    );
    return row?.categories ?? 0;
  }

  /** @throws TaxonomyConflict for a code that is taken. */
  async create(tx: Transaction, category: FeatureCategory): Promise<void> {
    const { code, typeCode, name, description, kind, valueKind } = category;
    const made = await tx.query(
      `insert into ingestion.feature_category (group_id, code, type_code, name, description, kind, value_kind)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning code`,
      [tx.groupId, code, typeCode, name, description, kind, valueKind],
    );
    if (made.length === 0) throw new TaxonomyConflict('CODE_TAKEN');
  }

  async update(tx: Transaction, { categoryCode, name, description, valueKind }: FeatureCategoryUpdate): Promise<void> {
    await tx.query(
      `update ingestion.feature_category set name = coalesce($3, name), description = coalesce($4, description),
         value_kind = coalesce($5, value_kind), updated_at = now() where group_id = $1 and code = $2`,
      [tx.groupId, categoryCode, name ?? null, description ?? null, valueKind ?? null],
    );
  }

  /** Removes a category with its features. */
  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(`delete from ingestion.feature_category where group_id = $1 and code = $2`, [tx.groupId, code]);
  }

  /** Stores a compiled page; answers when. */
  async keepPage(tx: Transaction, code: string, page: string): Promise<Date> {
    const [row] = await tx.query<{ at: Date }>(
      `update ingestion.feature_category set page = $3, page_at = now() where group_id = $1 and code = $2
       returning page_at as at`,
      [tx.groupId, code, page],
    );
    if (row === undefined) throw new NotFound();
    return row.at;
  }
}
