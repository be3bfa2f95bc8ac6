import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { READY } from '../http-metrics';
import { CheckWatch } from './check-watch';
import { type ReadinessCheck, ReadinessChecks } from './readiness-checks';

/** Runs the readiness checks of an application in the background and answers from memory. */
@Injectable()
export class ReadinessMonitor implements OnModuleDestroy {
  private watches: readonly CheckWatch[] = [];
  private firstRuns: Promise<unknown> = Promise.resolve();
  private readonly states;

  constructor(
    private readonly checks: ReadinessChecks,
    metrics: Metrics,
  ) {
    this.states = metrics.gauge(READY);
  }

  /** Starts the first run of every check; called when every module has added its checks. */
  start(): void {
    this.watches = this.checks.all.map((check) => this.watchOf(check));
    this.firstRuns = Promise.all(this.watches.map((watch) => watch.start()));
  }

  onModuleDestroy(): void {
    for (const watch of this.watches) watch.stop();
  }

  /** Resolves after the first run of every check, within about a second of the start. */
  async firstRound(): Promise<void> {
    await this.firstRuns;
  }

  /** Each check with its last known state. */
  get all(): readonly { readonly check: ReadinessCheck; readonly isUp: boolean }[] {
    return this.watches.map(({ check, isUp }) => ({ check, isUp }));
  }

  private watchOf(check: ReadinessCheck): CheckWatch {
    const labels = { check: check.name };
    this.states.set(labels, 0);
    return new CheckWatch(check, (isUp) => this.states.set(labels, isUp ? 1 : 0));
  }
}
