import { Injectable } from '@nestjs/common';
import type { IgnoredEntries } from '@acervo/contracts';
import type { Walk } from '@acervo/files';
import type { TenantScope } from '@acervo/platform-database';
import { unlessInterrupted } from '@acervo/platform-queue';
import { LocationStore, type Root } from '../locations/location.store';
import { judgeAbsence } from './absence';
import { TreeDifference } from './difference';
import { InventoryStore } from './inventory.store';
import { RootWalk } from './root-walk';
import { RunLock } from './run-lock';
import { cancelledAfter, DELETED, type ScanSummary } from './scan-summary';
import { ScanCancelled } from './scan-locks';
import { type Done, type Scan, ScanWriter } from './scan-writer';

export interface ScanOrder {
  /** The run that the scan belongs to. */
  readonly run: number;
  /** The user confirmed that most documents are gone at once. */
  readonly acceptDeletions: boolean;
  /** Called after each batch. */
  readonly progress?: () => Promise<void>;
  /** Aborted when the process ends: the scan releases its root and ends, and its later writes are refused. */
  readonly stopping?: AbortSignal;
}

const countsOf = (ignored: Walk['ignored']): IgnoredEntries[] =>
  [...ignored].map(([rule, entries]) => ({ rule, entries })).sort((a, b) => b.entries - a.entries);

const codesOf = (locations: readonly { readonly code: string }[]): string[] => locations.map(({ code }) => code);

/** Compares a root with its documents and starts the work that follows. */
@Injectable()
export class ScanService {
  constructor(
    private readonly lock: RunLock,
    private readonly locations: LocationStore,
    private readonly inventory: InventoryStore,
    private readonly differences: TreeDifference,
    private readonly writer: ScanWriter,
    private readonly roots: RootWalk,
  ) {}

  /**
   * Two concurrent scans of one root would each register the new folders; the later one waits. A cancelled scan answers
   * what it did before.
   * @throws WorkInterrupted
   */
  async scan(scope: TenantScope, root: Root, order: ScanOrder): Promise<ScanSummary> {
    const { progress, acceptDeletions, stopping } = order;
    const done: Done = { seen: 0, added: 0, changed: 0, missing: 0 };
    try {
      return await this.lock.withLock(scope, root, order, (lock) => {
        const scanned = this.scanNow({ scope, root, lock, done, progress }, acceptDeletions);
        return stopping === undefined ? scanned : unlessInterrupted(scanned, stopping, 0);
      });
    } catch (error) {
      if (error instanceof ScanCancelled) return cancelledAfter(done);
      throw error;
    }
  }

  private async scanNow(scan: Scan, accepted: boolean): Promise<ScanSummary> {
    const { scope, root, lock, done } = scan;
    // The walk needs no database, so it does not wait for it.
    const [registered, present, looked] = await Promise.all([
      this.locations.find(scope, root.code),
      this.inventory.present(scope, root),
      this.roots.look(root),
    ]);
    if (registered === undefined) return DELETED;
    if ('unseen' in looked) return looked.unseen;
    const { found } = looked;
    done.seen = found.files.length;
    const difference = await this.differences.find(scope, root, found, { lock, accepted });
    const { absent, unseen, vanished } = difference;
    const { gone, doubted, notice } = judgeAbsence({ absent, present, unseen, accepted });
    await this.writer.write(scan, difference, gone);
    await this.locations.publishUnpublished(scope, root.code);
    // Folders are doubted like their documents.
    const removed = vanished.filter((folder) => accepted || !unseen.coversFolder(folder));
    if (doubted === 0) await this.locations.remove(scope, lock, codesOf(removed));
    await this.writer.reviewAttachments(scan);
    return { ...done, ...unseen.counts, ignored: countsOf(found.ignored), doubted, notice };
  }
}
