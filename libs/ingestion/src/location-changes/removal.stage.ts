import { Injectable } from '@nestjs/common';
import { revive } from '@acervo/contracts';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { assertNotInterrupted, type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ChangeStore } from '../documents/change.store';
import { SNAPSHOT_SQL, type DocumentSnapshot } from '../documents/document-snapshot';
import { REMOVE, RemovedRoot } from '../kernel/stages';
import { type ScanLock, ScanLocks } from '../scans/scan-locks';
import { LocationEvents } from '../locations/location-events';
import { WebPageStore } from '../web-sources/web-page.store';
import { markDeleted, selectAffected } from './removal';

/** Documents, or folders, that one transaction deletes. */
const BATCH = 20;

const rootOf = ({ payload }: Lease): string => revive(RemovedRoot, payload).root;

/**
 * Deletes the content of a deleted location in small batches, under its scan lock. No scan of it runs meanwhile, and
 * none begins.
 */
@Injectable()
export class RemovalStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly scanLocks: ScanLocks,
    private readonly changes: ChangeStore,
    private readonly locationEvents: LocationEvents,
    private readonly webPages: WebPageStore,
  ) {}

  @RunsStage(REMOVE)
  async remove(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const { tasks, scanLocks, database } = this;
    const keeper = new LeaseKeeper(tasks, leases, REMOVE.leaseSeconds);
    for (const lease of leases) {
      const root = { code: rootOf(lease) };
      const waiting = (): Promise<void> => {
        assertNotInterrupted(stopping);
        return keeper.keep(lease);
      };
      await scanLocks.withLock(scope, { root, run: 0, waiting }, async (lock) => {
        const inBatches = async (step: (tx: Transaction) => Promise<boolean>): Promise<void> => {
          while (await database.write(scope, (tx) => this.underLock(tx, lock, step))) await waiting();
        };
        // An earlier scan may have registered more folders meanwhile. No further scan begins.
        await database.write(scope, (tx) => this.underLock(tx, lock, () => markDeleted(tx, root.code)));
        await inBatches((tx) => this.removeDocuments(tx, root.code));
        await database.write(scope, (tx) => this.underLock(tx, lock, () => this.webPages.remove(tx, root.code)));
        let publishedUpTo = '';
        await inBatches(async (tx) => (publishedUpTo = await this.publishFolders(tx, root.code, publishedUpTo)) !== '');
      });
      await database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
    }
  }

  private async underLock<T>(tx: Transaction, lock: ScanLock, step: (tx: Transaction) => Promise<T>): Promise<T> {
    await lock.assertOwned(tx);
    return step(tx);
  }

  /**
   * Deletes each document as a single deletion does, provided that the root is deleted; answers whether there may be
   * more.
   */
  private async removeDocuments(tx: Transaction, rootCode: string): Promise<boolean> {
    const { rows, params } = selectAffected(tx, rootCode);
    const documents = await tx.query<DocumentSnapshot>(
      `${SNAPSHOT_SQL} where ${rows.documents.where}
         and exists (select from ingestion.location l
           where l.group_id = $1 and l.code = $2 and l.deleted_at is not null)
       order by d.depth, d.document_id limit ${BATCH} for update`,
      params,
    );
    for (const document of documents) await this.changes.delete(tx, document);
    return documents.length > 0;
  }

  /** Answers the code of the last published folder; empty after the last one. */
  private async publishFolders(tx: Transaction, rootCode: string, after: string): Promise<string> {
    const { rows, params } = selectAffected(tx, rootCode);
    const folders = await tx.query<{ code: string }>(
      `select l.code from ${rows.folders.from} where ${rows.folders.where} and l.code collate "C" > $3
       order by l.code collate "C" limit ${BATCH}`,
      [...params, after],
    );
    const codes = folders.map(({ code }) => code);
    await this.locationEvents.publish(tx, codes);
    await this.locationEvents.publishDeleted(tx, rootCode, codes);
    return codes.at(-1) ?? '';
  }
}
