import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Logger, outsideTraces } from '@acervo/platform-observability';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { OperationsConfig } from '../operations.config';
import { AnchorStore, type StoredAnchor } from './anchor.store';
import type { AnchoredHead } from './audit-anchor';
import { AuditStore } from './audit.store';

/** Anchors the chain of a group some time after it has grown. */
export const ANCHOR: Stage = { name: 'anchor-audit', batch: 1, leaseSeconds: 60, attempts: 1_000 };

/** Enqueues the next anchor of a group that gets a record; a waiting one covers it. */
@Injectable()
export class AnchorPlan {
  constructor(
    private readonly tasks: Tasks,
    private readonly config: OperationsConfig,
  ) {}

  /** Outside traces: the anchor belongs to all records until then. */
  plan(tx: Transaction): Promise<void> {
    const delayMs = this.config.auditAnchorSeconds * 1_000;
    const task = { subjectId: tx.groupId ?? '', stage: ANCHOR.name, generation: 1, delayMs };
    return outsideTraces(() => this.tasks.enqueue(tx, task));
  }
}

/**
 * Writes the head of a chain, signed, to the object store: a cut or replaced table contradicts it. The last anchor of
 * each day stays for ever.
 */
@Injectable()
export class AnchorStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly store: AuditStore,
    private readonly anchors: AnchorStore,
    private readonly plan: AnchorPlan,
    private readonly logger: Logger,
  ) {}

  @RunsStage(ANCHOR)
  async anchor(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      const head = await this.database.read(scope, (tx) => this.store.soundHead(tx));
      if (head !== undefined) await this.write(scope, head);
      await this.database.write(scope, (tx) => this.end(tx, lease, head?.number ?? 0));
    }
  }

  /** Creates the anchor before it drops those of the same day that it confirms. */
  private async write(scope: WorkScope, head: AnchoredHead): Promise<void> {
    await this.anchors.create(head);
    for await (const page of this.anchors.pages(scope, head.day))
      for (const anchor of page)
        if (await this.isConfirmed(scope, anchor, head)) await this.anchors.drop(scope, anchor);
  }

  /** An earlier head of this chain. Any other one is evidence, and stays. */
  private async isConfirmed(scope: WorkScope, { key, read }: StoredAnchor, head: AnchoredHead): Promise<boolean> {
    if ('head' in read) {
      const { day, number, mac } = read.head;
      const [link] = await this.database.read(scope, (tx) => this.store.macsOf(tx, [number]));
      if (link?.mac.equals(mac) === true) return day === head.day && number < head.number;
    }
    this.logger.error(
      { groupId: scope.groupId, object: key },
      'audit anchor does not fit its chain; run --verify-audit',
    );
    return false;
  }

  /** The task is over before the head is read again: a record that comes later enqueues it again. */
  private async end(tx: Transaction, lease: Lease, anchored: number): Promise<void> {
    await this.tasks.complete(tx, lease);
    const { number } = await this.store.head(tx);
    if (number > anchored) await this.plan.plan(tx);
  }
}
