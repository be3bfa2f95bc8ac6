import type { Installation } from '../isolation/installation';
import type { Names, State } from './state';

export type JsonObject = Record<string, unknown>;
export type Row = Readonly<JsonObject>;

/** Rows of the group, by table, for comparisons. */
export type Evidence = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>;

const TABLES = [
  'auth.app_user',
  'auth.user_role',
  'auth.user_entity',
  'auth.api_key',
  'auth.session',
  'auth.factor',
  'auth.entity',
  'auth.area',
  'auth.area_location',
  'ingestion.location',
  'ingestion.document',
  'ingestion.document_type',
  'ingestion.type_example',
  'ingestion.feature_category',
  'ingestion.feature',
  'ingestion.document_class',
  'ingestion.document_feature',
  'ingestion.task',
  'chat.conversation',
  'operations.idempotency',
  'operations.group_process',
  'operations.group_task',
  'operations.process',
  'operations.process_task',
  'retrieval.document',
  'retrieval.space',
  'retrieval.space_member',
] as const;

/** The rows of all tables, read schema by schema: row level security binds the owner of each. */
export const evidenceOf = async (installation: Installation, groupId: string): Promise<Evidence> => {
  const schemaOf = (table: string): string => table.split('.', 1)[0] ?? '';
  const found: Partial<Record<keyof Evidence, readonly Row[]>> = {};
  for (const schema of new Set(TABLES.map(schemaOf))) {
    const columns = TABLES.filter((table) => schemaOf(table) === schema).map(
      (table) => `(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${table} t) as "${table}"`,
    );
    const [row] = await installation
      .owner(schema)
      .read({ groupId }, (tx) => tx.query<Partial<Record<keyof Evidence, Row[]>>>(`select ${columns.join(', ')}`));
    Object.assign(found, row);
  }
  // Each table was read.
  return found as Evidence;
};

/** The effect of an operation, and its preview. */
export interface Outcome {
  readonly input: JsonObject;
  readonly foreseen: JsonObject;
  readonly status: number;
  readonly details: JsonObject;
  readonly before: Evidence;
  readonly after: Evidence;
}

/** How an operation with a preview is tried: its input, and its effect in the stores in the words of the preview. */
export interface PreviewCase {
  /** Its effect continues after the answer: the comparison waits until nothing changes. */
  readonly goesOn?: boolean;
  readonly inputs: (state: State, names: Names) => readonly JsonObject[];
  /** The effect that the preview must foresee. Undefined if the execution was refused, as previewed. */
  readonly done: (outcome: Outcome) => JsonObject;
}

export const lost = (
  { before, after }: Outcome,
  table: keyof Evidence,
  is: (row: Row) => boolean = () => true,
): number => before[table].filter(is).length - after[table].filter(is).length;
export const of =
  (column: string, value: unknown) =>
  (row: Row): boolean =>
    row[column] === value;

/** Rows that have changed. */
export const touched = ({ before, after }: Outcome, table: keyof Evidence, key: string): Row[] => {
  const now = new Map(after[table].map((row) => [row[key], JSON.stringify(row)]));
  return before[table].filter((row) => now.get(row[key]) !== JSON.stringify(row));
};

const OPEN = ['WAITING', 'LEASED'];
export const isOpen = (row: Row): boolean => OPEN.includes(String(row['status']));
/** Tasks of the state on one of these documents, without those that the product has enqueued itself. */
export const waitsFor =
  (ids: readonly unknown[]) =>
  (row: Row): boolean =>
    ids.includes(row['subject_id']) && isOpen(row) && String(row['stage']).startsWith('previews');
export const sumOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
