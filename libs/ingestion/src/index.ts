export { IngestionConfig } from './ingestion.config';
export { composeIngestion, type IngestionParts, ingestionService } from './ingestion.service';
export { FoldersOverlap, FolderUnreadable } from './locations/location.errors';
export { ingestionMigrations } from './migrations';
export { Cpu, runJob } from './workers/cpu';
export type { JobInput, JobName, JobOutput } from './workers/jobs';
export { EXCLUSIONS, Exclusions, ruleForName } from './files/ignore-rules';
export { MOST_EXCLUSIONS } from './files/folder-listing';
