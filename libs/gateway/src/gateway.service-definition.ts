import type { ServiceDefinition } from '@acervo/platform-service';
import { gatewayAdminCommands } from './admin-commands/gateway.admin-commands';
import { GatewayConfig } from './gateway.config';
import { gatewayMigrations, gatewaySharedTables } from './migrations';

/**
 * The public representation: `/v1` and its description. Presents the calls of the other services and decides nothing.
 * Owns the published releases.
 */
export const gatewayService: ServiceDefinition = {
  name: 'gateway',
  config: [GatewayConfig],
  description: {
    version: '1',
    tags: {
      session: 'Who the caller is, what it is focused on, and the areas and folders that it may choose.',
      documents: 'Search, lists and details of documents. No answer has the whole text of one.',
      organization: 'What the group and its entities say about themselves.',
      catalog: 'Codes that requests may name: screens, skills, document types and features.',
      operations: 'The generic executor: every operation that the role of the caller reaches.',
      ingestion: 'How far scans and the work on documents are.',
      version: 'Which version runs, and which ones are published.',
      agents: 'What an agent needs to act for the caller: instructions, identity, tools.',
      skills: 'What the product finds in documents on request, with citations.',
      conversations: 'Questions to the documents, answers with their sources, and what was asked before.',
      processes: 'Work that people follow: what is to be done, by whom and until when.',
      usage: 'The plan of the group, and what is used of its quotas.',
      spaces: 'Sets of documents, gathered by criteria or composed of others.',
    },
  },
  migrations: gatewayMigrations,
  sharedTables: gatewaySharedTables,
  commands: gatewayAdminCommands,
};
