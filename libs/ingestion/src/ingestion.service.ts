import { languagesFrom } from '@acervo/analysis';
import type { TextSource } from '@acervo/extraction';
import { Embedders } from '@acervo/models';
import { Cursors } from '@acervo/platform-calls';
import { VersionedSecret } from '@acervo/platform-config';
import type { Logger } from '@acervo/platform-observability';
import { type Composition, defineService, type ServiceKit } from '@acervo/platform-service';
import { AttachmentReview } from './attachments/attachment.review';
import { AttachmentStore } from './attachments/attachment.store';
import { ChangeStore } from './documents/change.store';
import { DocumentChangesCalls } from './documents/changes.calls';
import { Discards, DiscardStage } from './documents/discards';
import { DocumentEffectsCalls } from './documents/effects';
import { DocumentFacts } from './documents/document.facts';
import { DocumentsCalls } from './documents/documents.calls';
import { EdgesStore } from './documents/edges.store';
import { IndexAnswersConsumer } from './documents/index-answers.consumer';
import { ListingStore } from './documents/listing.store';
import { RebuildCalls } from './documents/rebuild.calls';
import { EarlierVectorsStore } from './embedding/earlier-vectors.store';
import { EmbeddingCalls } from './embedding/embedding.calls';
import { VectorBacklog } from './embedding/vector-backlog';
import { Vectoriser } from './embedding/vectoriser';
import { VectorsStage } from './embedding/vectors.stage';
import { FolderTransferCalls } from './exports/folders.calls';
import { IngestionConfig } from './ingestion.config';
import { LocationFacts } from './locations/location.facts';
import { LocationChangesCalls } from './locations/location-changes.calls';
import { LocationListingCalls } from './locations/location-listing.calls';
import { LocationListing } from './locations/location-listing.store';
import { LocationStore } from './locations/location.store';
import { HierarchyStore } from './locations/hierarchy.store';
import { HoldingsCalls } from './locations/holdings.calls';
import { LocationsCalls } from './locations/locations.calls';
import { OpenedFolders } from './locations/opened-folders';
import { RemovalStage } from './locations/removal.stage';
import { ingestionMigrations } from './migrations';
import { Pipeline } from './pipeline/pipeline';
import { PipelineStages } from './pipeline/pipeline.stages';
import { ResultStore } from './pipeline/result.store';
import { settingsFor } from './pipeline/settings';
import { pipelineSteps } from './pipeline/steps';
import { WorkStore } from './pipeline/work.store';
import { openSource } from './reading/open-source';
import { composeReconciliation } from './reconciliation';
import { BatchCalls } from './runs/batch.calls';
import { TreeDifference } from './runs/difference';
import { InventoryStore } from './runs/inventory.store';
import { OrphansCalls } from './runs/orphans.calls';
import { ProgressStore } from './runs/progress.store';
import { RescanStage } from './runs/rescan.stage';
import { QueueStore } from './runs/queue.store';
import { RunStore } from './runs/run.store';
import { RunsCalls } from './runs/runs.calls';
import { ScanService } from './runs/scan.service';
import { ScanStage } from './runs/scan.stage';
import { ScanTurns } from './runs/scan-turns';
import type { Cpu } from './workers/cpu';
import { CpuThreads } from './workers/cpu-threads';
import { ingestionWishes } from './wishes/ingestion.wishes';

const MEGABYTE = 1_000_000;

/** What the objects of this service need of the kit. */
export interface IngestionParts {
  readonly config: Pick<
    IngestionConfig,
    | 'publicUrl'
    | 'cursorKey'
    | 'extractionFileMb'
    | 'extractionDepth'
    | 'largestFileMb'
    | 'languages'
    | 'reconcileSeconds'
    | 'reconcileSettleSeconds'
    | 'rescanSeconds'
    | 'objectGraceHours'
    | 'folderRoots'
    | 'keptDirectory'
  >;
  readonly calls: ServiceKit['calls'];
  readonly metrics: ServiceKit['metrics'];
  readonly embedders: Embedders;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly engines: Pick<
    ServiceKit<IngestionConfig>['engines'],
    'database' | 'background' | 'tasks' | 'objects' | 'outbox' | 'failpoints'
  > & {
    readonly doorbells: Pick<ServiceKit['engines']['doorbells'], 'ring' | 'isRinging'>;
  };
}

/** Who does the work outside the event loop: the processor's, and the reading of files. */
export interface IngestionWorkers {
  readonly cpu: Cpu;
  readonly source: TextSource;
}

/** What knows the tables of the service, and what documents are made with. */
const openStores = ({ config, engines }: IngestionParts, reading: TextSource) => {
  const { database, background, tasks, outbox } = engines;
  const settings = settingsFor({
    mostBytes: config.extractionFileMb * MEGABYTE,
    mostDepth: config.extractionDepth,
    languages: languagesFrom(config.languages),
    reading,
  });
  const facts = new DocumentFacts(outbox);
  const folderFacts = new LocationFacts(outbox);
  const results = new ResultStore(background);
  const discards = new Discards(tasks, results);
  const earlier = new EarlierVectorsStore();
  const attachments = new AttachmentStore({ database: background, tasks, facts, settings, discards, earlier });
  return {
    ...{ settings, facts, folderFacts, results, discards, earlier, attachments },
    locations: new LocationStore(background, folderFacts),
    listing: new LocationListing(),
    inventory: new InventoryStore({ database: background, tasks, facts, discards, attachments, earlier }),
    changes: new ChangeStore(tasks, facts, discards, attachments, earlier),
    runs: new RunStore(background),
    queue: new QueueStore(database),
  };
};
type Stores = ReturnType<typeof openStores>;

/** What looks after folders: scans, and what people do about them. */
const folderProviders = ({ config, engines, calls }: IngestionParts, cpu: Cpu, stores: Stores): readonly object[] => {
  const { database, background, tasks, doorbells, failpoints } = engines;
  const { settings, facts, folderFacts, attachments, locations, inventory, changes, runs, queue } = stores;
  const review = new AttachmentReview(background, tasks, facts, attachments, settings);
  const differences = new TreeDifference({ locations, inventory, cpu, settings });
  const turns = new ScanTurns(background);
  const mostBytes = config.largestFileMb * MEGABYTE;
  const scans = new ScanService({
    ...{ locations, differences, inventory, turns, runs, attachments: review, doorbells, failpoints, mostBytes },
  });
  const progress = new ProgressStore(background);
  const hierarchy = new HierarchyStore({ locations: folderFacts, documents: facts, attachments });
  const opened = OpenedFolders.from(config.folderRoots, config.keptDirectory);
  return [
    new LocationsCalls(locations, opened, tasks),
    new RunsCalls({ locations, scans, runs, queue, progress, tasks, doorbells }),
    new OrphansCalls(queue, doorbells),
    new HoldingsCalls(database),
    new ScanStage({ database: background, tasks, locations, runs, scans }),
    new RescanStage({ database: background, tasks, runs, doorbells, everyMs: config.rescanSeconds * 1_000 }),
    new LocationChangesCalls({ database, calls, locations, hierarchy, opened, runs, turns, tasks, doorbells }),
    new RemovalStage({ database: background, tasks, turns, changes, facts: folderFacts }),
    new BatchCalls({ database, runs, tasks, doorbells }),
    new FolderTransferCalls(background),
  ];
};

/** What answers about documents and changes them by hand. */
const documentProviders = ({ config, engines }: IngestionParts, stores: Stores): readonly object[] => {
  const { database, background } = engines;
  const { listing, changes, facts } = stores;
  const cursors = new Cursors(new VersionedSecret(config.cursorKey, 'ACERVO_CURSOR_KEY'));
  return [
    new DocumentsCalls(database, new ListingStore(database, listing, config.publicUrl), listing, new EdgesStore()),
    new LocationListingCalls(database, listing, cursors),
    new DocumentChangesCalls(changes),
    new DocumentEffectsCalls(database),
    new IndexAnswersConsumer(),
    new RebuildCalls(background, facts),
  ];
};

/** What brings documents to the indexes, step by step. */
const pipelineProviders = (
  { engines, embedders, logger }: IngestionParts,
  { cpu, source }: IngestionWorkers,
  { settings, facts, results, discards, earlier, attachments }: Stores,
): readonly object[] => {
  const { background, tasks, doorbells, objects } = engines;
  const vectors = new VectorBacklog(background, tasks, embedders);
  const vectoriser = new Vectoriser({
    ...{ cpu, objects, results, settings, embedders, backlog: vectors, earlier, discards, logger },
  });
  const steps = pipelineSteps({ cpu, objects, results, settings, source, attachments, vectoriser });
  const work = { database: background, tasks, documents: new WorkStore(background), facts };
  const pipeline = new Pipeline({ ...work, doorbells, attachments, discards, vectors, earlier });
  return [
    new PipelineStages(pipeline, steps),
    new DiscardStage(background, tasks, objects),
    new VectorsStage({ ...work, vectoriser, embedders, discards }),
    new EmbeddingCalls(vectors, doorbells),
  ];
};

/** The objects of the service. */
export const composeIngestion = (parts: IngestionParts, workers: IngestionWorkers): readonly object[] => {
  const stores = openStores(parts, workers.source);
  return [
    ...folderProviders(parts, workers.cpu, stores),
    ...documentProviders(parts, stores),
    ...pipelineProviders(parts, workers, stores),
    ...composeReconciliation({ ...parts, facts: stores.facts, discards: stores.discards, earlier: stores.earlier }),
  ];
};

/** Folders, documents, and their way to the indexes. */
export const ingestionService = defineService({
  name: 'ingestion',
  config: IngestionConfig,
  migrations: ingestionMigrations,
  wishes: ingestionWishes,
  compose: (kit: ServiceKit<IngestionConfig>): Composition => {
    const cpu = new CpuThreads(kit.config.cpuThreads);
    const source = openSource(kit.config, kit.logger);
    const close = async (): Promise<void> => {
      await Promise.all([cpu.close(), source.close()]);
    };
    const parts = { ...kit, embedders: Embedders.from(kit.config) };
    return { providers: composeIngestion(parts, { cpu, source }), close };
  },
});
