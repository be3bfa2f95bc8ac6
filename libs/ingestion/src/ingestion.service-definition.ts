import { FileAccessConfig } from '@acervo/files/settings';
import { chatMetrics } from '@acervo/models/chat/nest';
import { embedderMetrics } from '@acervo/models/nest';
import { EgressConfig } from '@acervo/platform-egress';
import {
  ChatConfig,
  CountersConfig,
  CursorConfig,
  EmbeddingConfig,
  ObjectStoreConfig,
  type ServiceDefinition,
  TextConfig,
} from '@acervo/platform-service';
import { ingestionMetrics } from './ingestion.metrics';
import { IngestionConfig } from './ingestion.config';
import { ingestionMigrations } from './migrations';
import { ReadingConfig } from './reading/reading.config';
import { ingestionSharedTables } from './web-sources/web-sources.migrations';
import { ingestionAdminCommands } from './admin-commands/ingestion.admin-commands';

/** Folders, documents, and the pipeline to the indexes. */
export const ingestionService: ServiceDefinition = {
  name: 'ingestion',
  config: [
    ObjectStoreConfig,
    EmbeddingConfig,
    TextConfig,
    ReadingConfig,
    FileAccessConfig,
    IngestionConfig,
    CursorConfig,
    ChatConfig,
    CountersConfig,
    EgressConfig,
  ],
  connections: { stages: true, egress: true },
  migrations: ingestionMigrations,
  sharedTables: ingestionSharedTables,
  commands: ingestionAdminCommands,
  metrics: [...embedderMetrics, ...chatMetrics, ...ingestionMetrics],
};
