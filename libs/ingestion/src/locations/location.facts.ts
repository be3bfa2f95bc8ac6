import { locationDescribed, type LocationDescribed, locationsDeleted } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Outbox } from '@acervo/platform-messaging';

/** Tells others about folders. */
export class LocationFacts {
  constructor(private readonly outbox: Outbox) {}

  /** What retrieval is told of; each fact takes the next revision of its folder. */
  async tell(tx: Transaction, codes: readonly string[]): Promise<void> {
    const facts = await tx.query<LocationDescribed>(
      `update ingestion.location l set revision = revision + 1 where group_id = $1 and code = any($2::text[])
       returning code, revision, name, parent_code as "parentCode", entity_code as "entityCode",
         location_ancestors as ancestors, removed_at is not null as removed`,
      [tx.groupId, codes],
    );
    for (const fact of facts) await this.outbox.append(tx, locationDescribed, fact);
  }

  /** What auth is told of folders that went with their root. */
  async tellDeleted(tx: Transaction, rootCode: string, codes: readonly string[]): Promise<void> {
    if (codes.length > 0) await this.outbox.append(tx, locationsDeleted, { rootCode, codes });
  }
}
