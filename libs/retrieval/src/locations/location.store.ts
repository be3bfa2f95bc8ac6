import { Injectable } from '@nestjs/common';
import type { LocationDescribed } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';

/** Folders as events describe them. Only events write them; the later revision wins. */
@Injectable()
export class LocationStore {
  async describe(tx: Transaction, fact: LocationDescribed): Promise<void> {
    const { code, revision, removed, entityCode, ancestors } = fact;
    await tx.query(
      `insert into retrieval.location as l (group_id, code, revision, removed, entity_code, location_ancestors)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (group_id, code) do update set revision = excluded.revision, removed = excluded.removed,
         entity_code = excluded.entity_code, location_ancestors = excluded.location_ancestors
         where l.revision < excluded.revision`,
      [tx.groupId, code, revision, removed, entityCode, ancestors],
    );
  }

  /** Whether a caller sees a folder: absent and invisible are one answer, an empty folder is visible. */
  async sees(tx: Transaction, visibility: Visibility, code: string): Promise<boolean> {
    const visible = visibilitySql(visibility, 'l', 2);
    const sql = `select from retrieval.location l where l.code = $1 and not l.removed and ${visible.sql}`;
    return (await tx.prepared(sql, [code, ...visible.params])).length > 0;
  }
}
