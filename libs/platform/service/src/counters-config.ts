import { Setting } from '@acervo/platform-config';
import { ServiceConfig } from './service-config';

/** What counts: the database, or Redis beside it. A service whose settings are none of these counts nothing. */
export class CountersConfig extends ServiceConfig {
  @Setting({
    env: 'ACERVO_COUNTERS',
    default: 'postgresql',
    oneOf: ['postgresql', 'redis'],
    description: 'Where guesses and requests are counted',
  })
  readonly counters!: string;
}
