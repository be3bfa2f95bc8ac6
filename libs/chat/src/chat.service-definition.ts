import { chatMetrics } from '@acervo/models/chat/nest';
import { ChatConfig, CountersConfig, type ServiceDefinition } from '@acervo/platform-service';
import { AgentConfig } from './agent/agent.config';
import { chatMigrations, chatSharedTables } from './migrations';

/** Answers questions from documents that the asker sees, and keeps the conversations. */
export const chatService: ServiceDefinition = {
  name: 'chat',
  config: [AgentConfig, ChatConfig, CountersConfig],
  migrations: chatMigrations,
  sharedTables: chatSharedTables,
  metrics: chatMetrics,
};
