import { languagesFrom } from '@acervo/analysis';
import { Embedders } from '@acervo/models';
import { defineService, type ServiceKit } from '@acervo/platform-service';
import { Allowance } from './allowance/allowance';
import { AllowanceStore } from './allowance/allowance.store';
import { BucketKeeper } from './buckets/bucket-keeper';
import { ChunksService } from './chunks/chunks.service';
import { ChunkStore } from './handover/chunk.store';
import { IndexStage } from './handover/index.stage';
import { PreparedReader } from './handover/prepared-reader';
import { PurgeStage } from './handover/purge.stage';
import { RebuildCalls } from './handover/rebuild.calls';
import { LexicalConfig, lexicalEngine } from './legs/lexical-engine';
import { PgvectorIndex } from './legs/pgvector-index';
import { LocationConsumer } from './locations/location.consumer';
import { LocationStore } from './locations/location.store';
import { HeldCalls } from './holdings/held.calls';
import { HeldStore } from './holdings/held.store';
import { retrievalMigrations } from './migrations';
import { ProjectionConsumer } from './projection/projection.consumer';
import { ProjectionStore } from './projection/projection.store';
import { ExplainService } from './search/explain.service';
import { HydrationStore } from './search/hydration.store';
import { LegReader } from './search/leg-reader';
import { Ranker } from './search/ranker';
import { SearchService } from './search/search.service';
import { SpaceStore } from './spaces/space.store';
import { SpacesCalls } from './spaces/spaces.calls';
import { SwitchStages } from './spaces/switch.stages';
import { SwitchStore } from './spaces/switch.store';
import { retrievalWishes } from './wishes/retrieval.wishes';

export class RetrievalConfig extends LexicalConfig {}

const compose = ({ config, engines, logger, metrics, tracer }: ServiceKit<RetrievalConfig>) => {
  const { database, background, provisioner, tasks, doorbells, outbox, objects, failpoints } = engines;
  const [projection, spaces, chunks] = [new ProjectionStore(), new SpaceStore(), new ChunkStore()];
  const locations = new LocationStore();
  const words = lexicalEngine(config, { database, background, tasks, metrics, logger });
  const { copies } = words;
  const buckets = new BucketKeeper(provisioner, background, !copies.kept);
  const prepared = new PreparedReader(objects);
  const embedders = Embedders.from(config);
  const languages = languagesFrom(config.languages);
  const indexes = { lexical: words.index, vector: new PgvectorIndex(database) };
  const legs = new LegReader({ ...indexes, embedders, languages, logger, metrics, tracer });
  const switching = { tasks, spaces, switches: new SwitchStore(), embedders };
  const hydration = new HydrationStore();
  const searching = { database, hydration, ranker: new Ranker({ spaces, hydration, locations, legs }) };
  const allowance = new Allowance({ database, store: new AllowanceStore(), failpoints, logger });
  return {
    providers: [
      new SearchService({ ...searching, allowance, publicUrl: config.publicUrl }),
      new ExplainService({ ...searching, languages }),
      new ChunksService(database, spaces),
      new ProjectionConsumer(projection, tasks, spaces, copies),
      new LocationConsumer(locations),
      new IndexStage({
        database: background,
        tasks,
        doorbells,
        outbox,
        projection,
        spaces,
        buckets,
        chunks,
        copies,
        prepared,
        failpoints,
        embedders,
      }),
      new PurgeStage({ database: background, tasks, chunks, copies, spaces }),
      new SwitchStages({ ...switching, database: background, doorbells, outbox, logger }),
      new SpacesCalls({ ...switching, database }),
      new HeldCalls({ database: background, tasks, doorbells, spaces, held: new HeldStore(), copies }),
      new RebuildCalls(database, copies),
      ...words.providers,
    ],
    checks: words.checks,
    close: () => words.close(),
  };
};

/** Searches: keeps both indexes and answers from them. */
export const retrievalService = defineService({
  name: 'retrieval',
  config: RetrievalConfig,
  migrations: retrievalMigrations,
  wishes: retrievalWishes,
  compose,
});
