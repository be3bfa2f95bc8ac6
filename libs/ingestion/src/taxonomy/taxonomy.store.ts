import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { DocumentType, Feature, FeatureCategory, Taxonomy } from './taxonomy';

const TYPES = `select t.code, t.name, t.description, t.parent_code as "parentCode", t.entity_code as "entityCode",
  json_build_object('includes', t.includes, 'excludes', t.excludes, 'rules', t.rules, 'examples', (
    select coalesce(json_agg(e.document_id order by e.document_id), '[]') from ingestion.type_example e
    join ingestion.document d on d.group_id = e.group_id and d.document_id = e.document_id and d.deleted_at is null
    where e.group_id = t.group_id and e.type_code = t.code)) as boundary
from ingestion.document_type t where t.group_id = $1 order by t.code collate "C"`;

const CATEGORIES = `select code, type_code as "typeCode", name, description, kind, value_kind as "valueKind"
from ingestion.feature_category where group_id = $1 order by code collate "C"`;

const FEATURES = `select category_code as "categoryCode", code, name,
  json_build_object('pattern', pattern, 'phrases', phrases) as rule, prompt
from ingestion.feature where group_id = $1 order by category_code collate "C", code collate "C"`;

/** Reads the whole taxonomy of a group. */
@Injectable()
export class TaxonomyStore {
  /** The taxonomy at its present version, which is 0 before the first change. */
  async load(tx: Transaction): Promise<Taxonomy> {
    const group = [tx.groupId];
    const [row] = await tx.query<{ version: number }>(
      `select version::float8 as version from ingestion.taxonomy where group_id = $1`,
      group,
    );
    return {
      version: row?.version ?? 0,
      types: await tx.query<DocumentType>(TYPES, group),
      categories: await tx.query<FeatureCategory>(CATEGORIES, group),
      features: await tx.query<Feature>(FEATURES, group),
    };
  }
}
