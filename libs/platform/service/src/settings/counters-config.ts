import { Setting } from '@acervo/platform-config';

/** Where counts are kept: the database, or Redis beside it. A service that names this class has `Counters` and `Rates`. */
export class CountersConfig {
  @Setting({
    env: 'ACERVO_COUNTERS',
    default: 'postgresql',
    oneOf: ['postgresql', 'redis'],
    description: 'Where attempts and requests are counted',
  })
  readonly counters!: string;
}
