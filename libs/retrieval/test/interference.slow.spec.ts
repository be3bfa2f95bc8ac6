import { chunkTable, lexicalIndex } from '../src/kernel/bucket';
import { neverInterferes, type Ranking } from './interference.behaviour';
import { openRetrieval } from './support';

const onPostgres = async (): Promise<Ranking> => {
  const retrieval = await openRetrieval();
  return {
    retrieval,
    scores: (groupId, terms) =>
      retrieval.database.read({ groupId }, async (tx) => {
        const embeddingIndex = await retrieval.embeddingIndexes.live(tx);
        if (embeddingIndex === undefined) throw new Error('The group has no embedding index.');
        const index = `retrieval.${lexicalIndex(embeddingIndex.bucket)}`;
        const scored = `(terms <@> to_bm25query($2::text, '${index}'))::text`;
        const table = `retrieval.${chunkTable(embeddingIndex.bucket)}`;
        return tx.query(
          `select * from (select document_id, ordinal, ${scored} as score from ${table} where group_id = $1) scored
           where score::float8 <> 0 order by 1, 2`,
          [groupId, terms],
        );
      }),
    searchable: () => Promise.resolve(),
    close: () => retrieval.close(),
  };
};

neverInterferes('PostgreSQL', onPostgres);
