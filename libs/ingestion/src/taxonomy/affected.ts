import type { Selection, Transaction } from '@acervo/platform-database';

/** The live documents that a table of classification has rows of. */
const documentsIn = (table: 'document_class' | 'document_feature', where: string) => ({
  from: 'ingestion.document d',
  where: `d.group_id = $1 and d.deleted_at is null and exists (select from ingestion.${table} k
    where k.group_id = d.group_id and k.document_id = d.document_id and ${where})`,
});

/** What the deletion of a type deletes, is refused by, or classifies again. Its preview counts these rows. */
export const affectedByType = (
  { groupId }: Transaction,
  typeCode: string,
): Selection<'children' | 'categories' | 'features' | 'examples' | 'documents'> => ({
  rows: {
    children: { from: 'ingestion.document_type t', where: 't.group_id = $1 and t.parent_code = $2' },
    categories: { from: 'ingestion.feature_category c', where: 'c.group_id = $1 and c.type_code = $2' },
    features: {
      from: 'ingestion.feature f',
      where: `f.group_id = $1 and exists (select from ingestion.feature_category c where c.group_id = f.group_id
        and c.code = f.category_code and c.type_code = $2)`,
    },
    examples: { from: 'ingestion.type_example e', where: 'e.group_id = $1 and e.type_code = $2' },
    documents: documentsIn('document_class', 'k.type_code = $2'),
  },
  params: [groupId, typeCode],
});

/** What the removal of a category removes; its documents lose the features. */
export const affectedByCategory = (
  { groupId }: Transaction,
  categoryCode: string,
): Selection<'features' | 'documents'> => ({
  rows: {
    features: { from: 'ingestion.feature f', where: 'f.group_id = $1 and f.category_code = $2' },
    documents: documentsIn('document_feature', 'k.category_code = $2'),
  },
  params: [groupId, categoryCode],
});

/** The documents that lose a removed feature. */
export const affectedByFeature = (
  { groupId }: Transaction,
  categoryCode: string,
  code: string,
): Selection<'documents'> => ({
  rows: {
    documents: documentsIn('document_feature', 'k.category_code = $2 and k.code = $3'),
  },
  params: [groupId, categoryCode, code],
});
