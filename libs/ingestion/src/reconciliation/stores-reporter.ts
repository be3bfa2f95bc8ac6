import { Injectable } from '@nestjs/common';
import type { StoresReport } from '@acervo/contracts';
import { Logger, Metrics } from '@acervo/platform-observability';
import { STORE_DIFFERENCES } from '../ingestion.metrics';
import { COUNTED_KINDS } from './differences';

/** Writes the outcome of a comparison of the stores to the log and the metrics. */
@Injectable()
export class StoresReporter {
  private readonly differences;

  constructor(
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.differences = metrics.counter(STORE_DIFFERENCES, { kind: COUNTED_KINDS, outcome: ['repaired', 'left'] });
  }

  report(report: Omit<StoresReport, 'isRunning' | 'finishedAt'>): void {
    const { logger } = this;
    const { differences, copiesUnread } = report;
    for (const { kind, found, repaired } of differences) {
      this.differences.inc({ kind, outcome: 'repaired' }, repaired);
      this.differences.inc({ kind, outcome: 'left' }, Math.max(0, found - repaired));
    }
    if (differences.length > 0) logger.warn(report, 'stores differed');
    else if (copiesUnread > 0) logger.warn(report, 'stores agree as far as they could be read');
    else logger.info(report, 'stores agree');
  }
}
