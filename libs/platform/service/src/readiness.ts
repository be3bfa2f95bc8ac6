import type { ReadinessCheck } from '@acervo/platform-http';
import type { Engines } from './engines';
import type { ServiceConfig } from './service-config';

/** What a service serves from, by what its settings name. Only without the database it answers nothing. */
export const checksOf = (
  { queue }: Pick<ServiceConfig, 'queue'>,
  { database, doorbells, redis, objects }: Pick<Engines, 'database' | 'doorbells' | 'redis' | 'objects'>,
): ReadinessCheck[] => [
  { name: 'database', check: () => database.ping() },
  // Work waits without them, and is worked at once where it arises; everything else goes on.
  { name: 'jobs', spare: doorbells.remote, check: () => doorbells.ping() },
  // Where jobs are kept there too, they name it. What cannot be counted is refused; everything else goes on.
  ...(redis !== null && queue !== 'redis' ? [{ name: 'counters', spare: true, check: () => redis.ping() }] : []),
  ...(objects?.remote === true ? [{ name: 'objects', spare: true, check: () => objects.ping() }] : []),
];
