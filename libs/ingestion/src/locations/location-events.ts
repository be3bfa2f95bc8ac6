import { Injectable } from '@nestjs/common';
import { locationDescribed, type LocationDescribed, locationsDeleted } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';

/** Publishes events about folders. */
@Injectable()
export class LocationEvents {
  constructor(private readonly outbox: Outbox) {}

  /** For retrieval; each event takes the next revision of its folder. */
  async publish(tx: Transaction, codes: readonly string[]): Promise<void> {
    const events = await tx.query<LocationDescribed>(
      `update ingestion.location l set revision = revision + 1 where group_id = $1 and code = any($2::text[])
       returning code, revision, name, parent_code as "parentCode", entity_code as "entityCode",
         location_ancestors as ancestors, removed_at is not null as removed`,
      [tx.groupId, codes],
    );
    for (const fact of events) await this.outbox.append(tx, locationDescribed, fact);
  }

  /** For auth: folders that were deleted with their root. */
  async publishDeleted(tx: Transaction, rootCode: string, codes: readonly string[]): Promise<void> {
    if (codes.length > 0) await this.outbox.append(tx, locationsDeleted, { rootCode, codes });
  }
}
