// Where the operations of each domain live. A code is looked up whole, then by its first part; a test compares every
// row with the code. A new domain is a row: `npx nx g @acervo/tools:feature DOMAIN` then writes its files.
/**
 * `contract` lies in libs/contracts/src, `handlers` and `store` in libs/LIBRARY/src, each without `.ts`, `.handlers.ts`
 * and `.store.ts`. The store is null where the handlers read no table of their own.
 */
const at = (library, contract, handlers, store) => ({ library, contract, handlers, store });

const taxonomy = (name, store) => at('ingestion', 'taxonomy/calls', `taxonomy/${name}`, `taxonomy/${store}`);
const user = (handlers, store) => at('auth', 'people/user-calls', handlers, store);
const batch = at('ingestion', 'ingestion/batches', 'runs/batch', 'scans/run');
const parameters = at('auth', 'organisation/parameters', 'parameters/parameters', null);
const spacesShown = at('retrieval', 'spaces/calls', 'spaces/spaces', 'space-members/space');
const spaceRefresh = at('retrieval', 'spaces/calls', 'spaces/space-refresh', 'space-members/space');
const locationDeletion = at(
  'ingestion',
  'ingestion/location-changes',
  'location-changes/location-deletion',
  'locations/location',
);
const areaLocations = at('auth', 'organisation/calls', 'organisation/area-locations', 'organisation/area-location');
const documentsShown = at('ingestion', 'documents/documents', 'documents/documents', 'documents/listing');
const documentChanges = at('ingestion', 'documents/changes', 'documents/changes', 'documents/change');
const statuses = at('ingestion', 'documents/statuses', 'documents/documents', 'documents/listing');

/** One row for a domain, and one for each operation that lives elsewhere. */
const PLACES = {
  applications: at('auth', 'people/function-calls', 'functions/functions', 'applications/application'),
  areas: at('auth', 'organisation/calls', 'organisation/areas', 'organisation/area'),
  'areas.add_location': areaLocations,
  'areas.list_locations': areaLocations,
  'areas.remove_location': areaLocations,
  audit: at('operations', 'operations/audit-calls', 'audit/audit', 'audit/audit'),
  document_statuses: statuses,
  document_types: taxonomy('document-types', 'document-type'),
  'document_types.add_category': taxonomy('categories', 'category'),
  'document_types.list_categories': taxonomy('categories', 'category'),
  'document_types.remove_category': taxonomy('categories', 'category'),
  'document_types.update_category': taxonomy('categories', 'category'),
  'document_types.add_feature': taxonomy('features', 'feature'),
  'document_types.list_features': taxonomy('features', 'feature'),
  'document_types.remove_feature': taxonomy('features', 'feature'),
  'document_types.update_feature': taxonomy('features', 'feature'),
  'document_types.get_boundary': taxonomy('boundaries', 'boundary'),
  'document_types.set_boundary': taxonomy('boundaries', 'boundary'),
  'document_types.get_impact': at('ingestion', 'taxonomy/impact', 'reclassification/impact', 'taxonomy/boundary'),
  'document_types.summary_by_entity': at('ingestion', 'taxonomy/summary', 'classification/document-features', null),
  documents: documentsShown,
  'documents.count_by_status': statuses,
  'documents.delete': documentChanges,
  'documents.get_chunks': at('retrieval', 'documents/chunks', 'chunks/chunks', null),
  'documents.get_features': at('ingestion', 'documents/features', 'classification/document-features', null),
  'documents.report_missing': documentChanges,
  'documents.revert': documentChanges,
  'documents.set_ingestion_order': documentChanges,
  entities: at('auth', 'organisation/calls', 'organisation/entities', 'organisation/entity'),
  feature_categories: taxonomy('categories', 'category'),
  functions: at('operations', 'operations/functions', 'catalogue/functions', null),
  group_processes: at(
    'operations',
    'processes/group-processes',
    'processes/group-processes',
    'processes/group-process',
  ),
  group_tasks: at('operations', 'processes/group-tasks', 'processes/group-tasks', 'processes/group-task'),
  groups: at('auth', 'organisation/calls', 'organisation/group', null),
  'groups.update_parameters': parameters,
  ingestion_runs: at('ingestion', 'ingestion/queue', 'runs/runs', 'scans/run'),
  locations: at('ingestion', 'ingestion/location-changes', 'location-changes/location-changes', 'locations/location'),
  'locations.delete': locationDeletion,
  'locations.list': at(
    'ingestion',
    'ingestion/location-list',
    'locations/location-listing',
    'locations/location-listing',
  ),
  'locations.preview_delete': locationDeletion,
  'locations.rebuild_hierarchy': at(
    'ingestion',
    'ingestion/location-changes',
    'location-changes/hierarchy',
    'location-changes/hierarchy',
  ),
  parameter_categories: parameters,
  parameter_types: parameters,
  parameters,
  pipeline_runs: at('ingestion', 'ingestion/queue', 'runs/runs', 'scans/run'),
  'pipeline_runs.update': batch,
  processes: at('operations', 'processes/processes', 'processes/processes', 'processes/process'),
  queue: at('ingestion', 'ingestion/queue', 'queue/queue', 'queue/queue'),
  'queue.batch_status': batch,
  'queue.list_orphans': at('ingestion', 'ingestion/queue', 'queue/orphans', 'queue/queue'),
  'queue.process_batch': batch,
  roles: at('auth', 'people/role-calls', 'roles/roles', 'roles/role'),
  session: at('auth', 'auth/session', 'focus/focus', 'focus/focus'),
  spaces: at('retrieval', 'spaces/calls', 'spaces/space-changes', 'space-members/space'),
  'spaces.list': spacesShown,
  'spaces.list_documents': spacesShown,
  'spaces.refresh': spaceRefresh,
  'spaces.set_criteria': spaceRefresh,
  users: user('users/users', 'accounts/user'),
  'users.add_entity': user('entities/user-entities', 'entities/user-entity'),
  'users.add_role': user('users/user-access', 'accounts/user-role'),
  'users.create': user('users/user-creation', 'accounts/user'),
  'users.delete': user('users/user-deletion', 'users/user-deletion'),
  'users.list_entities': user('entities/user-entities', 'entities/user-entity'),
  'users.list_roles': user('users/user-access', 'accounts/user-role'),
  'users.remove_entity': user('entities/user-entities', 'entities/user-entity'),
  'users.reorder_roles': user('users/user-access', 'accounts/user-role'),
};

/** The file of the events about a subject, in libs/contracts/src. */
const EVENTS = {
  audit: 'audit',
  document: 'documents/events',
  embedding_space: 'documents/embedding',
  location: 'ingestion/location-list',
  locations: 'ingestion/location-list',
  plan: 'usage/plans',
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
