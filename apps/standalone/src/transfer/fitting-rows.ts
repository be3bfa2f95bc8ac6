import type { ExportedGroup, Rows } from './export-file';

type Row = Rows[string][number];

/** What an import leaves out. */
export interface LeftOut {
  /** Rows of people and folders. */
  readonly rows: number;
  readonly spaces: number;
  readonly conversations: number;
  readonly processes: number;
}

/** A group without references between its parts that lead nowhere. */
export interface FittingGroup {
  readonly group: ExportedGroup;
  readonly leftOut: LeftOut;
}

const valuesOf = (rows: readonly Row[], column: string): ReadonlySet<unknown> =>
  new Set(rows.map((row) => row[column]));

/** The rows of these tables whose value in a column is known; other tables unchanged. */
const filtered = (part: Rows, tables: readonly string[], fits: (row: Row) => boolean): Rows => ({
  ...part,
  ...Object.fromEntries(
    tables.flatMap((table) => (part[table] === undefined ? [] : [[table, part[table].filter(fits)] as const])),
  ),
});

const lost = (from: Rows | undefined, to: Rows, table: string): number =>
  (from?.[table]?.length ?? 0) - (to[table]?.length ?? 0);

const countOf = (part: Rows): number => Object.values(part).reduce((sum, rows) => sum + rows.length, 0);

/** Types of entities that exist, with the examples, categories and features of types that are left. */
const fittingTypes = (part: Rows, entities: ReadonlySet<unknown>): Rows => {
  const documents = valuesOf(part['document'] ?? [], 'document_id');
  const typed = filtered(part, ['document_type'], ({ entity_code: entity }) => entity == null || entities.has(entity));
  const types = valuesOf(typed['document_type'] ?? [], 'code');
  const examples = filtered(
    typed,
    ['type_example'],
    (row) => types.has(row['type_code']) && documents.has(row['document_id']),
  );
  const categorised = filtered(examples, ['feature_category'], (row) => types.has(row['type_code']));
  const categories = valuesOf(categorised['feature_category'] ?? [], 'code');
  return filtered(categorised, ['feature'], (row) => categories.has(row['category_code']));
};

/**
 * Spaces of entities that exist. As after the deletion of a user, a working set without its owner is left out, and a
 * shared space without its owner belongs to the administrators.
 */
const fittingSpaces = (part: Rows, people: Rows): Rows => {
  const entities = valuesOf(people['entity'] ?? [], 'code');
  const users = valuesOf(people['app_user'] ?? [], 'user_id');
  const isOwned = (row: Row): boolean => users.has(row['owner_id']);
  const fits = (row: Row): boolean =>
    (row['entity_code'] == null || entities.has(row['entity_code'])) && (row['type'] !== 'AREA' || isOwned(row));
  const spaces = filtered(part, ['space'], fits);
  const numbers = valuesOf(spaces['space'] ?? [], 'space_id');
  const { space, ...others } = filtered(spaces, ['space_member'], (row) => numbers.has(row['space_id']));
  const released = space?.map((row) => (isOwned(row) ? row : { ...row, owner_id: null }));
  return released === undefined ? others : { ...others, space: released };
};

/** Conversations of users who exist, with what belongs to them. */
const fittingConversations = (part: Rows, people: Rows): Rows => {
  const users = valuesOf(people['app_user'] ?? [], 'user_id');
  const owned = filtered(part, ['conversation'], (row) => users.has(row['user_id']));
  const numbers = valuesOf(owned['conversation'] ?? [], 'conversation_id');
  const within = filtered(owned, ['message', 'support_request'], (row) => numbers.has(row['conversation_id']));
  const messages = valuesOf(within['message'] ?? [], 'message_id');
  return filtered(within, ['citation'], (row) => messages.has(row['message_id']));
};

/** The person of a column of each row, where the person exists. */
const releasing = (rows: readonly Row[], users: ReadonlySet<unknown>, id: string, code: string): readonly Row[] =>
  rows.map((row) => (row[id] == null || users.has(row[id]) ? row : { ...row, [id]: null, [code]: null }));

/**
 * Processes of users and entities that exist, with their tasks. As after the deletion of a user, work that is assigned
 * to a missing one belongs to the administrators.
 */
const fittingProcesses = (part: Rows, people: Rows): Rows => {
  const entities = valuesOf(people['entity'] ?? [], 'code');
  const users = valuesOf(people['app_user'] ?? [], 'user_id');
  const fits = (row: Row): boolean =>
    (row['entity_code'] == null || entities.has(row['entity_code'])) &&
    (row['created_by_id'] == null || users.has(row['created_by_id']));
  const processes = filtered(part, ['process'], fits);
  const codes = valuesOf(processes['process'] ?? [], 'code');
  const whole = filtered(processes, ['process_task'], (row) => codes.has(row['process_code']));
  return Object.fromEntries(
    Object.entries(whole).map(([table, rows]) => {
      const [id, code] = table === 'process' ? ['assigned_to_id', 'assigned_to'] : ['assignee_id', 'assignee'];
      return [table, releasing(rows, users, id, code)];
    }),
  );
};

/**
 * The parts of a group are exported as of several moments. What came or went in between is left out: folders, document
 * types and spaces of an entity that the people lack, then links to folders that are missing. A later folder with the
 * same code must not inherit them.
 */
export const fittingRows = (group: ExportedGroup): FittingGroup => {
  const entities = valuesOf(group.people['entity'] ?? [], 'code');
  const placed = filtered(group.folders, ['location', 'document'], (row) => entities.has(row['entity_code']));
  const folders = fittingTypes(placed, entities);
  const codes = valuesOf(folders['location'] ?? [], 'code');
  const people = filtered(group.people, ['area_location'], (row) => codes.has(row['location_code']));
  const spaces = fittingSpaces(group.spaces ?? {}, group.people);
  const conversations = fittingConversations(group.conversations ?? {}, group.people);
  const processes = fittingProcesses(group.processes ?? {}, group.people);
  return {
    group: { ...group, people, folders, spaces, conversations, processes },
    leftOut: {
      rows: countOf(group.people) + countOf(group.folders) - countOf(people) - countOf(folders),
      spaces: lost(group.spaces, spaces, 'space'),
      conversations: lost(group.conversations, conversations, 'conversation'),
      processes: lost(group.processes, processes, 'process'),
    },
  };
};
