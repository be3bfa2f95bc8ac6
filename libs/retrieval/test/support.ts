import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLanguages } from '@acervo/analysis';
import { type CopiesRebuild, rebuildCopies } from '@acervo/contracts';
import { AuditTrail, WriteContext } from '@acervo/platform-calls';
import { type Database, Provisioner, ownerRole } from '@acervo/platform-database';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { DirectoryObjectStore } from '@acervo/platform-object-store';
import { createLogger, Metrics } from '@acervo/platform-observability';
import { StageRunner, stagesOf, Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { Allowance } from '../src/allowance/allowance';
import { AllowanceStore } from '../src/allowance/allowance.store';
import { BucketKeeper } from '../src/buckets/bucket-keeper';
import { ChunksService } from '../src/chunks/chunks.service';
import { ChunkStore } from '../src/handover/chunk.store';
import { IndexStage } from '../src/handover/index.stage';
import { PreparedReader } from '../src/handover/prepared-reader';
import { PurgeStage } from '../src/handover/purge.stage';
import { RebuildCalls } from '../src/handover/rebuild.calls';
import { type LexicalEngine, type LexicalParts, onDatabase } from '../src/legs/lexical-engine';
import { PgvectorIndex } from '../src/legs/pgvector-index';
import type { LexicalIndex, VectorIndex } from '../src/legs/ranking';
import { HeldCalls } from '../src/holdings/held.calls';
import { HeldStore } from '../src/holdings/held.store';
import { LocationConsumer } from '../src/locations/location.consumer';
import { LocationStore } from '../src/locations/location.store';
import { retrievalMigrations } from '../src/migrations';
import { ProjectionConsumer } from '../src/projection/projection.consumer';
import { ProjectionStore } from '../src/projection/projection.store';
import { ExplainService } from '../src/search/explain.service';
import { HydrationStore } from '../src/search/hydration.store';
import { LegReader } from '../src/search/leg-reader';
import { Ranker } from '../src/search/ranker';
import { SearchService } from '../src/search/search.service';
import { SpaceStore } from '../src/spaces/space.store';
import { SpacesCalls } from '../src/spaces/spaces.calls';
import { SwitchStages } from '../src/spaces/switch.stages';
import { SwitchStore } from '../src/spaces/switch.store';

/** Which parts a test replaces. */
export interface Replaced {
  readonly failpoints?: Failpoints;
  readonly prepared?: PreparedReader;
  readonly buckets?: BucketKeeper;
  /** What the purge writes through. */
  readonly purging?: Database;
}

type StageName = 'index' | 'build' | 'flip' | 'retire' | 'purge' | 'copy' | 'bury' | 'rebuild' | 'drop';

class NoTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}

/** Legs that a test replaces. */
export interface ReplacedLegs {
  readonly lexical?: LexicalIndex;
  readonly vector?: VectorIndex;
}

/** Makes the lexical leg of a test. */
export type OpensLexical = (parts: LexicalParts) => LexicalEngine | Promise<LexicalEngine>;

/** The whole service on a database of its own, without a process, a queue or a port around it. */
export const openRetrieval = async (lexical: OpensLexical = onDatabase) => {
  const db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
  const objectsDirectory = await mkdtemp(join(tmpdir(), 'acervo-retrieval-objects-'));
  const database = db.database('retrieval');
  const provisioner = new Provisioner(db.connection(ownerRole('retrieval')));
  const objects = new DirectoryObjectStore(objectsDirectory);
  const embedder = new HashingEmbedder();
  let embedders = new Embedders(embedder);
  const tasks = new Tasks('retrieval', database);
  const [projection, spaces, chunks] = [new ProjectionStore(), new SpaceStore(), new ChunkStore()];
  const rings: string[] = [];
  const lines: string[] = [];
  const logger = createLogger({
    service: 'retrieval',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });

  const parts = { database, background: database, tasks, metrics: new Metrics('retrieval'), logger };
  const words = await lexical(parts);
  const { copies } = words;
  const buckets = new BucketKeeper(provisioner, database, !copies.kept);
  const hydration = new HydrationStore();
  const locations = new LocationStore();
  const searching = ({ lexical, vector }: ReplacedLegs = {}) => {
    const legs = new LegReader({
      lexical: lexical ?? words.index,
      vector: vector ?? new PgvectorIndex(database),
      ...{ embedders, languages: defaultLanguages, logger, metrics: new Metrics('retrieval') },
    });
    return { database, hydration, ranker: new Ranker({ spaces, hydration, locations, legs }) };
  };
  const allowance = new Allowance({ database, store: new AllowanceStore(), failpoints: Failpoints.none, logger });
  const searchWith = (replaced?: ReplacedLegs): SearchService =>
    new SearchService({ ...searching(replaced), allowance, publicUrl: 'https://acervo.test' });
  const explainWith = (replaced?: ReplacedLegs): ExplainService =>
    new ExplainService({ ...searching(replaced), languages: defaultLanguages });

  const doorbells = { ring: async (_group: string, name: string): Promise<void> => void rings.push(name) };

  /** Works what waits of one stage in one batch, as the service does; answers how much it took. */
  const work = (groupId: string, stage: StageName, replaced: Replaced = {}): Promise<number> => {
    const index = new IndexStage({
      database,
      tasks,
      doorbells,
      outbox: new Outbox('retrieval'),
      projection,
      spaces,
      buckets: replaced.buckets ?? buckets,
      chunks,
      copies,
      prepared: replaced.prepared ?? new PreparedReader(objects),
      failpoints: replaced.failpoints ?? Failpoints.none,
      embedders,
    });
    const purge = new PurgeStage({ database: replaced.purging ?? database, tasks, chunks, copies, spaces });
    const switching = new SwitchStages({
      ...{ database, tasks, doorbells, outbox: new Outbox('retrieval'), spaces, logger },
      ...{ switches: new SwitchStore(), embedders },
    });
    const bound = stagesOf([index, purge, switching, ...words.providers]).find((each) => each.stage.name === stage);
    // Where the database ranks words, nothing is copied.
    if (bound === undefined && !copies.kept) return Promise.resolve(0);
    if (bound === undefined) throw new Error(`There is no stage ${stage}.`);
    const metrics = new Metrics('retrieval');
    return new StageRunner({ service: 'retrieval', tasks, database, logger, metrics, backoffMs: 0 }).runBatch(
      bound,
      groupId,
    );
  };

  return {
    db,
    database,
    provisioner,
    objects,
    embedder,
    tasks,
    projection,
    spaces,
    chunks,
    buckets,
    lexical: words.index,
    lexicalParts: parts,
    rings,
    lines,
    consumer: new ProjectionConsumer(projection, tasks, spaces, copies),
    locationConsumer: new LocationConsumer(locations),
    chunksService: new ChunksService(database, spaces),
    /** Goes on as a later start with other embedders does. */
    use: (next: Embedders): void => void (embedders = next),
    spacesCalls: () => new SpacesCalls({ database, tasks, spaces, switches: new SwitchStore(), embedders }),
    /** Sends the call that an operator sends. */
    copiesAnew: (groupId: string): Promise<CopiesRebuild> => {
      const scope = new WorkScope(groupId, 'standalone', 'test');
      const sent = { call: rebuildCopies, scope, caller: 'standalone', database, audit: new NoTrail() } as const;
      return new RebuildCalls(database, copies).copiesAnew(scope, {}, new WriteContext(sent));
    },
    heldCalls: (kept = copies) =>
      new HeldCalls({ database, tasks, doorbells, spaces, held: new HeldStore(), copies: kept }),
    searchWith,
    explainWith,
    work,
    close: async (): Promise<void> => {
      await words.close();
      await provisioner.close();
      await db.close();
      rmSync(objectsDirectory, { recursive: true, force: true });
    },
  };
};

export type Retrieval = Awaited<ReturnType<typeof openRetrieval>>;
