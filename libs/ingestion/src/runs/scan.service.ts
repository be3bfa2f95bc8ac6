import { setTimeout as pause } from 'node:timers/promises';
import type { IgnoredEntries } from '@acervo/contracts';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import type { Failpoints } from '@acervo/platform-messaging';
import type { Doorbells } from '@acervo/platform-queue';
import type { AttachmentReview } from '../attachments/attachment.review';
import { RootUnreadable, type Walk, walk } from '../files/walk';
import type { LocationStore, Root } from '../locations/location.store';
import { FEW } from '../pipeline/priority';
import { ACQUIRE, EXTRACT } from '../pipeline/stages';
import { judgeAbsence } from './absence';
import type { TreeDifference } from './difference';
import { InTurn } from './in-turn';
import type { ScanTurn, ScanTurns } from './scan-turns';
import type { InventoryStore } from './inventory.store';
import type { RunStore } from './run.store';
import { DELETED, type ScanSummary, UNREADABLE } from './scan-summary';

export interface ScanOrder {
  /** The run that the scan belongs to. */
  readonly run: number;
  /** Most documents gone at once are believed to be gone. */
  readonly acceptDeletions: boolean;
  /** Told after each batch. */
  readonly progress?: () => Promise<void>;
}

/** Rows that one transaction writes: where one session serves all, nobody waits longer than for these. */
const BATCH = 40;

export interface ScanParts {
  readonly differences: TreeDifference;
  readonly inventory: InventoryStore;
  readonly turns: ScanTurns;
  readonly runs: Pick<RunStore, 'begin'>;
  readonly attachments: AttachmentReview;
  readonly locations: Pick<LocationStore, 'remove' | 'find'>;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly failpoints: Failpoints;
  /** Size of a file, in bytes, above which scans leave it out. */
  readonly mostBytes: number;
}

const countsOf = (ignored: Walk['ignored']): IgnoredEntries[] =>
  [...ignored].map(([rule, entries]) => ({ rule, entries })).sort((a, b) => b.entries - a.entries);

const codesOf = (locations: readonly { readonly code: string }[]): string[] => locations.map(({ code }) => code);

/** Finds out what changed below a root and sets the work going that follows from it. */
export class ScanService {
  private readonly inTurn = new InTurn();

  constructor(private readonly parts: ScanParts) {}

  /** Two scans of one root at a time would each make the folders that are new; the later one waits. */
  scan(scope: TenantScope, root: Root, order: ScanOrder): Promise<ScanSummary> {
    const { run, progress: waiting } = order;
    const now = (turn: ScanTurn): Promise<ScanSummary> => this.scanNow(scope, root, order, turn);
    const taken = (tx: Transaction): Promise<void> => this.parts.runs.begin(tx, root, run);
    return this.inTurn.run(`${scope.groupId}/${root.code}`, () =>
      this.parts.turns.hold(scope, { root, run, waiting, taken }, now),
    );
  }

  private async scanNow(scope: TenantScope, root: Root, order: ScanOrder, turn: ScanTurn): Promise<ScanSummary> {
    if ((await this.parts.locations.find(scope, root.code)) === undefined) return DELETED;
    const found = await this.look(root);
    if (found === undefined) return UNREADABLE;
    const { inventory, attachments, locations } = this.parts;
    const present = await inventory.present(scope, root);
    const accepted = order.acceptDeletions;
    const difference = await this.parts.differences.find(scope, root, found, { turn, accepted });
    const { decisions, unknown, unseen } = difference;
    const { gone, doubted, notice } = judgeAbsence({ absent: difference.absent, present, unseen, accepted });
    const inBatches = async <T>(
      items: readonly T[],
      write: (batch: readonly T[]) => Promise<number>,
    ): Promise<number> => this.inBatches(scope, items, write, order.progress);
    const begun = unknown.length + decisions.filter(({ restart }) => restart).length;
    const writing = { turn, urgent: begun <= FEW };
    // Moves first: what is new may take the place that a document has left.
    await inBatches(decisions, (batch) => inventory.apply(scope, writing, batch));
    const added = await inBatches(unknown, (batch) => inventory.add(scope, root, writing, batch));
    const missing = await inBatches(gone, (batch) => inventory.miss(scope, turn, batch));
    // What documents are not believed of, folders are not either.
    const vanished = difference.vanished.filter((folder) => accepted || !unseen.coversFolder(folder));
    if (doubted === 0) await locations.remove(scope, turn, codesOf(vanished));
    await inBatches(await attachments.due(scope, root), (batch) => attachments.restart(scope, turn, batch));
    await this.parts.doorbells.ring(scope.groupId, EXTRACT.name);
    const changed = decisions.filter(({ contentChanged }) => contentChanged).length;
    const ignored = countsOf(found.ignored);
    return { seen: found.files.length, added, changed, missing, ignored, doubted, unread: unseen.count, notice };
  }

  private async look(root: Root): Promise<Walk | undefined> {
    try {
      return await walk(root.path, root.name, { mostBytes: this.parts.mostBytes });
    } catch (error) {
      if (error instanceof RootUnreadable) return undefined;
      throw error;
    }
  }

  /** Writes in short transactions, rings after each, and leaves as much time to others as it took. */
  private async inBatches<T>(
    scope: TenantScope,
    items: readonly T[],
    write: (batch: readonly T[]) => Promise<number>,
    progress: ScanOrder['progress'],
  ): Promise<number> {
    let written = 0;
    for (let from = 0; from < items.length; from += BATCH) {
      const started = performance.now();
      written += await write(items.slice(from, from + BATCH));
      this.parts.failpoints.hit('scan.batch');
      await this.parts.doorbells.ring(scope.groupId, ACQUIRE.name);
      await progress?.();
      await pause(Math.min(50, performance.now() - started));
    }
    return written;
  }
}
