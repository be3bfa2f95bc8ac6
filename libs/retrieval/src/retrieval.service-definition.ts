import { embedderByName } from '@acervo/models';
import { Setting } from '@acervo/platform-config';
import { defineService, ServiceConfig, type ServiceKit } from '@acervo/platform-service';
import { BucketKeeper } from './buckets/bucket-keeper';
import { ChunkStore } from './handover/chunk.store';
import { IndexStage } from './handover/index.stage';
import { PreparedReader } from './handover/prepared-reader';
import { PurgeStage } from './handover/purge.stage';
import { Bm25Index } from './legs/bm25-index';
import { PgvectorIndex } from './legs/pgvector-index';
import { retrievalMigrations, retrievalSharedTables } from './migrations';
import { ProjectionConsumer } from './projection/projection.consumer';
import { ProjectionStore } from './projection/projection.store';
import { ExplainService } from './search/explain.service';
import { HydrationStore } from './search/hydration.store';
import { LegReader } from './search/leg-reader';
import { Ranker } from './search/ranker';
import { SearchService } from './search/search.service';
import { SpaceStore } from './spaces/space.store';

export class RetrievalConfig extends ServiceConfig {
  @Setting({
    env: 'ACERVO_EMBEDDER',
    default: 'hashing',
    description: 'Embedder of queries; ingestion needs the same for passages',
  })
  readonly embedder!: string;
}

const compose = ({ config, engines, logger, metrics }: ServiceKit<RetrievalConfig>) => {
  const { database, background, provisioner, tasks, doorbells, outbox, objects, failpoints } = engines;
  const [projection, spaces, chunks] = [new ProjectionStore(), new SpaceStore(), new ChunkStore()];
  const buckets = new BucketKeeper(provisioner, background);
  const prepared = new PreparedReader(objects);
  const legs = new LegReader(
    new Bm25Index(database),
    new PgvectorIndex(database),
    embedderByName(config.embedder),
    logger,
    metrics,
  );
  const hydration = new HydrationStore();
  const searching = { database, hydration, ranker: new Ranker({ database, spaces, hydration, legs }) };
  return {
    providers: [
      new SearchService({ ...searching, publicUrl: config.publicUrl }),
      new ExplainService(searching),
      new ProjectionConsumer(projection, tasks),
      new IndexStage({
        database: background,
        tasks,
        doorbells,
        outbox,
        projection,
        spaces,
        buckets,
        chunks,
        prepared,
        failpoints,
      }),
      new PurgeStage(background, tasks, chunks),
    ],
  };
};

/** Searches: keeps both indexes and answers from them. */
export const retrievalService = defineService({
  name: 'retrieval',
  config: RetrievalConfig,
  migrations: retrievalMigrations,
  sharedTables: retrievalSharedTables,
  compose,
});
