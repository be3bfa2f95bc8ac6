import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Code, Flag, Int, ListOf, OneOf, Text } from '../fields';
import { operators } from '../services';

/** A folder on the machine of the ingestion service, as the root of a location tree. */
export class FolderRegistration {
  @Text({ min: 1, max: 4096, description: 'Absolute path of the folder' }) readonly path!: string;
  @Code({
    names: 'entity',
    optional: true,
    description: 'Entity of its documents; without it only what is registered already is found',
  })
  readonly entityCode?: string;
  @Flag({ optional: true, description: 'Add it again where it was deleted' }) readonly again?: boolean;
}

export class RegisteredFolder {
  @Code({ description: 'Code of the location' }) readonly locationCode!: string;
  @Text({ max: 1024, description: 'Name of the location' }) readonly name!: string;
  @Flag({ description: 'False when the folder was registered before' }) readonly created!: boolean;
}

const starters = { owner: 'ingestion', scope: 'work', callers: ['standalone'] } as const;

/**
 * Registers a folder, once.
 * @throws FolderUnreadable when it cannot be listed, FolderDeleted when it was deleted, NotFound for an unregistered
 * folder without an entity
 */
export const registerFolder = call({
  ...starters,
  code: 'locations.register',
  effect: 'write',
  input: FolderRegistration,
  output: RegisteredFolder,
});

export class RunRequest {
  @Code({ names: 'root', description: 'Location to scan' }) readonly locationCode!: string;
  @Flag({ default: false, description: 'Accept deletions, even of most documents at once' })
  readonly acceptDeletions!: boolean;
}

/** Entries that one rule excluded from a scan. */
export class IgnoredEntries {
  @Text({ max: 20, description: 'Rule that left them out, such as hidden, excluded or link' })
  readonly rule!: string;
  @Int({ description: 'Entries that it left out' }) readonly entries!: number;
}

export class RunSummary {
  @Int({ description: 'Number of the run within the group' }) readonly run!: number;
  @Int({ description: 'Files that are documents' }) readonly seen!: number;
  @Int({ description: 'Documents that are new' }) readonly added!: number;
  @Int({ description: 'Documents whose content changed' }) readonly changed!: number;
  @Int({ description: 'Documents whose file is gone' }) readonly missing!: number;
  @ListOf(() => IgnoredEntries, { max: 20, description: 'Entries that were left out, by rule' })
  readonly ignored!: readonly IgnoredEntries[];
  @Text({ max: 500, nullable: true, description: 'Why missing files were left as they are, where they were' })
  readonly notice!: string | null;
}

/** Scans a location now; the stages of its documents follow automatically. */
export const startRun = call({
  ...starters,
  code: 'ingestion_runs.start_location',
  effect: 'write',
  input: RunRequest,
  output: RunSummary,
  deadlineMs: 600_000,
});

export class StatusCount {
  @OneOf(documentStatus, { description: 'State' }) readonly status!: DocumentStatus;
  @Int({ description: 'Documents in it' }) readonly documents!: number;
}

export class FailedDocument {
  @Text({ max: 4096, description: 'Logical path' }) readonly path!: string;
  @OneOf(documentStatus, { description: 'State' }) readonly status!: DocumentStatus;
  @Text({ max: 500, description: 'Why' }) readonly reason!: string;
}

/** What the latest scan of a folder left unchanged, with the reason. */
export class FolderNotice {
  @Text({ max: 4096, description: 'Folder' }) readonly folder!: string;
  @Text({ max: 500, description: 'What was left as it was, and why' }) readonly notice!: string;
  @Int({ default: 0, description: 'Documents that are gone, and left as they are until that is accepted' })
  readonly doubted!: number;
  @Int({ default: 0, description: 'Places that could not be read' }) readonly unread!: number;
  @Int({ default: 0, description: 'Shares that are not mounted' }) readonly unmounted!: number;
}

export class IngestionProgress {
  @ListOf(() => StatusCount, { max: 20, description: 'Documents by state' }) readonly counts!: readonly StatusCount[];
  @Int({ description: 'Documents that still have work waiting' }) readonly waiting!: number;
  @Int({ default: 0, description: 'Documents that are found by their words; those that are vectorized by meaning too' })
  readonly searchable!: number;
  @Int({ description: 'Chunks of all searchable documents' }) readonly chunks!: number;
  @ListOf(() => FailedDocument, { max: 50, description: 'The latest failures' })
  readonly failures!: readonly FailedDocument[];
  @ListOf(() => IgnoredEntries, { max: 20, description: 'Entries that the latest scans left out, by rule' })
  readonly ignored!: readonly IgnoredEntries[];
  @ListOf(() => FolderNotice, { max: 100, description: 'What the latest scans left unchanged, with the reasons' })
  readonly notices!: readonly FolderNotice[];
}

/** The progress of ingestion of the group. */
export const ingestionProgress = call({
  ...starters,
  code: 'ingestion_runs.progress',
  effect: 'read',
  input: Empty,
  output: IngestionProgress,
});

export class Retried {
  @Int({ description: 'Documents that are worked on again' }) readonly documents!: number;
}

/** Retries every failed document, whatever the reason of its failure. */
export const retryFailed = call({
  ...starters,
  callers: operators,
  code: 'ingestion_runs.retry_failed',
  effect: 'write',
  input: Empty,
  output: Retried,
});
