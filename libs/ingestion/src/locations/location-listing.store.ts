import { Injectable } from '@nestjs/common';
import { type LocationItem, NotFound, type PathStep } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';

export interface LocationQuery {
  readonly visibility: Visibility;
  readonly parentCode: string | undefined;
  readonly query: string | undefined;
  /** The code after which the page begins. */
  readonly after: string | null;
  readonly limit: number;
}

/** A folder that exists and is visible to the caller. */
const seen = (visibility: Visibility, alias: string, first: number): { sql: string; params: readonly unknown[] } => {
  const visible = visibilitySql(visibility, alias, first);
  return { sql: `${alias}.removed_at is null and ${visible.sql}`, params: visible.params };
};

/** Folders as a caller sees them: invisible folders above the visible ones are absent. */
@Injectable()
export class LocationListing {
  /** One page by code. What lies below a visible folder is visible: it carries the folder among its ancestors. */
  list(tx: Transaction, { visibility, parentCode, query, after, limit }: LocationQuery): Promise<LocationItem[]> {
    const visible = seen(visibility, 'l', 5);
    const above = seen(visibility, 'p', 5 + visible.params.length);
    return tx.query<LocationItem>(
      `select l.code, l.name, p.code as "parentCode", l.entity_code as "entityCode",
         exists (select from ingestion.location c where c.group_id = l.group_id and c.parent_code = l.code
           and c.removed_at is null) as "hasChildren"
       from ingestion.location l
       left join ingestion.location p on p.group_id = l.group_id and p.code = l.parent_code and ${above.sql}
       where ${visible.sql} and ($1::text is null or p.code = $1)
         and ($2::text is null or position(lower($2) in lower(l.name)) > 0 or position(lower($2) in lower(l.code)) > 0)
         and ($3::text is null or l.code collate "C" > $3)
       order by l.code collate "C" limit $4`,
      [parentCode ?? null, query ?? null, after, limit, ...visible.params, ...above.params],
    );
  }

  /** @throws NotFound for an absent or invisible folder: one query, one answer */
  async assertSeen(tx: Transaction, visibility: Visibility, code: string): Promise<void> {
    const visible = seen(visibility, 'l', 2);
    const rows = await tx.query(`select from ingestion.location l where l.code = $1 and ${visible.sql}`, [
      code,
      ...visible.params,
    ]);
    if (rows.length === 0) throw new NotFound();
  }

  /** A folder with the visible folders above it, from the top down. */
  path(tx: Transaction, visibility: Visibility, code: string): Promise<PathStep[]> {
    const visible = seen(visibility, 'l', 2);
    return tx.query<PathStep>(
      `select l.code, l.name from ingestion.location l
       where l.code in (select unnest(own.location_ancestors) from ingestion.location own
           where own.group_id = l.group_id and own.code = $1) and ${visible.sql}
       order by cardinality(l.location_ancestors)`,
      [code, ...visible.params],
    );
  }
}
