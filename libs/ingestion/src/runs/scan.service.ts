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
import type { KnownDocument } from './compare';
import type { Difference, TreeDifference } from './difference';
import { InTurn } from './in-turn';
import { ScanCancelled, type ScanTurn, type ScanTurns } from './scan-turns';
import type { InventoryStore } from './inventory.store';
import { AWAITED_EVERY_MS, type RunStore } from './run.store';
import { cancelledAfter, DELETED, EXCLUSIONS_UNREADABLE, type ScanSummary, UNREADABLE } from './scan-summary';

export interface ScanOrder {
  /** The run that the scan belongs to. */
  readonly run: number;
  /** Most documents gone at once are believed to be gone. */
  readonly acceptDeletions: boolean;
  /** Told after each batch. */
  readonly progress?: () => Promise<void>;
}

/** What a scan has written so far. */
type Done = { -readonly [K in 'seen' | 'added' | 'changed' | 'missing']: ScanSummary[K] };

/** One scan while it is at work. */
interface Scan {
  readonly scope: TenantScope;
  readonly root: Root;
  readonly order: ScanOrder;
  readonly turn: ScanTurn;
  readonly done: Done;
}

/** Rows that one transaction writes: where one session serves all, nobody waits longer than for these. */
const BATCH = 40;

export interface ScanParts {
  readonly differences: TreeDifference;
  readonly inventory: InventoryStore;
  readonly turns: ScanTurns;
  readonly runs: Pick<RunStore, 'awaited' | 'begin'>;
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

  /**
   * Two scans of one root at a time would each make the folders that are new; the later one waits. A scan whose run is
   * cancelled answers what it had done.
   */
  async scan(scope: TenantScope, root: Root, order: ScanOrder): Promise<ScanSummary> {
    const { run, progress: waiting } = order;
    const done: Done = { seen: 0, added: 0, changed: 0, missing: 0 };
    const now = (turn: ScanTurn): Promise<ScanSummary> => this.scanNow({ scope, root, order, turn, done });
    const taken = (tx: Transaction): Promise<void> => this.parts.runs.begin(tx, root, run);
    // Where the database is away, nobody else begins either.
    const waits = (): void => void this.parts.runs.awaited(scope, run).catch(() => undefined);
    const timer = setInterval(waits, AWAITED_EVERY_MS);
    try {
      return await this.inTurn.run(`${scope.groupId}/${root.code}`, () =>
        this.parts.turns.hold(scope, { root, run, waiting, taken }, now),
      );
    } catch (error) {
      if (error instanceof ScanCancelled) return cancelledAfter(done);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  private async scanNow(scan: Scan): Promise<ScanSummary> {
    const { scope, root, order, turn, done } = scan;
    if ((await this.parts.locations.find(scope, root.code)) === undefined) return DELETED;
    const found = await this.look(root);
    if (found instanceof RootUnreadable) return found.forExclusions ? EXCLUSIONS_UNREADABLE : UNREADABLE;
    done.seen = found.files.length;
    const present = await this.parts.inventory.present(scope, root);
    const accepted = order.acceptDeletions;
    const difference = await this.parts.differences.find(scope, root, found, { turn, accepted });
    const { absent, unseen, vanished } = difference;
    const { gone, doubted, notice } = judgeAbsence({ absent, present, unseen, accepted });
    await this.carryOut(scan, difference, gone);
    // What documents are not believed of, folders are not either.
    const removed = vanished.filter((folder) => accepted || !unseen.coversFolder(folder));
    if (doubted === 0) await this.parts.locations.remove(scope, turn, codesOf(removed));
    await this.reviewAttachments(scan);
    await this.parts.doorbells.ring(scope.groupId, EXTRACT.name);
    return { ...done, ...unseen.counts, ignored: countsOf(found.ignored), doubted, notice };
  }

  /** Writes what follows for documents. Moves first: what is new may take the place that a document has left. */
  private async carryOut(
    scan: Scan,
    { decisions, unknown }: Difference,
    gone: readonly KnownDocument[],
  ): Promise<void> {
    const { inventory } = this.parts;
    const { scope, root, turn, done } = scan;
    const begun = unknown.length + decisions.filter(({ restart, retried }) => restart && !retried).length;
    const writing = { turn, urgent: begun <= FEW };
    await this.inBatches(scan, decisions, async (batch) => {
      await inventory.apply(scope, writing, batch);
      done.changed += batch.filter(({ contentChanged }) => contentChanged).length;
    });
    await this.inBatches(scan, unknown, async (batch) => {
      done.added += await inventory.add(scope, root, writing, batch);
    });
    await this.inBatches(scan, gone, async (batch) => {
      done.missing += await inventory.miss(scope, turn, batch);
    });
  }

  private async reviewAttachments(scan: Scan): Promise<void> {
    const { scope, root, turn } = scan;
    const { attachments } = this.parts;
    await this.inBatches(scan, await attachments.due(scope, root), (batch) => attachments.restart(scope, turn, batch));
  }

  private async look(root: Root): Promise<Walk | RootUnreadable> {
    try {
      return await walk(root.path, root.name, { mostBytes: this.parts.mostBytes });
    } catch (error) {
      if (error instanceof RootUnreadable) return error;
      throw error;
    }
  }

  /** Writes in short transactions, rings after each, and leaves as much time to others as it took. */
  private async inBatches<T>(
    { scope, order }: Scan,
    items: readonly T[],
    write: (batch: readonly T[]) => Promise<unknown>,
  ): Promise<void> {
    for (let from = 0; from < items.length; from += BATCH) {
      const started = performance.now();
      await write(items.slice(from, from + BATCH));
      this.parts.failpoints.hit('scan.batch');
      await this.parts.doorbells.ring(scope.groupId, ACQUIRE.name);
      await order.progress?.();
      await pause(Math.min(50, performance.now() - started));
    }
  }
}
