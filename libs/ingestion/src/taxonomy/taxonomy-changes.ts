import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { ClassificationBacklog } from './classification-backlog';

/** Locks and versions of the taxonomy of a group. Documents that were classified under an earlier version are stale. */
@Injectable()
export class TaxonomyChanges {
  constructor(private readonly backlog: ClassificationBacklog) {}

  /**
   * Locks the taxonomy of the group until the transaction ends. Every change takes this lock first, so two concurrent
   * ones neither make a cycle nor exceed a bound.
   */
  async lock(tx: Transaction): Promise<void> {
    await tx.query(
      `insert into ingestion.taxonomy (group_id, version) values ($1, 0)
       on conflict (group_id) do update set version = taxonomy.version`,
      [tx.groupId],
    );
  }

  /** A type or a boundary changed: every document that may have the type is stale. */
  async typesChanged(tx: Transaction): Promise<void> {
    await this.backlog.typesChanged(tx, await this.raise(tx));
  }

  /** The features of a type changed: documents of this type and of the types below it are stale. */
  async featuresChanged(tx: Transaction, typeCode: string): Promise<void> {
    await this.backlog.featuresChanged(tx, await this.raise(tx), typeCode);
  }

  private async raise(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ version: number }>(
      `insert into ingestion.taxonomy as t (group_id, version) values ($1, 1)
       on conflict (group_id) do update set version = t.version + 1 returning version::float8 as version`,
      [tx.groupId],
    );
    return row?.version ?? 1;
  }
}
