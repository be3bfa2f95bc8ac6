import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Abstract, Type } from '@nestjs/common';
import type { TestingModule, TestingModuleBuilder } from '@nestjs/testing';
import { type Call, type CopiesRebuild, NotFound, rebuildCopies } from '@acervo/contracts';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { type Calls, WriteContext } from '@acervo/platform-calls';
import type { Environment } from '@acervo/platform-config';
import { BackgroundDatabase, Database } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { ObjectStore } from '@acervo/platform-object-store';
import { Metrics } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { NoTrail, RecordedSignals, ServiceTestBed } from '@acervo/platform-test-bed';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { type Scope, WorkScope } from '@acervo/rbac';
import { BucketKeeper } from '../src/buckets/bucket-keeper';
import { ChunksHandlers } from '../src/chunks/chunks.handlers';
import { ChunkCopies } from '../src/legs/opensearch/copies/chunk-copies';
import { ChunkStore } from '../src/handover/chunk.store';
import { PreparedReader } from '../src/handover/prepared-reader';
import { RebuildHandlers } from '../src/handover/rebuild.handlers';
import { VectorsConsumer } from '../src/handover/vectors.consumer';
import { IndexInventoryHandlers } from '../src/inventory/index-inventory.handlers';
import { LexicalIndex, VectorIndex } from '../src/legs/ranking';
import { LocationConsumer } from '../src/locations/location.consumer';
import { retrievalMigrations } from '../src/migrations';
import { ProjectionConsumer } from '../src/projection/projection.consumer';
import { ProjectionStore } from '../src/projection/projection.store';
import { RetrievalModule } from '../src/retrieval.module';
import { retrievalService } from '../src/retrieval.service-definition';
import { ExplainHandlers } from '../src/search/explain.handlers';
import { SearchHandlers } from '../src/search/search.handlers';
import { SpaceReadingHandlers } from '../src/spaces/reading/space-reading.handlers';
import { EmbeddingIndexStore } from '../src/embedding-indexes/embedding-index.store';
import { EmbeddingIndexHandlers } from '../src/embedding-indexes/embedding-index.handlers';
import { stackLexical } from './stack-lexical';

/** Legs that a test replaces. */
export interface ReplacedLegs {
  readonly lexical?: LexicalIndex;
  readonly vector?: VectorIndex;
}

/** Providers that a test replaces. */
export interface Replaced extends ReplacedLegs {
  readonly failpoints?: Failpoints;
  readonly prepared?: PreparedReader;
  readonly buckets?: BucketKeeper;
  readonly copies?: ChunkCopies;
  /** The database of stages; it is closed with the rest. */
  readonly background?: Database;
  readonly embedders?: Embedders;
}

const tokens = {
  lexical: LexicalIndex,
  vector: VectorIndex,
  failpoints: Failpoints,
  prepared: PreparedReader,
  buckets: BucketKeeper,
  copies: ChunkCopies,
  background: BackgroundDatabase,
  embedders: Embedders,
} satisfies Record<keyof Replaced, unknown>;

const NOTHING: Replaced = {};

type StageName =
  | 'index'
  | 'build'
  | 'vectors'
  | 'flip'
  | 'retire'
  | 'purge'
  | 'copy'
  | 'bury'
  | 'rebuild'
  | 'drop'
  | 'refresh-space'
  | 'schedule-spaces'
  | 'purge-space'
  | 'expire-snapshot';

/** Auth and ingestion, which know neither the entity nor the document that they are asked for. */
const NOBODY_ELSE: Pick<Calls, 'send'> = { send: () => Promise.reject(new NotFound()) };

/** Settings of a test that differ from the defaults. */
export interface Settings {
  readonly environment?: Environment;
  /** How other services answer. */
  readonly elsewhere?: Pick<Calls, 'send'>;
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
}

/** Applications of the service on one database, composed as the program composes them. */
class Compositions {
  private readonly signals = new RecordedSignals();
  readonly lines: string[] = [];
  private readonly opened: Promise<ServiceTestBed>[] = [];
  private readonly current = new Map<Replaced, Promise<ServiceTestBed>>();
  private embedders: Embedders | undefined;

  constructor(
    private readonly db: TestDatabase,
    private readonly settings: Settings,
  ) {}

  /** The signalled stages. */
  get notified(): string[] {
    return this.signals.stages;
  }

  /** The application with these providers replaced; it stays the same from call to call. */
  of(replaced: Replaced = NOTHING): Promise<ServiceTestBed> {
    const app = this.current.get(replaced) ?? this.open(replaced);
    this.current.set(replaced, app);
    return app;
  }

  /** Continues like a later start with these embedders. */
  use(embedders: Embedders): void {
    this.embedders = embedders;
    this.current.clear();
  }

  open(replaced: Replaced = NOTHING): Promise<ServiceTestBed> {
    const opening = this.compose({ ...(this.embedders && { embedders: this.embedders }), ...replaced });
    this.opened.push(opening);
    return opening;
  }

  async close(): Promise<void> {
    for (const opening of this.opened) await (await opening).application.close();
  }

  private compose(replaced: Replaced): Promise<ServiceTestBed> {
    const { environment = {}, elsewhere = NOBODY_ELSE, override } = this.settings;
    const logDestination = { write: (line: string) => void this.lines.push(line) };
    return ServiceTestBed.open({
      ...{ service: retrievalService, module: RetrievalModule, engine: this.db, signals: this.signals },
      ...{ environment, logDestination, neighbours: elsewhere, isAudited: true },
      overrides: Object.entries(replaced).map(([name, provider]) => [
        tokens[name as keyof Replaced],
        provider as object,
      ]),
      ...(override === undefined ? {} : { override }),
    });
  }
}

/** Works the waiting tasks of one stage in one batch, as the service does; returns how many tasks it took. */
const workOn = async (bed: ServiceTestBed, groupId: string, stage: StageName): Promise<number> => {
  const isWorked = bed.stages.some((each) => each.stage.name === stage);
  // Where the database ranks words, there are no copies.
  if (!isWorked && !bed.get(ChunkCopies).isEnabled) return 0;
  return bed.runBatch(groupId, stage);
};

/** The whole service on a separate database, without a process, a queue or a port. */
export const openRetrieval = async ({ environment, ...others }: Settings = {}) => {
  // The statements of a test count as requests too: the engine would request small slices at random.
  jest.spyOn(Database.prototype, 'isWanted', 'get').mockReturnValue(false);
  const db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
  const objectsDirectory = await mkdtemp(join(tmpdir(), 'acervo-retrieval-objects-'));
  const settings = {
    ...{ ACERVO_PUBLIC_URL: 'https://acervo.test', ACERVO_OBJECTS_DIRECTORY: objectsDirectory },
    ACERVO_CURSOR_KEY: 'a key of the test for cursors',
  };
  const compositions = new Compositions(db, {
    environment: { ...settings, ...stackLexical(), ...environment },
    ...others,
  });
  const app = await compositions.of();
  const database = db.database('retrieval');

  return {
    db,
    database,
    objects: app.get<ObjectStore>(ObjectStore),
    embedder: new HashingEmbedder(),
    tasks: app.get(Tasks),
    projection: app.get(ProjectionStore),
    embeddingIndexes: app.get(EmbeddingIndexStore),
    chunks: app.get(ChunkStore),
    buckets: app.get(BucketKeeper),
    lexical: app.get<LexicalIndex>(LexicalIndex),
    metrics: app.get(Metrics),
    notified: compositions.notified,
    lines: compositions.lines,
    consumer: app.get(ProjectionConsumer),
    vectorsConsumer: app.get(VectorsConsumer),
    locationConsumer: app.get(LocationConsumer),
    chunksService: app.get(ChunksHandlers),
    /** A provider of the application. */
    provider: async <T>(type: Type<T> | Abstract<T>, replaced?: Replaced): Promise<T> =>
      (await compositions.of(replaced)).get(type),
    /** The context of a write. */
    writing: (call: Call, scope: Scope | WorkScope, input: object): WriteContext =>
      new WriteContext({ call, scope, input, caller: 'gateway' }, database, new NoTrail()),
    spaceReading: app.get(SpaceReadingHandlers),
    /** Continues like a later start with other embedders. */
    use: (next: Embedders): void => compositions.use(next),
    /** A second process of the service. */
    another: async (): Promise<TestingModule> => (await compositions.open()).application,
    embeddingIndexHandlers: () => ({
      state: async (...args: Parameters<EmbeddingIndexHandlers['state']>) =>
        (await compositions.of()).get(EmbeddingIndexHandlers).state(...args),
      aim: async (...args: Parameters<EmbeddingIndexHandlers['aim']>) =>
        (await compositions.of()).get(EmbeddingIndexHandlers).aim(...args),
    }),
    /** Sends the call of the operator. */
    rebuildCopies: (groupId: string): Promise<CopiesRebuild> => {
      const scope = new WorkScope(groupId, 'standalone', 'test');
      const sent = { call: rebuildCopies, scope, input: {}, caller: 'standalone' } as const;
      return app.get(RebuildHandlers).rebuildCopies(scope, {}, new WriteContext(sent, database, new NoTrail()));
    },
    inventoryHandlers: (replaced?: Replaced) => ({
      list: async (...args: Parameters<IndexInventoryHandlers['list']>) =>
        (await compositions.of(replaced)).get(IndexInventoryHandlers).list(...args),
    }),
    searchWith: (replaced?: ReplacedLegs) => ({
      search: async (...args: Parameters<SearchHandlers['search']>) =>
        (await compositions.of(replaced)).get(SearchHandlers).search(...args),
      passages: async (...args: Parameters<SearchHandlers['passages']>) =>
        (await compositions.of(replaced)).get(SearchHandlers).passages(...args),
    }),
    explainWith: (replaced?: ReplacedLegs) => ({
      explain: async (...args: Parameters<ExplainHandlers['explain']>) =>
        (await compositions.of(replaced)).get(ExplainHandlers).explain(...args),
    }),
    work: async (groupId: string, stage: StageName, replaced?: Replaced): Promise<number> =>
      workOn(await compositions.of(replaced), groupId, stage),
    close: async (): Promise<void> => {
      await compositions.close();
      await db.close();
      rmSync(objectsDirectory, { recursive: true, force: true });
    },
  };
};

export type Retrieval = Awaited<ReturnType<typeof openRetrieval>>;
