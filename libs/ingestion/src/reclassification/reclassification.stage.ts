import { Injectable } from '@nestjs/common';
import { revive } from '@acervo/contracts';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { assertNotInterrupted, type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { LeaseRenewal } from '../kernel/lease-renewal';
import { ClassificationRound, CLASSIFY_AGAIN } from '../kernel/stages';
import { ClassificationBacklog, type NextRound, type RoundKind, ROUNDS } from '../taxonomy/classification-backlog';
import { OpeningVectors } from '../classification/opening-vectors';
import { Reclassification, SLICE } from './reclassification';
import { StaleDocumentsStore } from './stale-documents.store';

/** Longest time of one task before it lets other work run. */
const STEP_MS = 500;
/** While documents wait for their steps, the round waits this long. */
const PUT_OFF_MS = 1_000;
/** Most postponements: a group that is never idle is classified all the same, one step at a time. */
const MOST_PUT_OFF = 60;
/** Wait for an embedder that did not answer. */
const EMBEDDER_AWAY_MS = 30_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Where a round stands after a slice. */
interface Position {
  readonly after: string;
  readonly isOver: boolean;
  /** False once the embedder did not answer: this task asks it no further. */
  readonly mayEmbed: boolean;
}

/** One task, until it lets other work run. */
interface Step {
  readonly round: ClassificationRound;
  readonly stopping: AbortSignal;
  readonly progress: () => void;
}

/**
 * Classifies the documents of a group again, a step at a time. It ends once every document is at the present version of
 * the taxonomy; a killed worker repeats one slice.
 */
@Injectable()
export class ReclassificationStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly stale: StaleDocumentsStore,
    private readonly backlog: ClassificationBacklog,
    private readonly reclassification: Reclassification,
    private readonly vectors: OpeningVectors,
  ) {}

  @RunsStage(CLASSIFY_AGAIN)
  async work(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    for (const lease of leases) {
      const round = revive(ClassificationRound, lease.payload ?? {});
      if (round.postponed < MOST_PUT_OFF && (await this.database.read(scope, (tx) => this.stale.documentsWait(tx)))) {
        const { postponed } = round;
        await this.goOn(scope, lease, { ...round, postponed: postponed + 1, delayMs: PUT_OFF_MS });
        continue;
      }
      // A slice may take longer than the lease: it reads texts, and asks an embedder.
      const renewal = new LeaseRenewal(this.tasks, [lease], CLASSIFY_AGAIN.leaseSeconds);
      try {
        await this.step(scope, lease, { round, stopping, progress: renewal.progress });
      } finally {
        await renewal.close();
      }
    }
  }

  private async step(scope: WorkScope, lease: Lease, { round, stopping, progress }: Step): Promise<void> {
    const end = performance.now() + STEP_MS;
    // A round over every document ends where it began, at the version that it began with.
    const version = round.version ?? (await this.database.read(scope, (tx) => this.stale.version(tx)));
    let position: Position = { after: round.after ?? FIRST, isOver: false, mayEmbed: this.vectors.isPossible };
    while (!position.isOver) {
      assertNotInterrupted(stopping);
      position = await this.slice(scope, kindOf(lease), position);
      const { after } = position;
      if (!position.isOver && performance.now() >= end)
        return this.goOn(scope, lease, { after, version, postponed: 0 });
      progress();
    }
    await this.end(scope, lease, version);
  }

  private async slice(scope: WorkScope, kind: RoundKind, position: Position): Promise<Position> {
    const { database, stale, reclassification } = this;
    const { after, mayEmbed } = position;
    const isRound = kind === 'every';
    const rows = await database.read(scope, async (tx) =>
      isRound ? stale.every(tx, after, SLICE) : stale.stale(tx, await stale.version(tx), SLICE),
    );
    const last = rows.at(-1)?.documentId;
    if (last !== undefined) {
      const { lacksVectors } = await reclassification.classify(scope, rows, mayEmbed);
      const isOver = isRound && rows.length < SLICE;
      return { after: isRound ? last : after, isOver, mayEmbed: mayEmbed && !lacksVectors };
    }
    return isRound || !mayEmbed ? { ...position, isOver: true } : this.awaiting(scope, position);
  }

  /** Documents that wait for a vector; where the embedder is away the round ends. */
  private async awaiting(scope: WorkScope, position: Position): Promise<Position> {
    const rows = await this.database.read(scope, (tx) => this.stale.awaiting(tx, position.after, SLICE));
    const last = rows.at(-1)?.documentId;
    if (last === undefined) return { ...position, isOver: true };
    const { lacksVectors } = await this.reclassification.classify(scope, rows, true);
    return { after: last, isOver: lacksVectors, mayEmbed: !lacksVectors };
  }

  private goOn(scope: WorkScope, lease: Lease, next: NextRound): Promise<void> {
    return this.database.write(scope, async (tx) => {
      await this.tasks.complete(tx, lease);
      await this.backlog.enqueue(tx, kindOf(lease), next);
    });
  }

  /**
   * Ends the round, or begins another one. The task is complete before the documents are looked at: a change that comes
   * at the same time waits for its row, and enqueues it again.
   */
  private end(scope: WorkScope, lease: Lease, began: number): Promise<void> {
    return this.database.write(scope, async (tx) => {
      await this.tasks.complete(tx, lease);
      const version = await this.stale.version(tx);
      if (kindOf(lease) === 'every' && version !== began) await this.backlog.enqueue(tx, 'every');
      else await this.follow(tx, kindOf(lease), version);
    });
  }

  private async follow(tx: Transaction, kind: RoundKind, version: number): Promise<void> {
    const left = await this.stale.left(tx, version);
    if (left.stale) return this.backlog.enqueue(tx, 'stale');
    await this.stale.forgetChanges(tx, version);
    if (!left.awaiting || !this.vectors.isPossible) return;
    await this.backlog.enqueue(tx, 'stale', { delayMs: kind === 'every' ? 0 : EMBEDDER_AWAY_MS });
  }
}

const kindOf = ({ generation }: Lease): RoundKind => (generation === ROUNDS.every ? 'every' : 'stale');
