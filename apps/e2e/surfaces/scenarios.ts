import type { OperationId } from '@acervo/client';

/** Keys of the scenarios: all screens, spaces alone, one that is revoked on the way, and none that exists. */
export type KeyName = 'administrator' | 'reader' | 'leaving' | 'wrong';

/** One request: its operation and input, and the command that sends the same. `{name}` stands for a value. */
export interface Step {
  readonly id: OperationId;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly command: readonly string[];
  readonly key?: KeyName;
  readonly idempotencyKey?: string;
  /** Name under which later steps find the number of the space in the answer. */
  readonly keepSpace?: string;
  /** Name under which later steps find the number of the conversation in the answer. */
  readonly keepConversation?: string;
  /** The code of the error; without it the step succeeds. */
  readonly fails?: string;
}

/** Revokes the key that is leaving. */
export const REVOKE = 'revoke';

export interface Scenario {
  readonly title: string;
  readonly steps: readonly (Step | typeof REVOKE)[];
}

const one = (
  title: string,
  id: OperationId,
  input: Step['input'],
  command: string,
  more: Partial<Step> = {},
): Scenario => ({
  title,
  steps: [{ id, ...(input === undefined ? {} : { input }), command: command.split(' '), ...more }],
});

const execution = (code: string, input: object, more: object = {}): Record<string, unknown> => ({
  code,
  input,
  ...more,
});

const run = (code: string, input: object, ...flags: string[]): string[] => [
  'operations',
  'run',
  code,
  '--input',
  JSON.stringify(input),
  ...flags,
];

const create = (name: string, keepSpace: string, more: Partial<Step> = {}): Step => {
  const input = { name: `${name} {surface}`, criteria: { query: 'riego' } };
  return {
    id: 'executeOperation',
    input: execution('spaces.create', input),
    command: run('spaces.create', input),
    keepSpace,
    ...more,
  };
};

const invalid = { fails: 'VALIDATION_ERROR' };
const meaningless = { fails: 'INVALID_REQUEST' };
const absent = { fails: 'NOT_FOUND' };

const focus: readonly Scenario[] = [
  one('the session of a key', 'getSession', undefined, 'focus'),
  one('a focus on an entity', 'setActiveEntity', { entity_code: 'E1' }, 'focus --entity E1'),
  one('a focus on an invisible entity', 'setActiveEntity', { entity_code: 'E9' }, 'focus --entity E9', absent),
  one('a focus on an invisible area', 'setActiveArea', { area_code: 'A9' }, 'focus --area A9', absent),
  one('a released area', 'setActiveArea', { area_code: null }, 'focus --release-area'),
  one('a released focus', 'setActiveEntity', { entity_code: null }, 'focus --release'),
];

const searches: readonly Scenario[] = [
  one('a search', 'searchDocuments', { query: 'turnos de riego', limit: 3 }, 'search turnos de riego --limit 3'),
  one(
    'a search in a folder',
    'searchDocuments',
    { query: 'agua', location_code: '{folder}' },
    'search agua --location {folder}',
  ),
  one(
    'a search of a type that no document has',
    'searchDocuments',
    { query: 'agua', filter: { document_types: ['NONE'] } },
    'search agua --type NONE',
  ),
  one(
    'a search for the same text alone',
    'searchDocuments',
    { query: 'riego', min_similarity: 1 },
    'search riego --min-similarity 1',
  ),
  one('a search without words', 'searchDocuments', { query: ' ' }, 'search', {
    command: ['search', ' '],
    ...meaningless,
  }),
  one('a search for nothing', 'searchDocuments', { query: 'agua', limit: 0 }, 'search agua --limit 0', invalid),
  one('a search for too many', 'searchDocuments', { query: 'agua', limit: 101 }, 'search agua --limit 101', invalid),
  one(
    'a search in an invisible folder',
    'searchDocuments',
    { query: 'agua', location_code: 'L9' },
    'search agua --location L9',
    absent,
  ),
  one(
    'a search in an invisible space',
    'searchDocuments',
    { query: 'agua', space_id: 999_999 },
    'search agua --space 999999',
    absent,
  ),
];

const documents: readonly Scenario[] = [
  one('the first page of documents', 'listDocuments', { limit: 5 }, 'documents --limit 5'),
  one('the second page of documents', 'listDocuments', { limit: 5, page: 2 }, 'documents --limit 5 --page 2'),
  one(
    'documents of a status',
    'listDocuments',
    { status: 'VECTORIZED', limit: 2 },
    'documents --status VECTORIZED --limit 2',
  ),
  one(
    'documents of a status that does not exist',
    'listDocuments',
    { status: 'GONE' },
    'documents --status GONE',
    invalid,
  ),
  one('a document', 'getDocument', { document_code: '{document}' }, 'show {document}'),
  one('an invisible document', 'getDocument', { document_code: 'D9' }, 'show D9', absent),
  one(
    'the edges of a document',
    'getDocumentEdges',
    { document_code: '{document}', neighbor_limit: 3 },
    'edges {document} --limit 3',
  ),
  one(
    'too many edges',
    'getDocumentEdges',
    { document_code: '{document}', neighbor_limit: 501 },
    'edges {document} --limit 501',
    invalid,
  ),
];

const lists: readonly Scenario[] = [
  one('areas of an entity', 'listAreas', { entity_code: 'E1' }, 'areas --entity E1'),
  one('folders by name', 'listLocations', { query: 'actas' }, 'locations --query actas'),
  one('folders behind a broken cursor', 'listLocations', { cursor: 'x' }, 'locations --cursor x', meaningless),
  one('steps of a status that does not exist', 'listQueue', { status: 'GONE' }, 'queue --status GONE', invalid),
  one('finished steps', 'listQueue', { status: 'COMPLETED', limit: 2 }, 'queue --status COMPLETED --limit 2'),
  one('scans', 'listRuns', { limit: 1 }, 'runs --limit 1'),
  one('the usage of the group', 'getUsage', undefined, 'usage'),
  one('skills', 'listSkills', undefined, 'skills'),
  one('a skill', 'getSkill', { skill_code: 'KEY-DATES' }, 'skills show KEY-DATES'),
  one('a skill that does not exist', 'getSkill', { skill_code: 'NONE' }, 'skills show NONE', absent),
  one('a skill over nothing', 'runSkill', { skill_code: 'KEY-DATES' }, 'skills run KEY-DATES', meaningless),
  one('open processes', 'listProcesses', { only_open: true }, 'processes --open'),
  one('a state of processes that does not exist', 'listProcesses', { status: 'X' }, 'processes --status X', invalid),
];

const operations: readonly Scenario[] = [
  one('operations of a key', 'listOperations', undefined, 'operations'),
  one('an operation', 'getOperation', { code: 'documents.delete' }, 'operations describe documents.delete'),
  one(
    'an operation that does not exist',
    'getOperation',
    { code: 'none.none' },
    'operations describe none.none',
    absent,
  ),
  one(
    'a read by its operation',
    'executeOperation',
    execution('locations.list', { limit: 1 }),
    'operations run locations.list --limit 1',
  ),
  one(
    'an operation without its input',
    'executeOperation',
    execution('documents.get', {}),
    'operations run documents.get',
    invalid,
  ),
  one('an operation with an unknown field', 'executeOperation', execution('documents.list', { x: 1 }), '', {
    command: run('documents.list', { x: 1 }),
    ...invalid,
  }),
  one(
    'an operation on something invisible',
    'executeOperation',
    execution('documents.get', { document_code: 'D9' }),
    'operations run documents.get --document-code D9',
    absent,
  ),
  one(
    'a preview',
    'executeOperation',
    execution('documents.delete', { document_code: '{document}' }),
    'operations run documents.delete --document-code {document}',
  ),
];

const spaces: readonly Scenario[] = [
  {
    title: 'a space is created, listed, read and deleted after its preview',
    steps: [
      create('Lectura', 'space'),
      {
        id: 'readSpace',
        input: { space_id: '{space}', resolution: 'count' },
        command: ['spaces', 'read', '{space}', '--resolution', 'count'],
      },
      {
        id: 'readSpace',
        input: { space_id: '{space}', resolution: 'chunks' },
        command: ['spaces', 'read', '{space}', '--resolution', 'chunks'],
        ...meaningless,
      },
      {
        id: 'readSpace',
        input: { space_id: '{space}', resolution: 'whole' },
        command: ['spaces', 'read', '{space}', '--resolution', 'whole'],
        ...meaningless,
      },
      {
        id: 'getSpace',
        input: { space_id: '{space}', document_limit: 2 },
        command: ['spaces', 'show', '{space}', '--limit', '2'],
      },
      {
        id: 'executeOperation',
        input: execution('spaces.delete', { space_id: '{space}' }, { confirm: true }),
        command: ['operations', 'run', 'spaces.delete', '--space-id', '{space}', '--yes'],
      },
      { id: 'getSpace', input: { space_id: '{space}' }, command: ['spaces', 'show', '{space}'], ...absent },
    ],
  },
  {
    title: 'a shared space cannot be shared again',
    steps: [
      create('Compartida', 'shared'),
      { id: 'promoteSpace', input: { space_id: '{shared}' }, command: ['spaces', 'promote', '{shared}'] },
      {
        id: 'promoteSpace',
        input: { space_id: '{shared}' },
        command: ['spaces', 'promote', '{shared}'],
        fails: 'CONFLICT',
      },
    ],
  },
  {
    title: 'a repeated write under its key has one effect and one answer',
    steps: [1, 2].map(() => {
      const step = create('Repetida', 'repeated', { idempotencyKey: 'once-{surface}' });
      return { ...step, command: [...step.command, '--idempotency-key', 'once-{surface}'] };
    }),
  },
];

const NIGHT = 'a qué hora empiezan los turnos de noche de riego';

const ask = (question: string, input: object, flags: string, more: Partial<Step> = {}): Step => ({
  ...{ id: 'ask', input: { question, ...input } },
  command: ['ask', question, ...flags.split(' ').filter((flag) => flag !== '')],
  ...more,
});

const asking: readonly Scenario[] = [
  { title: 'a question with an answer', steps: [ask(NIGHT, {}, '')] },
  {
    title: 'a question to a folder',
    steps: [ask(NIGHT, { location_code: '{folder}' }, '--location {folder}')],
  },
  { title: 'a question without an answer', steps: [ask('quién pintó la capilla de Aljubarrota', {}, '')] },
  { title: 'a question without words', steps: [ask(' ', {}, '', meaningless)] },
  { title: 'a question in an unknown mode', steps: [ask(NIGHT, { mode: 'other' }, '--mode other', meaningless)] },
  {
    title: 'a question to an invisible folder',
    steps: [ask(NIGHT, { location_code: 'L9' }, '--location L9', absent)],
  },
  {
    title: 'a question of a function that the key does not have',
    steps: [ask(NIGHT, { function_code: 'NONE' }, '--function NONE', absent)],
  },
  {
    title: 'a conversation is continued and deleted',
    steps: [
      ask(NIGHT, {}, '', { keepConversation: 'conversation' }),
      ask('y cuánto duran', { conversation_id: '{conversation}' }, '--conversation {conversation}'),
      {
        id: 'deleteConversation',
        input: { conversation_id: '{conversation}' },
        command: ['conversations', 'delete', '{conversation}'],
      },
      ask(NIGHT, { conversation_id: '{conversation}' }, '--conversation {conversation}', absent),
    ],
  },
  {
    title: 'a repeated question under its key has one answer',
    steps: [1, 2].map(() => ask(NIGHT, {}, '--idempotency-key asked-{surface}', { idempotencyKey: 'asked-{surface}' })),
  },
  one(
    'conversations of a function that does not exist',
    'listConversations',
    { function_code: 'NONE' },
    'conversations --function NONE',
  ),
  one('too many conversations', 'listConversations', { limit: 201 }, 'conversations --limit 201', invalid),
  one(
    'a conversation that does not exist',
    'deleteConversation',
    { conversation_id: 999_999 },
    'conversations delete 999999',
    absent,
  ),
];

const access: readonly Scenario[] = [
  one('a key that does not exist', 'getSession', undefined, 'focus', { key: 'wrong', fails: 'UNAUTHORIZED' }),
  one('a role that does not reach a route', 'listQueue', undefined, 'queue', { key: 'reader', fails: 'FORBIDDEN' }),
  one('operations of a lesser role', 'listOperations', undefined, 'operations', { key: 'reader' }),
  one(
    'an operation that is withheld from a role',
    'getOperation',
    { code: 'users.list' },
    'operations describe users.list',
    { key: 'reader', ...absent },
  ),
  {
    title: 'access is revoked between two steps',
    steps: [
      { id: 'listOperations', command: ['operations'], key: 'leaving' },
      REVOKE,
      { id: 'listOperations', command: ['operations'], key: 'leaving', fails: 'UNAUTHORIZED' },
    ],
  },
];

/** What every surface answers alike. */
export const scenarios: readonly Scenario[] = [
  ...focus,
  ...searches,
  ...documents,
  ...lists,
  ...operations,
  ...spaces,
  ...asking,
  ...access,
];
