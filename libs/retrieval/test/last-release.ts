import { randomUUID } from 'node:crypto';
import type { Transaction } from '@acervo/platform-database';

/** How programs of the last release store a fact: they know no column of spaces. */
const STORE = `
  insert into retrieval.document as d (group_id, document_id, revision, withdrawn, code, name, title, summary, entity_code,
    location_code, location_ancestors, home_var, relative_path, path, origin, type_codes, attribute_codes, characteristic_codes)
  select $1, document_id, $3::int, false, 'D' || document_id, 'acta.txt', null, '', 'E1', 'L1', '{L1}', null, '', '', 'CARPETA',
    $4::text[], '{}', '{}' from unnest($2::uuid[]) as f (document_id)
  on conflict (group_id, document_id) do update set revision = excluded.revision, withdrawn = false, code = excluded.code,
    name = excluded.name, type_codes = excluded.type_codes where d.revision < excluded.revision`;

export const storeAsLastRelease = async (
  tx: Transaction,
  documentIds: readonly string[],
  revision: number,
  typeCodes: readonly string[] = [],
): Promise<void> => {
  await tx.query(STORE, [tx.groupId, documentIds, revision, typeCodes]);
};

export const newIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
