import { Setting } from '@acervo/platform-config';

/** Limits of searches. */
export class SearchConfig {
  @Setting({
    env: 'ACERVO_QUERIES_WAITING',
    default: 64,
    min: 0,
    max: 100_000,
    description:
      'Queries that may wait to be embedded, four of them at a time; one group has at most half of these places, further ones get 503',
  })
  readonly queriesWaiting!: number;
}
