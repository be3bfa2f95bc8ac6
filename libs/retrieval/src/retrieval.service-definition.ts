import { embedderMetrics } from '@acervo/models/nest';
import {
  CursorConfig,
  EmbeddingConfig,
  ObjectStoreConfig,
  type ServiceDefinition,
  TextConfig,
} from '@acervo/platform-service';
import { LexicalConfig } from './legs/lexical-config';
import { SearchConfig } from './search/search-config';
import { retrievalMetrics } from './retrieval.metrics';
import { retrievalMigrations } from './migrations';
import { SpacesConfig } from './space-members/spaces.config';
import { retrievalAdminCommands } from './admin-commands/retrieval.admin-commands';

/** Searches: maintains both indexes and answers from them. */
export const retrievalService: ServiceDefinition = {
  name: 'retrieval',
  config: [ObjectStoreConfig, EmbeddingConfig, TextConfig, LexicalConfig, SearchConfig, SpacesConfig, CursorConfig],
  connections: { stages: true },
  migrations: retrievalMigrations,
  commands: retrievalAdminCommands,
  metrics: [...embedderMetrics, ...retrievalMetrics],
};
