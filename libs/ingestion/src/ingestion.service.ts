import { Embedders } from '@acervo/models';
import type { Logger } from '@acervo/platform-observability';
import { type Composition, defineService, type ServiceKit } from '@acervo/platform-service';
import { DocumentFacts } from './documents/document.facts';
import { DocumentsCalls } from './documents/documents.calls';
import { IndexAnswersConsumer } from './documents/index-answers.consumer';
import { ListingStore } from './documents/listing.store';
import { EmbeddingCalls } from './embedding/embedding.calls';
import { VectorBacklog } from './embedding/vector-backlog';
import { Vectoriser } from './embedding/vectoriser';
import { VectorsStage } from './embedding/vectors.stage';
import { IngestionConfig } from './ingestion.config';
import { LocationStore } from './locations/location.store';
import { LocationsCalls } from './locations/locations.calls';
import { ingestionMigrations } from './migrations';
import { Pipeline } from './pipeline/pipeline';
import { PipelineStages } from './pipeline/pipeline.stages';
import { ResultStore } from './pipeline/result.store';
import { settingsFor } from './pipeline/settings';
import { pipelineSteps } from './pipeline/steps';
import { WorkStore } from './pipeline/work.store';
import { InventoryStore } from './runs/inventory.store';
import { ProgressStore } from './runs/progress.store';
import { RunsCalls } from './runs/runs.calls';
import { ScanService } from './runs/scan.service';
import type { Cpu } from './workers/cpu';
import { CpuThreads } from './workers/cpu-threads';

/** What the objects of this service need of the kit. */
export interface IngestionParts {
  readonly config: Pick<IngestionConfig, 'publicUrl'>;
  readonly embedders: Embedders;
  readonly logger: Pick<Logger, 'warn'>;
  readonly engines: Pick<ServiceKit['engines'], 'database' | 'background' | 'tasks' | 'objects' | 'outbox'> & {
    readonly doorbells: Pick<ServiceKit['engines']['doorbells'], 'ring'>;
  };
}

/** The objects of the service, with the processor work done by `cpu`. */
export const composeIngestion = (parts: IngestionParts, cpu: Cpu): readonly object[] => {
  const { config, engines, embedders, logger } = parts;
  const { database, background, tasks, doorbells, objects } = engines;
  const settings = settingsFor();
  const facts = new DocumentFacts(engines.outbox);
  const locations = new LocationStore(background);
  const inventory = new InventoryStore(background, tasks, facts);
  const scans = new ScanService({ locations, inventory, cpu, doorbells, settings });
  const documents = new WorkStore(background);
  const results = new ResultStore(background);
  const vectors = new VectorBacklog(background, tasks, embedders);
  const vectoriser = new Vectoriser({ cpu, objects, results, settings, embedders, backlog: vectors, logger });
  const steps = pipelineSteps({ cpu, objects, results, settings, vectoriser });
  const pipeline = new Pipeline({ database: background, tasks, doorbells, documents, facts, vectors });
  return [
    new LocationsCalls(locations),
    new RunsCalls(locations, scans, new ProgressStore(background)),
    new DocumentsCalls(new ListingStore(database, config.publicUrl)),
    new IndexAnswersConsumer(),
    new PipelineStages(pipeline, steps),
    new VectorsStage({ database: background, tasks, documents, facts, vectoriser, embedders }),
    new EmbeddingCalls(vectors, doorbells),
  ];
};

/** Folders, documents, and their way to the indexes. */
export const ingestionService = defineService({
  name: 'ingestion',
  config: IngestionConfig,
  migrations: ingestionMigrations,
  compose: (kit: ServiceKit<IngestionConfig>): Composition => {
    const cpu = new CpuThreads(kit.config.cpuThreads);
    return {
      providers: composeIngestion({ ...kit, embedders: Embedders.from(kit.config) }, cpu),
      close: () => cpu.close(),
    };
  },
});
