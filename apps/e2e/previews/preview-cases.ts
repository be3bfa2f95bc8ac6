import { isOpen, lost, of, type JsonObject, sumOf, touched, type PreviewCase, waitsFor } from './evidence';
import { folderDeletion, linkRemoval } from './folder-cases';
import { groupProcessDeletion, groupTaskDeletion, processDeletion } from './process-cases';
import { spaceDeletion } from './space-cases';
import type { State } from './state';
import { categoryRemoval, featureRemoval, typeDeletion } from './type-cases';

const documentTrial = (place: number, more: (state: State) => JsonObject = () => ({})): PreviewCase => ({
  inputs: (state, { documents }) =>
    documents.flatMap(({ code }, index) => (index % 3 === place ? [{ document_code: code, ...more(state) }] : [])),
  done: (outcome) => {
    const documents = touched(outcome, 'ingestion.document', 'document_id');
    const ids = documents.map((row) => row['document_id']);
    const still = new Map(outcome.after['ingestion.document'].map((row) => [row['document_id'], row]));
    const remaining = documents.map((row) => still.get(row['document_id']) ?? {});
    return {
      documents: documents.length,
      chunks: sumOf(documents, 'indexed_chunks') - sumOf(remaining, 'indexed_chunks'),
      waiting: lost(outcome, 'ingestion.task', waitsFor(ids)),
    };
  },
});

/** A deletion that dependents block: the refusal counts what the preview counted. */
const blockedTrial = (
  inputs: PreviewCase['inputs'],
  table: 'auth.entity' | 'auth.area',
  column: string,
): PreviewCase => ({
  inputs,
  done: (outcome) => {
    const { input, foreseen, status, details } = outcome;
    const gone = lost(outcome, table);
    if (status === 200 && gone === 1 && lost(outcome, table, of('code', input[column])) === 1)
      return { ...Object.fromEntries(Object.keys(foreseen).map((name) => [name, 0])), [column]: input[column] };
    // The refusal itself names what blocks: a document in a folder with two links, or none of its own documents.
    return gone === 0 && status === 409 ? { ...details, [column]: input[column], reason: undefined } : { gone, status };
  },
});

const usersDelete: PreviewCase = {
  goesOn: true,
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
    // Such a key stays, but is invalid: the user whose rights it had is gone.
    const unmade = outcome.after['auth.api_key'].filter(
      (row) => of('created_by', user?.['user_id'])(row) && !isOwn(row) && row['revoked_at'] === null,
    );
    const gone = kinds.map(([kind, table]) => ({ kind, count: lost(outcome, table, isOwn) }));
    const answers = lost(outcome, 'operations.idempotency', (row) => isOwn(row) && row['answer'] !== null);
    const owns = of('owner_id', user?.['user_id']);
    const areas = lost(outcome, 'retrieval.space', (row) => owns(row) && row['type'] === 'AREA');
    const shared = outcome.before['retrieval.space'].filter((row) => owns(row) && row['type'] === 'ESPACIO');
    const handedOver = shared.filter(({ space_id }) =>
      outcome.after['retrieval.space'].some((row) => row['space_id'] === space_id && row['owner_id'] === null),
    );
    const isStarted = of('created_by_id', user?.['user_id']);
    const released = outcome.before['operations.process'].filter(
      (row) =>
        of('assigned_to_id', user?.['user_id'])(row) &&
        outcome.after['operations.process'].some(
          ({ code, assigned_to_id }) => code === row['code'] && assigned_to_id === null,
        ),
    );
    const dependencies = [
      ...gone,
      { kind: 'KEYS_MADE_FOR_OTHERS', count: unmade.length },
      { kind: 'STORED_ANSWERS', count: answers },
      { kind: 'PROCESSES', count: lost(outcome, 'operations.process', isStarted) },
      { kind: 'ASSIGNED_PROCESSES', count: released.length },
      { kind: 'WORKING_AREAS', count: areas },
      { kind: 'SHARED_SPACES', count: handedOver.length },
      { kind: 'CONVERSATIONS', count: lost(outcome, 'chat.conversation', isOwn) },
    ];
    return {
      ...{ code: outcome.input['code'], dependencies, blocked: lost(outcome, 'auth.app_user') !== 1 },
      total: sumOf(dependencies, 'count'),
    };
  },
};

const entityRemoval: PreviewCase = {
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

const cancellation: PreviewCase = {
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
/** The example of each operation, ordered so that each leaves rows for the next. */
export const cases: Readonly<Record<string, PreviewCase>> = {
  'ingestion_runs.cancel': cancellation,
  'spaces.delete': spaceDeletion,
  'group_tasks.delete': groupTaskDeletion,
  'group_processes.delete': groupProcessDeletion,
  'processes.delete': processDeletion,
  'document_types.remove_feature': featureRemoval,
  'document_types.remove_category': categoryRemoval,
  'document_types.delete': typeDeletion,
  'documents.report_missing': documentTrial(0),
  'documents.delete': documentTrial(1),
  'documents.revert': documentTrial(2, () => ({ status: 'EXTRACTED' })),
  'users.remove_entity': entityRemoval,
  'users.delete': usersDelete,
  'areas.remove_location': linkRemoval,
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
  'locations.delete': folderDeletion,
};
