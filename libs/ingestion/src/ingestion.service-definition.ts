import { FileAccessConfig } from '@acervo/files/settings';
import { chatMetrics } from '@acervo/models/chat/nest';
import { embedderMetrics } from '@acervo/models/nest';
import {
  ChatConfig,
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
  ],
  connections: { stages: true },
  migrations: ingestionMigrations,
  commands: ingestionAdminCommands,
  metrics: [...embedderMetrics, ...chatMetrics, ...ingestionMetrics],
};
