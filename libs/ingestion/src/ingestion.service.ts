import { embedderByName } from '@acervo/models';
import { type Composition, defineService, type ServiceKit } from '@acervo/platform-service';
import { ChangeStore } from './documents/change.store';
import { DocumentChangesCalls } from './documents/changes.calls';
import { Discards, DiscardStage } from './documents/discards';
import { DocumentFacts } from './documents/document.facts';
import { DocumentsCalls } from './documents/documents.calls';
import { IndexAnswersConsumer } from './documents/index-answers.consumer';
import { ListingStore } from './documents/listing.store';
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
import { QueueStore } from './runs/queue.store';
import { RunStore } from './runs/run.store';
import { RunsCalls } from './runs/runs.calls';
import { ScanService } from './runs/scan.service';
import { ScanStage } from './runs/scan.stage';
import type { Cpu } from './workers/cpu';
import { CpuThreads } from './workers/cpu-threads';

/** What the objects of this service need of the kit. */
export interface IngestionParts {
  readonly config: Pick<IngestionConfig, 'embedder' | 'publicUrl' | 'largestFileMb'>;
  readonly engines: Pick<ServiceKit['engines'], 'database' | 'background' | 'tasks' | 'objects' | 'outbox'> & {
    readonly doorbells: Pick<ServiceKit['engines']['doorbells'], 'ring'>;
  };
}

/** The objects of the service, with the processor work done by `cpu`. */
export const composeIngestion = ({ config, engines }: IngestionParts, cpu: Cpu): readonly object[] => {
  const { database, background, tasks, doorbells, objects } = engines;
  const settings = settingsFor(config.embedder, embedderByName(config.embedder).space);
  const facts = new DocumentFacts(engines.outbox);
  const results = new ResultStore(background);
  const discards = new Discards(tasks, results);
  const locations = new LocationStore(background);
  const inventory = new InventoryStore(background, tasks, facts, discards);
  const mostBytes = config.largestFileMb * 1_000_000;
  const scans = new ScanService({ locations, inventory, cpu, doorbells, settings, mostBytes });
  const runs = new RunStore(background);
  const progress = new ProgressStore(background);
  const documents = new WorkStore(background);
  const steps = pipelineSteps({ cpu, objects, results, settings });
  const pipeline = new Pipeline({ database: background, tasks, doorbells, documents, facts, discards });
  return [
    new LocationsCalls(locations),
    new RunsCalls({ locations, scans, inventory, runs, queue: new QueueStore(database), progress, tasks, doorbells }),
    new ScanStage({ database: background, tasks, locations, runs, scans }),
    new DocumentsCalls(new ListingStore(database, config.publicUrl)),
    new DocumentChangesCalls(new ChangeStore(tasks, facts, discards)),
    new IndexAnswersConsumer(),
    new PipelineStages(pipeline, steps),
    new DiscardStage(background, tasks, objects),
  ];
};

/** Folders, documents, and their way to the indexes. */
export const ingestionService = defineService({
  name: 'ingestion',
  config: IngestionConfig,
  migrations: ingestionMigrations,
  compose: (kit: ServiceKit<IngestionConfig>): Composition => {
    const cpu = new CpuThreads(kit.config.cpuThreads);
    return { providers: composeIngestion(kit, cpu), close: () => cpu.close() };
  },
});
