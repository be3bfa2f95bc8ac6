import { CountersConfig, type ServiceDefinition } from '@acervo/platform-service';
import { chatMigrations, chatSharedTables } from './migrations';

/** Answers questions from documents that the asker sees, and keeps the conversations. */
export const chatService: ServiceDefinition = {
  name: 'chat',
  config: [CountersConfig],
  migrations: chatMigrations,
  sharedTables: chatSharedTables,
};
