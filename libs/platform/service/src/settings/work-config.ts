import { Setting } from '@acervo/platform-config';
import { WORK_SHARES, type WorkShare } from '@acervo/platform-queue';

/** How a service works its stages. */
export class WorkConfig {
  @Setting({
    env: 'ACERVO_QUEUE',
    default: 'postgresql',
    oneOf: ['postgresql', 'redis'],
    description: 'Where work signals are stored; the tasks themselves are in the database',
  })
  readonly queue!: string;
  @Setting({
    env: 'ACERVO_STAGE_CONCURRENCY',
    default: 2,
    min: 1,
    max: 64,
    description: 'Batches of scans, of long and of short stages, and of web locations, that a process works at once',
  })
  readonly stageConcurrency!: number;
  @Setting({
    env: 'ACERVO_WORK',
    default: 'all',
    oneOf: WORK_SHARES,
    description:
      'Which stages a process works: `egress` for those that fetch from web locations, `internal` for all others',
  })
  readonly work!: WorkShare;
  @Setting({
    env: 'ACERVO_FAILPOINT',
    default: null,
    description: 'For tests: the place, and with :n the passage, at which the process kills itself',
  })
  readonly failpoint!: string | null;
}
