import type { ServiceDefinition } from '@acervo/platform-service';
import { chatMigrations } from './migrations';

/** Describe in one sentence what this service decides. */
export const chatService: ServiceDefinition = {
  name: 'chat',
  config: [],
  migrations: chatMigrations,
};
