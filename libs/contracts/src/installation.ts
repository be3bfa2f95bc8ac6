import { call } from './calls';
import { Empty } from './empty';
import { Code, Flag, Int, ListOf, OpenList, Text, Uuid } from './fields';
import { operators, type ServiceName } from './services';
import { SpaceReference } from './spaces';

/** Exports and imports of an installation, by its operator. Rows are objects by column. */
const starters = { callers: ['standalone'], deadlineMs: 60_000 } as const;
const MOST_ROWS = 500;

/** Tables of a group in an export, in the order of writing: a row comes after the rows that it refers to. */
export const transferredPeople = [
  ...(['tenant_group', 'counter', 'entity', 'group_parameter', 'area', 'area_location', 'app_user'] as const),
  ...(['group_role', 'group_role_function', 'group_role_application', 'user_role', 'user_entity'] as const),
  ...(['password', 'factor', 'api_key'] as const),
];
/** Also the limit of the pages that the group may have, and the pages of its web locations. */
export const transferredFolders = [
  ...(['counter', 'location', 'document', 'web_root', 'web_page', 'corpus'] as const),
  ...(['taxonomy', 'document_type', 'type_example', 'feature_category', 'feature'] as const),
] as const;
/** Also the quota of the group and what is counted of it. */
export const transferredSpaces = ['space_counter', 'space', 'space_member', 'allowance', 'retrieval_count'] as const;

/** Conversations with their messages, and the support requests that began in them. */
export const transferredConversations = ['counter', 'conversation', 'message', 'citation', 'support_request'] as const;

/** Definitions with their tasks, processes with theirs, what deleted ones were started for, and calls of chat models. */
export const transferredProcesses = [
  'process_counter',
  'group_process',
  'group_task',
  'process',
  'process_task',
  'model_token',
  'model_token_count',
  'model_call',
  'started_subject',
] as const;

export class TransferredGroup {
  @Uuid({ description: 'Group' }) readonly groupId!: string;
  @Code({ description: 'Group code' }) readonly code!: string;
  @Flag({ description: 'Whether it is the first group of the installation' }) readonly first!: boolean;
}

export class TransferredGroups {
  @ListOf(() => TransferredGroup, { max: 100_000, description: 'All groups, the first one first' })
  readonly groups!: readonly TransferredGroup[];
}

/**
 * All groups of an installation, for its operator. A service sends it for the admin commands of its own program, and for
 * rounds of its own over all groups.
 */
export const listGroups = call({
  ...starters,
  callers: [...operators, 'ingestion', 'retrieval', 'operations', 'chat'],
  code: 'exports.list_groups',
  owner: 'auth',
  effect: 'read',
  scope: 'anonymous',
  input: Empty,
  output: TransferredGroups,
});

export class SnapshotTable {
  @Text({ min: 1, max: 63, description: 'Table' }) readonly table!: string;
  @Int({ description: 'Pages of its rows, numbered from 0' }) readonly pages!: number;
}

export class TakenSnapshot {
  @Uuid({ description: 'The snapshot' }) readonly snapshotId!: string;
  @ListOf(() => SnapshotTable, { max: 100, description: 'Tables of the part' })
  readonly tables!: readonly SnapshotTable[];
}

export class SnapshotToDrop {
  @Uuid({ description: 'The snapshot' }) readonly snapshotId!: string;
}

export class PageOfRows extends SnapshotToDrop {
  @Text({ min: 1, max: 63, description: 'Table' }) readonly table!: string;
  @Int({ description: 'Number of the page, from 0' }) readonly page!: number;
}

export class TransferredRows {
  @OpenList({ max: MOST_ROWS, description: 'Rows, in the order of their keys; none of a page that is missing' })
  readonly rows!: readonly Readonly<Record<string, unknown>>[];
}

export class RowsOfTable extends TransferredRows {
  @Text({ min: 1, max: 63, description: 'Table' }) readonly table!: string;
}

/** Copying the rows of a large group takes longer than reading a page of them. */
const copying = {
  ...({ callers: ['standalone'], deadlineMs: 600_000, effect: 'write', scope: 'work' } as const),
  ...{ input: Empty, output: TakenSnapshot },
};
const reading = { ...starters, effect: 'read', scope: 'work', input: PageOfRows, output: TransferredRows } as const;
const dropping = { ...starters, effect: 'write', scope: 'work', input: SnapshotToDrop, output: Empty } as const;
const writing = { ...starters, effect: 'write', scope: 'work', input: RowsOfTable, output: Empty } as const;

/** The calls that carry one part of a group: they copy its rows, read the copy, drop it, and write rows. */
const transferOf = (owner: ServiceName, part: string) => ({
  take: call({ ...copying, code: `exports.snapshot_${part}`, owner }),
  read: call({ ...reading, code: `exports.read_${part}`, owner }),
  drop: call({ ...dropping, code: `exports.drop_${part}_snapshot`, owner }),
  write: call({ ...writing, code: `exports.write_${part}`, owner }),
});
export type TransferCalls = ReturnType<typeof transferOf>;

/** People of a group: users, hashes of passwords and keys, roles, entities, areas. Contains no secret. */
export const peopleTransfer = transferOf('auth', 'people');
/** Folders and documents of a group: names, places and deletions. */
export const foldersTransfer = transferOf('ingestion', 'folders');
/** Spaces of a group: what gathers their documents, and members that nothing would gather again. */
export const spacesTransfer = transferOf('retrieval', 'spaces');
/** Conversations of a group, as long as they are not deleted. */
export const conversationsTransfer = transferOf('chat', 'conversations');
/** What a group does again and again, and what is done of it. */
export const processesTransfer = transferOf('operations', 'processes');

export class UngatheredSpace {
  @Int({ min: 1, description: 'Number of the space' }) readonly spaceId!: number;
}

export class UngatheredSpaces {
  @ListOf(() => UngatheredSpace, { max: MOST_ROWS, description: 'The first ones by number that can be gathered now' })
  readonly spaces!: readonly UngatheredSpace[];
  @Int({ description: 'Spaces whose first refresh runs in the background' }) readonly running!: number;
}

/** The spaces of a group that were imported and not gathered since; a composed one follows those it is composed of. */
export const listUngatheredSpaces = call({
  ...starters,
  code: 'exports.list_ungathered_spaces',
  owner: 'retrieval',
  effect: 'read',
  scope: 'work',
  input: Empty,
  output: UngatheredSpaces,
});

/** Gathers an imported space for the first time. Idempotent: one that was gathered since stays as it is. */
export const gatherImportedSpace = call({
  ...starters,
  code: 'exports.gather_space',
  owner: 'retrieval',
  effect: 'write',
  scope: 'work',
  input: SpaceReference,
  output: Empty,
});

export class InstallationToRestore {
  @Uuid({ description: 'Group that becomes the first one of the installation' }) readonly firstGroup!: string;
}

export class RestoredInstallation {
  @Flag({ description: 'False where the installation has another first group already' }) readonly accepted!: boolean;
}

/** Begins an import: the installation gets its first group. Idempotent. */
export const restoreInstallation = call({
  ...starters,
  code: 'exports.restore_installation',
  owner: 'auth',
  effect: 'write',
  scope: 'anonymous',
  input: InstallationToRestore,
  output: RestoredInstallation,
});
