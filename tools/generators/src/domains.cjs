// Where the operations of each domain live. A code is looked up whole, then by its first part; a test compares every
// row with the code. A new domain is a row: `npx nx g @acervo/tools:feature DOMAIN` then writes its files.
/**
 * `contract` lies in libs/contracts/src, `handlers` and `store` in libs/LIBRARY/src, each without `.ts`, `.handlers.ts`
 * and `.store.ts`. The store is null where the handlers read no table of their own.
 */
const at = (library, contract, handlers, store) => ({ library, contract, handlers, store });

const taxonomy = (name, store) => at('ingestion', 'taxonomy/calls', `taxonomy/${name}`, `taxonomy/${store}`);
const parameters = at('auth', 'organisation/parameters', 'parameters/parameters', null);

/** One row for a domain. */
const PLACES = {
  applications: at('auth', 'people/function-calls', 'functions/functions', 'applications/application'),
  areas: at('auth', 'organisation/calls', 'organisation/areas', 'organisation/area'),
  audit: at('operations', 'operations/audit-calls', 'audit/audit', 'audit/audit'),
  document_statuses: at('ingestion', 'documents/statuses', 'documents/documents', 'documents/listing'),
  document_types: taxonomy('document-types', 'document-type'),
  documents: at('ingestion', 'documents/documents', 'documents/documents', 'documents/listing'),
  entities: at('auth', 'organisation/calls', 'organisation/entities', 'organisation/entity'),
  feature_categories: taxonomy('categories', 'category'),
  functions: at('operations', 'operations/functions', 'catalogue/functions', null),
  group_processes: at(
    'operations',
    'processes/group-processes',
    'group-processes/group-processes',
    'group-processes/group-process',
  ),
  group_tasks: at('operations', 'processes/group-tasks', 'group-tasks/group-tasks', 'group-tasks/group-task'),
  groups: at('auth', 'organisation/calls', 'organisation/group', null),
  ingestion_runs: at('ingestion', 'ingestion/queue', 'runs/runs', 'scans/run'),
  locations: at('ingestion', 'ingestion/location-changes', 'location-changes/location-changes', 'locations/location'),
  parameter_categories: parameters,
  parameter_types: parameters,
  parameters,
  pipeline_runs: at('ingestion', 'ingestion/queue', 'runs/runs', 'scans/run'),
  processes: at('operations', 'processes/processes', 'processes/processes', 'processes/process'),
  queue: at('ingestion', 'ingestion/queue', 'queue/queue', 'queue/queue'),
  roles: at('auth', 'people/role-calls', 'roles/roles', 'roles/role'),
  session: at('auth', 'auth/session', 'focus/focus', 'focus/focus'),
  spaces: at('retrieval', 'spaces/calls', 'spaces/space-changes', 'space-members/space'),
  users: at('auth', 'people/user-calls', 'users/users', 'accounts/user'),
};

/** The file of the events about a subject, in libs/contracts/src. */
const EVENTS = {
  audit: 'audit',
  document: 'documents/events',
  embedding_space: 'documents/embedding',
  location: 'ingestion/location-list',
  locations: 'ingestion/location-list',
  model_call: 'usage/model-calls',
  plan: 'usage/plans',
  process: 'processes/requests',
  space: 'spaces/events',
  user: 'people/user-deletion',
};

/** @throws for a subject without a row */
const eventsOf = (subject) => {
  const { [subject]: file } = EVENTS;
  if (file === undefined)
    throw new Error(
      `No row of EVENTS in tools/generators/src/domains.cjs says where events of a ${subject} live; add one.`,
    );
  return `libs/contracts/src/${file}.ts`;
};

/**
 * The files of an operation, by its code or by its domain.
 * @throws for a domain without a row
 */
const placeOf = (code) => {
  const [domain] = code.split('.');
  const place = PLACES[code] ?? PLACES[domain];
  if (place === undefined)
    throw new Error(`No row of tools/generators/src/domains.cjs says where ${domain} lives; add one.`);
  const { library, contract, handlers, store } = place;
  const source = `libs/${library}/src`;
  const [feature] = handlers.split('/');
  return {
    ...{ domain, library, feature, module: `${source}/${feature}/${feature}.module.ts` },
    contract: `libs/contracts/src/${contract}.ts`,
    handlers: `${source}/${handlers}.handlers.ts`,
    store: store === null ? null : `${source}/${store}.store.ts`,
    spec: `${source}/${handlers}.handlers.spec.ts`,
  };
};

module.exports = { EVENTS, eventsOf, PLACES, placeOf };
