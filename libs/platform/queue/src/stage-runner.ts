import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { BackgroundDatabase, type Database, isConnectionLost } from '@acervo/platform-database';
import { beginAtZero, inTraceOf, Telemetry, workContext } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import { BatchSignals } from './batch-signals';
import type { BoundStage } from './stages';
import { StageSpans } from './stage-spans';
import { unlessInterrupted } from './interruption';
import { type Claimed, type Lease, LeaseLost } from './lease';
import { GIVEN_UP, STAGE, WORK } from './queue-metrics';
import { retryOf, StageBackoff } from './stage-retries';
import { Tasks } from './tasks';

/** Hit when a stage has claimed tasks: a test may end the process there. */
export abstract class StageFailpoints {
  /** Nothing is interrupted. */
  static readonly none: StageFailpoints = { hit: () => undefined };

  abstract hit(name: `stage.${string}`): void;
}

/** Reason of a task that is given up because every worker of it died. */
export const WORKER_DIED = 'WorkerDied';
/**
 * Deaths before a task is given up. A suspended machine or a killed program causes some; more are caused by the task
 * itself.
 */
const MOST_DEATHS = 8;

/** Claims tasks of one stage and group by lease, runs them, and returns those that failed. */
@Injectable()
export class StageRunner {
  private readonly seconds;
  private readonly givenUp;
  private readonly pieces;
  private readonly signals = new BatchSignals();

  constructor(
    @Inject(SERVICE_NAME) private readonly service: ServiceName,
    private readonly tasks: Tasks,
    @Inject(BackgroundDatabase) private readonly database: Database,
    private readonly telemetry: Telemetry,
    @Optional() private readonly failpoints: StageFailpoints = StageFailpoints.none,
    @Optional() private readonly backoff: StageBackoff = new StageBackoff(),
  ) {
    const { metrics } = telemetry;
    this.givenUp = metrics.counter(GIVEN_UP);
    this.pieces = metrics.counter(WORK);
    this.seconds = metrics.seconds(STAGE);
  }

  /** Lets the counters of these stages begin at zero; called before the first batch. */
  bind(stages: readonly BoundStage[]): void {
    const names = stages.map(({ stage }) => stage.name);
    beginAtZero(this.pieces, { stage: names, outcome: ['done', 'failed'] });
    beginAtZero(this.givenUp, { stage: names, reason: [WORKER_DIED] });
  }

  /** The process ends: no batch begins, and those in progress are interrupted. Their leases are given back uncounted. */
  interrupt(): void {
    this.signals.abort();
  }

  /**
   * Works one batch, of urgent tasks only where `urgent` is set; answers how many tasks were claimed. A task without a
   * trace of its own joins the trace of `rung`.
   */
  async runBatch(bound: BoundStage, groupId: string, urgent = false, rung?: string | null): Promise<number> {
    const { stage } = bound;
    const { tasks } = this;
    if (this.signals.areAborted) return 0;
    const scope = new WorkScope(groupId, this.service, `${stage.name}:${randomUUID()}`, urgent);
    return workContext.run({ requestId: scope.cause, groupId }, async () => {
      const leases = await tasks.claim(scope, stage.name, stage.batch, stage.leaseSeconds);
      if (leases.length === 0) return 0;
      if (this.signals.areAborted) return this.letGo(bound, scope);
      this.failpoints.hit(`stage.${stage.name}`);
      const [first] = leases;
      if (first !== undefined && first.deaths > MOST_DEATHS) return this.exhaust(bound, scope, first);
      const spans = new StageSpans(this.telemetry.tracer, stage, leases, rung);
      await this.signals.during((signal) => this.workThrough(bound, scope, spans, signal));
      return leases.length;
    });
  }

  private async workThrough(
    bound: BoundStage,
    scope: WorkScope,
    spans: StageSpans,
    signal: AbortSignal,
  ): Promise<void> {
    const { leases } = spans;
    const stage = bound.stage.name;
    const stop = this.seconds.startTimer({ stage });
    let open = 0;
    try {
      await unlessInterrupted(
        inTraceOf(leases[0] ?? {}, () => bound.work(scope, leases, signal)),
        signal,
      );
      stop({ outcome: 'done' });
    } catch (error) {
      stop({ outcome: signal.aborted ? 'interrupted' : 'failed' });
      if (!signal.aborted) open = await this.failed(bound, scope, spans, error);
    } finally {
      const interrupted = signal.aborted ? await this.letGo(bound, scope) : 0;
      this.pieces.inc({ stage, outcome: 'done' }, Math.max(0, leases.length - open - interrupted));
      this.pieces.inc({ stage, outcome: 'failed' }, open);
      this.pieces.inc({ stage, outcome: 'interrupted' }, interrupted);
      spans.end();
    }
  }

  /** Gives back the tasks of a failed batch; answers how many. @throws an error of the connection to the database */
  private async failed(bound: BoundStage, scope: WorkScope, spans: StageSpans, error: unknown): Promise<number> {
    const { leases } = spans;
    const open = isConnectionLost(error) ? leases : await this.giveBack(bound, scope, leases, error);
    spans.failed(open, error);
    if (isConnectionLost(error)) throw error;
    return open.length;
  }

  /** Gives back what an interrupted batch has leased. Without a database the leases expire, and count as deaths. */
  private async letGo({ stage }: BoundStage, scope: WorkScope): Promise<number> {
    const released = await this.tasks.releaseAll(scope, stage.name).catch(() => 0);
    if (released > 0) this.telemetry.logger.info({ stage: stage.name, tasks: released }, 'work was interrupted');
    return released;
  }

  /** Gives up a task that every worker died of; it was claimed alone. Answers 1, the number of tasks. */
  private async exhaust(bound: BoundStage, scope: WorkScope, lease: Claimed): Promise<number> {
    const { stage } = bound;
    this.telemetry.logger.error(
      { stage: stage.name, subject: lease.subjectId, deaths: lease.deaths },
      'work was given up',
    );
    await this.giveUp(bound, scope, lease, WORKER_DIED);
    return 1;
  }

  /**
   * Retries the uncommitted tasks of a batch later, or gives them up. A try against an absent engine does not count.
   * Answers the tasks that were not committed.
   */
  private async giveBack(
    bound: BoundStage,
    scope: WorkScope,
    leases: readonly Lease[],
    error: unknown,
  ): Promise<readonly Lease[]> {
    const { tasks } = this;
    const { stage } = bound;
    this.telemetry.logger.error({ error, stage: stage.name, batch: leases.length }, 'stage failed');
    const reason = error instanceof Error ? error.name : 'Error';
    // A task that the worker committed before it failed is neither retried nor given up.
    const uncommitted = await this.database.read(scope, (tx) => tasks.owned(tx, leases));
    const open: Lease[] = [];
    for (const lease of uncommitted) {
      const { retryInMs, counts } = retryOf(error, lease.attempts, this.backoff.firstWaitMs);
      if (counts && lease.attempts >= stage.attempts) {
        await this.giveUp(bound, scope, lease, reason);
        open.push(lease);
      } else if (await this.hand(scope, lease, { reason, retryInMs, counts })) {
        open.push(lease);
      }
    }
    return open;
  }

  private async giveUp({ stage, worker }: BoundStage, scope: WorkScope, lease: Lease, reason: string): Promise<void> {
    await inTraceOf(lease, () => worker.exhausted?.(scope, lease, reason));
    await this.hand(scope, lease, { reason, retryInMs: null });
    this.givenUp.inc({ stage: stage.name, reason });
  }

  /** Whether this worker still owned the lease. */
  private hand(scope: WorkScope, lease: Lease, how: Parameters<Tasks['fail']>[2]): Promise<boolean> {
    return this.database
      .write(scope, (tx) => this.tasks.fail(tx, lease, how))
      .then(
        () => true,
        (lost: unknown) => {
          // Committed by the worker before it failed, or taken by another.
          if (!(lost instanceof LeaseLost)) throw lost;
          return false;
        },
      );
  }
}
