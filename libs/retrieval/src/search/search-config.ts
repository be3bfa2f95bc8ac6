import { Setting } from '@acervo/platform-config';

/** Limits of searches. */
export class SearchConfig {
  @Setting({
    env: 'ACERVO_QUERIES_WAITING',
    default: 64,
    min: 0,
    max: 100_000,
    description:
      'Queries that may wait to be embedded, four of them at a time; further ones get 503, those of the group with the most waiting ones first',
  })
  readonly queriesWaiting!: number;
}
