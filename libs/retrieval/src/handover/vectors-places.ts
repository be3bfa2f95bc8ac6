import { Injectable } from '@nestjs/common';
import type { DocumentEmbedded, EmbeddingModelKey } from '@acervo/contracts';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import {
  EmbeddingIndexStore,
  type EnsuredEmbeddingIndex,
  type LiveEmbeddingIndex,
} from '../embedding-indexes/embedding-index.store';
import { INDEX_STAGE } from '../kernel/stages';
import { work } from '../kernel/work-sql';

/**
 * Where vectors belong: the index in which their generation is live. While its words are being loaded it is `pending`;
 * `obsolete` where it will not be live, or its index is not in use; `unknown` before its hand-over.
 */
export type VectorsPlace = LiveEmbeddingIndex | 'pending' | 'obsolete' | 'unknown';

type State = 'live' | 'pending' | 'obsolete' | 'unknown';

/** The load of the words is looked for in the statement that looks for the live row: one transaction ends both. */
const STATES = `select case
    when exists (select from retrieval.live l where l.group_id = $1 and l.document_id = given.document_id
      and l.space_id = given.space_id and l.generation = given.generation) then 'live'
    when ${work.hasOpen({
      ...({
        group: '$1',
        subject: 'given.document_id',
        stages: [INDEX_STAGE],
        generation: 'given.generation',
      } as const),
    })} then 'pending'
    when exists (select from retrieval.live l where l.group_id = $1 and l.document_id = given.document_id
      and l.generation > given.generation)
      or exists (select from retrieval.document d where d.group_id = $1 and d.document_id = given.document_id
        and d.withdrawn and d.revision > given.revision) then 'obsolete'
    else 'unknown' end as state
  from unnest($2::uuid[], $3::int[], $4::int[], $5::int[]) with ordinality
    as given (document_id, generation, revision, space_id, place)
  order by given.place`;

type Found = Pick<EnsuredEmbeddingIndex, 'embeddingIndex' | 'state'>;

const keyOf = ({ model, revision }: EmbeddingModelKey): string => JSON.stringify([model, revision]);

const placeOf = (state: State, index: Found | undefined): VectorsPlace => {
  if (index?.state === 'RETIRED') return 'obsolete';
  if (state !== 'live') return state;
  return index === undefined ? 'unknown' : index.embeddingIndex;
};

/** Finds the places of vectors that arrive. */
@Injectable()
export class VectorsPlaces {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly embeddingIndexes: EmbeddingIndexStore,
  ) {}

  /** The place of each hand-over of vectors, in their order. */
  find(scope: WorkScope, facts: readonly DocumentEmbedded[]): Promise<readonly VectorsPlace[]> {
    return this.database.read(scope, async (tx) => {
      const indexes = await this.indexes(tx, facts);
      const indexOf = ({ embedding: [model] }: DocumentEmbedded) => model && indexes.get(keyOf(model));
      const rows = await tx.prepared<{ state: State }>(STATES, [
        tx.groupId,
        facts.map(({ documentId }) => documentId),
        facts.map(({ generation }) => generation),
        facts.map(({ revision }) => revision),
        facts.map((fact) => indexOf(fact)?.embeddingIndex.indexId ?? null),
      ]);
      return facts.map((fact, place) => placeOf(rows[place]?.state ?? 'unknown', indexOf(fact)));
    });
  }

  /** The embedding indexes of the models that occur. The first load of a group makes its index. */
  private async indexes(tx: Transaction, facts: readonly DocumentEmbedded[]): Promise<Map<string, Found>> {
    const models = new Map(
      facts.flatMap(({ embedding }) => embedding.slice(0, 1)).map((model) => [keyOf(model), model]),
    );
    const found = new Map<string, Found>();
    for (const [key, model] of models) {
      const index = await this.embeddingIndexes.find(tx, model);
      if (index !== undefined) found.set(key, index);
    }
    return found;
  }
}
