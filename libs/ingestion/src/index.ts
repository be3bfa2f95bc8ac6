export { IngestionConfig } from './ingestion.config';
export { composeIngestion, type IngestionParts, ingestionService } from './ingestion.service';
export { FoldersOverlap, FolderUnreadable } from './locations/location.errors';
export { ingestionMigrations } from './migrations';
export { type Cpu } from './workers/cpu';
export { ruleForName } from './files/ignore-rules';
