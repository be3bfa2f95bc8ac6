import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { listGroups } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Logger, Metrics } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { anonymous, WorkScope } from '@acervo/rbac';
import { AuditAlarm } from './audit-alarm';
import { AUDIT_VERIFIED } from '../operations.metrics';
import { VerifiedChains } from './verified-chains';

const FIRST_MS = 5_000;
const EVERY_MS = 30_000;
/** All groups are visited in this time at the least. */
const PASS_MS = 600_000;
/** Groups that one round visits; further ones follow in the next rounds. */
const GROUPS_EACH = 250;
/** Links that one round proves of a group. */
const LINKS_EACH = 10_000;

/**
 * Proves the audit records of all groups in the background, and publishes until when they are proved. A round that has
 * no engine proves nothing: the time stands still.
 */
@Injectable()
export class AuditFigures implements OnApplicationBootstrap, OnModuleDestroy {
  private queue: string[] = [];
  private listedAt = -Infinity;
  private readonly rounds = new Periodic(() => this.proveNext(), { firstMs: FIRST_MS, everyMs: EVERY_MS });

  constructor(
    private readonly chains: VerifiedChains,
    private readonly alarm: AuditAlarm,
    @Inject(Calls) private readonly calls: Pick<Calls, 'send'>,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge(AUDIT_VERIFIED, (gauge) => {
      const { verifiedAt } = chains;
      if (verifiedAt === undefined) gauge.remove();
      else gauge.set(verifiedAt / 1_000);
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): void {
    void this.rounds.stop();
    this.queue = [];
  }

  /** Goes on with the proof of the next groups; a round that is under way is the same. */
  round(): Promise<void> {
    return this.rounds.run();
  }

  private async proveNext(): Promise<void> {
    try {
      if (this.queue.length === 0) await this.list();
      for (let visits = 0; visits < GROUPS_EACH; visits += 1) {
        const groupId = this.queue.shift();
        if (groupId === undefined) return;
        // A long chain takes a piece of each round, and the other groups come in between.
        if (!(await this.isDone(groupId))) return void this.queue.push(groupId);
      }
    } catch {
      // Auth is away: the next round lists the groups.
    }
  }

  private async list(): Promise<void> {
    if (performance.now() - this.listedAt < PASS_MS) return;
    const { calls, chains } = this;
    const { groups } = await calls.send(listGroups, anonymous, {});
    this.queue = groups.map(({ groupId }) => groupId);
    chains.keep(new Set(this.queue));
    this.listedAt = performance.now();
  }

  /** False for a chain that goes on, and where the database or the object store is away. */
  private async isDone(groupId: string): Promise<boolean> {
    const { alarm, chains, logger } = this;
    const scope = new WorkScope(groupId, 'operations', 'audit-round');
    const step = await chains.step(scope, LINKS_EACH).catch(() => 'under way' as const);
    if (step === 'broken') {
      logger.error({ groupId }, 'audit records are not as they were written; run --verify-audit');
      await alarm.ring(scope);
    }
    return step !== 'under way';
  }
}
