import type { Installation } from '../isolation/installation';
import type { Names, State } from './state';

type Plain = Record<string, unknown>;
type Row = Readonly<Plain>;

/** Rows of the group, by table: what trials compare. */
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
  'ingestion.document',
  'ingestion.task',
] as const;

export const evidenceOf = async (installation: Installation, groupId: string): Promise<Evidence> => {
  const read = async (table: string): Promise<[string, Row[]]> => {
    const [row] = await installation
      .owner(table.split('.', 1)[0] ?? '')
      .read({ groupId }, (tx) =>
        tx.query<{ rows: Row[] }>(`select coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows from ${table} t`),
      );
    return [table, row?.rows ?? []];
  };
  const found: [string, Row[]][] = [];
  for (const table of TABLES) found.push(await read(table));
  return Object.fromEntries(found) as unknown as Evidence;
};

/** What came of an operation, beside what its preview said it would. */
export interface Outcome {
  readonly input: Plain;
  readonly foreseen: Plain;
  readonly status: number;
  readonly details: Plain;
  readonly before: Evidence;
  readonly after: Evidence;
}

/** How an operation with a preview is tried: on what, and what the stores say that it did, in the words of its preview. */
export interface Trial {
  readonly inputs: (state: State, names: Names) => readonly Plain[];
  /** What is to be foreseen. Undefined where the execution was refused, as its preview said. */
  readonly done: (outcome: Outcome) => Plain;
}

const lost = ({ before, after }: Outcome, table: keyof Evidence, is: (row: Row) => boolean = () => true): number =>
  before[table].filter(is).length - after[table].filter(is).length;
const of =
  (column: string, value: unknown) =>
  (row: Row): boolean =>
    row[column] === value;

/** Rows that are not as they were. */
const touched = ({ before, after }: Outcome, table: keyof Evidence, key: string): Row[] => {
  const now = new Map(after[table].map((row) => [row[key], JSON.stringify(row)]));
  return before[table].filter((row) => now.get(row[key]) !== JSON.stringify(row));
};

const OPEN = ['WAITING', 'LEASED'];
const sumOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);

const documentTrial = (place: number, more: (state: State) => Plain = () => ({})): Trial => ({
  inputs: (state, { documents }) =>
    documents.flatMap(({ code }, index) => (index % 3 === place ? [{ document_code: code, ...more(state) }] : [])),
  done: (outcome) => {
    const documents = touched(outcome, 'ingestion.document', 'document_id');
    const ids = documents.map((row) => row['document_id']);
    const still = new Map(outcome.after['ingestion.document'].map((row) => [row['document_id'], row]));
    const kept = documents.map((row) => still.get(row['document_id']) ?? {});
    const isTask = (row: Row): boolean =>
      ids.includes(row['subject_id']) &&
      OPEN.includes(String(row['status'])) &&
      String(row['stage']).startsWith('previews');
    return {
      documents: documents.length,
      chunks: sumOf(documents, 'indexed_chunks') - sumOf(kept, 'indexed_chunks'),
      waiting: lost(outcome, 'ingestion.task', isTask),
    };
  },
});

/** A deletion that is refused while something depends on what is to go: the refusal counts what the preview counted. */
const blockedTrial = (inputs: Trial['inputs'], table: 'auth.entity' | 'auth.area', column: string): Trial => ({
  inputs,
  done: (outcome) => {
    const { input, foreseen, status, details } = outcome;
    const gone = lost(outcome, table);
    if (status === 200 && gone === 1 && lost(outcome, table, of('code', input[column])) === 1)
      return { ...Object.fromEntries(Object.keys(foreseen).map((name) => [name, 0])), [column]: input[column] };
    // A document in a folder that is linked twice, or none of its own: the refusal itself says what is in the way.
    return gone === 0 && status === 409 ? { ...details, [column]: input[column], reason: undefined } : { gone, status };
  },
});

const usersDelete: Trial = {
  inputs: (_state, { users }) => users.slice(1).map(({ email }) => ({ code: email })),
  done: (outcome) => {
    const user = outcome.before['auth.app_user'].find(of('email', outcome.input['code']));
    const isOwn = of('user_id', user?.['user_id']);
    const kinds = [
      ['ROLES', 'auth.user_role'],
      ['ENTITIES', 'auth.user_entity'],
      ['API_KEYS', 'auth.api_key'],
      ['SESSIONS', 'auth.session'],
      ['FACTORS', 'auth.factor'],
    ] as const;
    // Such a key stays, and works no more: nobody is left whose rights it could have.
    const unmade = outcome.after['auth.api_key'].filter(
      (row) => of('created_by', user?.['user_id'])(row) && !isOwn(row) && row['revoked_at'] === null,
    );
    const gone = kinds.map(([kind, table]) => ({ kind, count: lost(outcome, table, isOwn) }));
    const dependencies = [...gone, { kind: 'KEYS_MADE_FOR_OTHERS', count: unmade.length }];
    return {
      ...{ code: outcome.input['code'], dependencies, blocked: lost(outcome, 'auth.app_user') !== 1 },
      total: sumOf(dependencies, 'count'),
    };
  },
};

const entityRemoval: Trial = {
  inputs: (state, { users, entities }) =>
    (state.users[0]?.entities ?? []).map((index) => ({ code: users[0]?.email, entity_code: entities[index] })),
  done: (outcome) => {
    const { input, before, after } = outcome;
    const entity = input['entity_code'];
    const [was, is] = [before, after].map((rows) => rows['auth.app_user'].find(of('email', input['code'])));
    const isOwn = of('user_id', was?.['user_id']);
    const fixed = before['auth.api_key'].filter(
      (row) => isOwn(row) && row['fixed_entity'] === entity && row['revoked_at'] === null,
    );
    return {
      ...{ code: input['code'], entity_code: entity, fixed_keys: fixed.length },
      is_default: was?.['default_entity'] === entity && is?.['default_entity'] === null,
      remaining: after['auth.user_entity'].filter(isOwn).length,
    };
  },
};

const cancellation: Trial = {
  inputs: (_state, { run }) => [{ run }],
  done: (outcome) => {
    const subjects = new Set(outcome.after['ingestion.task'].filter(isOpen).map((row) => row['subject_id']));
    const stopped = outcome.before['ingestion.document'].filter(
      (row) =>
        row['run'] === outcome.input['run'] &&
        outcome.before['ingestion.task'].some((task) => isOpen(task) && task['subject_id'] === row['document_id']) &&
        !subjects.has(row['document_id']),
    );
    return { run: outcome.input['run'], documents: stopped.length };
  },
};
const isOpen = (row: Row): boolean => OPEN.includes(String(row['status']));

/** How each is tried, in an order in which one leaves the next something to do. */
export const trials: Readonly<Record<string, Trial>> = {
  'ingestion_runs.cancel': cancellation,
  'documents.report_missing': documentTrial(0),
  'documents.delete': documentTrial(1),
  'documents.revert': documentTrial(2, () => ({ status: 'EXTRACTED' })),
  'users.remove_entity': entityRemoval,
  'users.delete': usersDelete,
  'areas.delete': blockedTrial(
    (_state, { areas }) => areas.map((code) => ({ area_code: code })),
    'auth.area',
    'area_code',
  ),
  'entities.delete': blockedTrial(
    (_state, { entities }) => entities.map((code) => ({ entity_code: code })),
    'auth.entity',
    'entity_code',
  ),
};
