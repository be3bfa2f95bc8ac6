import { Injectable } from '@nestjs/common';
import type { NeighborDocument } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';

/** Relations between documents. */
@Injectable()
export class EdgesStore {
  /** Other visible documents that share something with this one, most shared first: so far, its folder. */
  neighbors(
    tx: Transaction,
    visibility: Visibility,
    { code, locationCode }: { readonly code: string; readonly locationCode: string },
    limit: number,
  ): Promise<NeighborDocument[]> {
    const visible = visibilitySql(visibility, 'd', 4);
    return tx.query<NeighborDocument>(
      `select d.code, d.name, d.status, d.path as location, d.location_code as "locationCode", 1 as "sharedEdges"
       from ingestion.document d
       where d.location_code = $1 and d.code <> $2 and d.deleted_at is null and ${visible.sql}
       order by "sharedEdges" desc, d.code collate "C" limit $3`,
      [locationCode, code, limit, ...visible.params],
    );
  }
}
