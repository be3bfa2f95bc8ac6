import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { type ClassificationRound, CLASSIFY_AGAIN } from '../kernel/stages';
import { UPKEEP_PRIORITY } from '../kernel/upkeep';

/** The documents that a round looks at, as the generation of its task. */
export const ROUNDS = {
  /** Documents classified at an earlier version, and those that wait for a vector: both are found by an index. */
  stale: 1,
  /** Every document, also those that were never classified. */
  every: 2,
} as const;
export type RoundKind = keyof typeof ROUNDS;

/** What comes next of a round; a new one begins at the first document. */
export interface NextRound extends Partial<ClassificationRound> {
  readonly delayMs?: number;
}

/** Schedules the classification of documents that a change of the taxonomy may concern. */
@Injectable()
export class ClassificationBacklog {
  constructor(private readonly tasks: Tasks) {}

  /** In the transaction that raises the taxonomy to this version: every document of the group may move. */
  async typesChanged(tx: Transaction, version: number): Promise<void> {
    await this.note(tx, version, null);
    await this.enqueue(tx, 'every');
  }

  /** In the transaction that raises the taxonomy to this version: documents of this type, and below it, may change. */
  async featuresChanged(tx: Transaction, version: number, typeCode: string): Promise<void> {
    await this.note(tx, version, typeCode);
    await this.enqueue(tx, 'stale');
  }

  /** Outside traces: its documents come from many requests. */
  enqueue(tx: Transaction, kind: RoundKind, { delayMs = 0, ...round }: NextRound = {}): Promise<void> {
    return outsideTraces(() =>
      this.tasks.enqueue(tx, {
        ...{ subjectId: tx.groupId ?? '', stage: CLASSIFY_AGAIN.name, generation: ROUNDS[kind] },
        ...{ priority: UPKEEP_PRIORITY, payload: { postponed: 0, ...round }, delayMs },
      }),
    );
  }

  /**
   * Schedules a look at every document where the group describes types: for documents that other programs worked on.
   * The removal of the last type schedules its own round.
   */
  async lookAtEvery(tx: Transaction): Promise<void> {
    const rows = await tx.query(`select from ingestion.document_type where group_id = $1 limit 1`, [tx.groupId]);
    if (rows.length > 0) await this.enqueue(tx, 'every');
  }

  private async note(tx: Transaction, version: number, typeCode: string | null): Promise<void> {
    await tx.query(
      `insert into ingestion.taxonomy_change (group_id, version, type_code) values ($1, $2, $3)
       on conflict (group_id, version) do update set type_code = null`,
      [tx.groupId, version, typeCode],
    );
  }
}
