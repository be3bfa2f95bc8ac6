import { randomUUID } from 'node:crypto';
import { EngineDown, type ServiceName } from '@acervo/contracts';
import { type Database, isConnectionLost } from '@acervo/platform-database';
import { inTraceOf, type Logger, type Metrics, Tracer, workContext } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import type { BoundStage } from './stages';
import { StageSpans } from './stage-spans';
import { type Claimed, type Lease, LeaseLost } from './lease';
import type { Tasks } from './tasks';

export interface StageRunnerParts {
  readonly service: ServiceName;
  readonly tasks: Tasks;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  /** Wait before the second try, in milliseconds; it doubles from there. */
  readonly backoffMs?: number;
  /** Told when a stage has taken work: a test may end the process there. */
  readonly failpoints?: { hit(name: `stage.${string}`): void };
}

/** Why work is given up that ended whoever took it. */
export const WORKER_DIED = 'WorkerDied';
/** Machines are suspended and programs are killed while they work; what goes wrong more often is the work itself. */
const MOST_DEATHS = 8;
const LONGEST_WAIT_MS = 300_000;
const FIRST_WAIT_MS = 500;
/** How long work waits that could not be tried: an engine that comes back finds it soon. */
const ENGINE_WAIT_MS = 5_000;

/** How long work waits after so many tries: twice as long each time, never the same for two. */
export const backoffMs = (attempts: number, firstMs = FIRST_WAIT_MS): number =>
  Math.min(LONGEST_WAIT_MS, firstMs * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);

/** When work that failed is tried again, and whether the try counts: an engine that does not answer is nobody's failure. */
export const retryOf = (
  error: unknown,
  attempts: number,
  firstMs?: number,
): { readonly retryInMs: number; readonly counts: boolean } =>
  error instanceof EngineDown
    ? { retryInMs: backoffMs(1, firstMs ?? ENGINE_WAIT_MS), counts: false }
    : { retryInMs: backoffMs(attempts, firstMs), counts: true };

/** Takes the work of one stage and group by lease, has it worked, and gives back what failed. */
export class StageRunner {
  private readonly seconds;
  private readonly givenUp;
  private readonly pieces;

  constructor(private readonly parts: StageRunnerParts) {
    this.givenUp = parts.metrics.counter('work_given_up_total', 'Work that is not tried again', ['stage', 'reason']);
    this.pieces = parts.metrics.counter('work_total', 'Pieces of work that were tried, by outcome', [
      'stage',
      'outcome',
    ]);
    this.seconds = parts.metrics.seconds('stage', 'Time that a batch of a stage took', ['stage', 'outcome']);
  }

  /**
   * Works one batch, of urgent pieces alone where that is asked for; answers how much was taken. A piece that names no
   * trace of its own stands in the one that is given.
   */
  async runBatch(bound: BoundStage, groupId: string, urgent = false, rung?: string | null): Promise<number> {
    const { stage } = bound;
    const { service, tasks } = this.parts;
    const scope = new WorkScope(groupId, service, `${stage.name}:${randomUUID()}`, urgent);
    return workContext.run({ requestId: scope.cause, groupId }, async () => {
      const leases = await tasks.claim(scope, stage.name, stage.batch, stage.leaseSeconds);
      if (leases.length === 0) return 0;
      this.parts.failpoints?.hit(`stage.${stage.name}`);
      const [first] = leases;
      if (first !== undefined && first.deaths > MOST_DEATHS) return this.bury(bound, scope, first);
      await this.workThrough(bound, scope, new StageSpans(this.parts.tracer ?? Tracer.none, stage, leases, rung));
      return leases.length;
    });
  }

  private async workThrough(bound: BoundStage, scope: WorkScope, spans: StageSpans): Promise<void> {
    const { leases } = spans;
    const stage = bound.stage.name;
    const stop = this.seconds.startTimer({ stage });
    let open: readonly Lease[] = [];
    try {
      await inTraceOf(leases[0] ?? {}, () => bound.work(scope, leases));
      stop({ outcome: 'done' });
    } catch (error) {
      stop({ outcome: 'failed' });
      open = leases;
      if (!isConnectionLost(error)) open = await this.giveBack(bound, scope, leases, error);
      spans.failed(open, error);
      if (isConnectionLost(error)) throw error;
    } finally {
      this.pieces.inc({ stage, outcome: 'done' }, leases.length - open.length);
      this.pieces.inc({ stage, outcome: 'failed' }, open.length);
      spans.end();
    }
  }

  /** Ends what every worker died of; it was taken alone. Answers that it was one piece of work. */
  private async bury(bound: BoundStage, scope: WorkScope, lease: Claimed): Promise<number> {
    const { stage } = bound;
    this.parts.logger.error({ stage: stage.name, subject: lease.subjectId, deaths: lease.deaths }, 'work was given up');
    await this.giveUp(bound, scope, lease, WORKER_DIED);
    return 1;
  }

  /**
   * What of a batch was not committed is tried again after a while, one by one if need be, or given up. An engine that
   * does not answer is nobody's failure: the try does not count. Answers what was not committed.
   */
  private async giveBack(
    bound: BoundStage,
    scope: WorkScope,
    leases: readonly Lease[],
    error: unknown,
  ): Promise<readonly Lease[]> {
    const { logger, tasks, backoffMs: firstMs } = this.parts;
    const { stage } = bound;
    logger.error({ error, stage: stage.name, batch: leases.length }, 'stage failed');
    const reason = error instanceof Error ? error.name : 'Error';
    const open: Lease[] = [];
    for (const lease of leases) {
      const { retryInMs, counts } = retryOf(error, lease.attempts, firstMs);
      if (counts && lease.attempts >= stage.attempts) {
        // What the worker committed before it failed is not given up.
        if (!(await tasks.holds(lease))) continue;
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

  /** Whether it was still ours to give back. */
  private hand(scope: WorkScope, lease: Lease, how: Parameters<Tasks['fail']>[2]): Promise<boolean> {
    const { database, tasks } = this.parts;
    return database
      .write(scope, (tx) => tasks.fail(tx, lease, how))
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
