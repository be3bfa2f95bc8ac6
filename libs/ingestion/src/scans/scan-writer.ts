import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { WorkSignals } from '@acervo/platform-queue';
import { AttachmentReview } from './attachment.review';
import type { Root } from '../locations/location.store';
import { FEW } from '../kernel/priority';
import { ACQUIRE, EXTRACT } from '../kernel/stages';
import type { RecordedDocument } from './compare';
import type { Difference } from './difference';
import { InventoryStore } from './inventory.store';
import type { ScanSummary } from './scan-summary';
import type { ScanLock } from './scan-locks';

/** The counts of a scan so far. */
export type Done = { -readonly [K in 'seen' | 'added' | 'changed' | 'missing']: ScanSummary[K] };

/** One active scan. */
export interface Scan {
  readonly scope: TenantScope;
  readonly root: Root;
  readonly lock: ScanLock;
  readonly done: Done;
  /** Called after each batch. */
  readonly progress?: (() => Promise<void>) | undefined;
}

/** Rows per transaction: where one session serves all connections, no request waits longer than for these. */
const BATCH = 40;

/** Writes the outcome of a scan, in short transactions with pauses for other work. */
@Injectable()
export class ScanWriter {
  constructor(
    private readonly inventory: InventoryStore,
    private readonly attachments: AttachmentReview,
    private readonly workSignals: WorkSignals,
    private readonly failpoints: Failpoints,
  ) {}

  /** Writes the changes of documents. Moves come first: a new file may take the place that a document left. */
  async write(
    scan: Scan,
    { decisions, unknown }: Pick<Difference, 'decisions' | 'unknown'>,
    gone: readonly RecordedDocument[],
  ): Promise<void> {
    const { inventory } = this;
    const { scope, root, lock, done } = scan;
    const begun = unknown.length + decisions.filter(({ restart, retried }) => restart && !retried).length;
    const writing = { lock, urgent: begun <= FEW };
    await this.inBatches(scan, decisions, async (batch) => {
      await inventory.apply(scope, writing, batch);
      await this.workSignals.notify(scope.groupId, ACQUIRE.name);
      done.changed += batch.filter(({ contentChanged }) => contentChanged).length;
    });
    await this.inBatches(scan, unknown, async (batch) => {
      done.added += await inventory.add(scope, root, writing, batch);
      await this.workSignals.notify(scope.groupId, ACQUIRE.name);
    });
    await this.inBatches(scan, gone, async (batch) => {
      done.missing += await inventory.miss(scope, lock, batch);
    });
  }

  /** Restarts attachments with changed settings, or whose failure may be over. */
  async reviewAttachments(scan: Scan): Promise<void> {
    const { scope, root, lock } = scan;
    const { attachments } = this;
    const due = await attachments.due(scope, root);
    await this.inBatches(scan, due, (batch) => attachments.restart(scope, lock, batch));
    if (due.length > 0) await this.workSignals.notify(scope.groupId, EXTRACT.name);
  }

  private async inBatches<T>(
    { progress }: Scan,
    items: readonly T[],
    write: (batch: readonly T[]) => Promise<unknown>,
  ): Promise<void> {
    for (let from = 0; from < items.length; from += BATCH) {
      const started = performance.now();
      await write(items.slice(from, from + BATCH));
      this.failpoints.hit('scan.batch');
      await progress?.();
      if (from + BATCH < items.length) await pause(Math.min(50, performance.now() - started));
    }
  }
}
