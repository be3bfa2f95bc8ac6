import { Setting } from '@acervo/platform-config';

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
    description: 'Batches of scans, of long and of short stages that a process works at once',
  })
  readonly stageConcurrency!: number;
  @Setting({
    env: 'ACERVO_FAILPOINT',
    default: null,
    description: 'For tests: the place, and with :n the passage, at which the process kills itself',
  })
  readonly failpoint!: string | null;
}
