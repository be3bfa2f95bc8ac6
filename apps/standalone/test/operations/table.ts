import type { Installation } from './fixture';

/** How one published operation is tried: with what, and with what that does not exist. */
export interface Row {
  readonly code: string;
  readonly input: (installation: Installation) => object | Promise<object>;
  /** Names what nobody has, in fields that name nothing of a group: the answer is 404. */
  readonly absent?: object;
  /** What has to stand beside a field that names what another group has, by that field. */
  readonly beside?: Readonly<Record<string, object>>;
  /** What the same input answers once more where its effect was there before; 200 unless told. */
  readonly again?: 404 | 409;
}

const PERSON = 'persona@example.org';
const documents = async ({ program }: Installation): Promise<string[]> => {
  const listed = (await program.ask('GET', '/v1/documents?limit=100')).body['documents'];
  return (listed as { code: string; name: string }[])
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ code }) => code);
};
const document =
  (place: number, more: object = {}) =>
  async (installation: Installation): Promise<object> => ({
    document_code: (await documents(installation))[place] ?? '',
    ...more,
  });
const root = async (installation: Installation): Promise<string> => {
  const { locations } = await installation.result('locations.list', { query: 'folder' });
  return (locations as { code: string }[])[0]?.code ?? '';
};
const inRoot = async (installation: Installation): Promise<object> => ({ location_code: await root(installation) });
/** The folder that `locations.create` added. */
const added = async (installation: Installation): Promise<object> => {
  const { locations } = await installation.result('locations.list', { query: 'second' });
  return { location_code: (locations as { code: string }[])[0]?.code ?? 'L1' };
};
const batch = async (installation: Installation): Promise<object> => ({
  document_codes: (await documents(installation)).slice(0, 2),
});
const lastRun = async (installation: Installation): Promise<object> => {
  const { runs } = await installation.result('pipeline_runs.list');
  return { run: (runs as { run: number }[])[0]?.run ?? 0 };
};

/** Every published operation, in an order in which each finds what it needs. */
export const table: readonly Row[] = [
  { code: 'audit.list', input: () => ({ limit: 5 }) },
  { code: 'roles.list', input: () => ({}) },
  { code: 'applications.list', input: () => ({}) },
  { code: 'functions.get', input: () => ({ function_code: 'DOCUMENTS' }), absent: { function_code: 'NADA' } },
  {
    code: 'session.set_active_entity',
    input: () => ({ entity_code: null }),
  },
  { code: 'document_statuses.list', input: () => ({}) },
  { code: 'documents.count_by_status', input: () => ({}) },
  { code: 'queue.pipeline_summary', input: () => ({}) },
  { code: 'queue.list_run', input: lastRun },
  { code: 'entities.list', input: () => ({}) },
  { code: 'entities.create', input: () => ({ code: 'E2', name: 'Segunda' }), again: 409 },
  {
    code: 'entities.update',
    input: () => ({ entity_code: 'E2', name: 'Otra' }),
  },
  {
    code: 'entities.get_dependencies',
    input: () => ({ entity_code: 'E2' }),
  },
  { code: 'areas.create', input: () => ({ entity_code: 'E1', code: 'A1', name: 'Riegos' }), again: 409 },
  { code: 'areas.list', input: () => ({ entity_code: 'E1' }) },
  { code: 'areas.update', input: () => ({ area_code: 'A1', name: 'Riego' }) },
  {
    code: 'areas.add_location',
    input: async (installation) => ({ area_code: 'A1', location_code: await root(installation) }),
  },
  { code: 'areas.list_locations', input: () => ({ area_code: 'A1' }) },
  {
    code: 'areas.remove_location',
    input: async (installation) => ({ area_code: 'A1', location_code: await root(installation) }),
    again: 404,
  },
  { code: 'groups.update', input: () => ({ name: 'El grupo' }) },
  {
    code: 'groups.update_parameters',
    input: () => ({ parameters: [{ parameter_code: 'LANGUAGE', value: 'en' }] }),
    absent: { parameters: [{ parameter_code: 'NADA', value: null }] },
  },
  { code: 'parameters.list_group', input: () => ({ category: 'ORGANIZATION' }) },
  {
    code: 'parameters.update_group',
    input: () => ({ parameter_code: 'CONTACT', value: 'secretaria' }),
    absent: { parameter_code: 'NADA' },
  },
  { code: 'parameter_categories.list', input: () => ({}) },
  { code: 'parameter_types.list', input: () => ({}) },
  { code: 'users.list', input: () => ({}) },
  { code: 'users.create', input: () => ({ code: PERSON, name: 'Persona', role_code: 'USER' }), again: 409 },
  {
    code: 'users.update',
    input: () => ({ code: PERSON, name: 'Otra' }),
    // An area is looked at in an entity that the user has.
    beside: { default_area: { code: 'admin@acervo.local', default_entity: 'E1' } },
  },
  { code: 'users.list_roles', input: () => ({ code: PERSON }) },
  {
    code: 'users.add_role',
    input: () => ({ code: PERSON, role_code: 'NADA' }),
    again: 409,
  },
  {
    code: 'users.reorder_roles',
    input: () => ({ code: 'nadie@example.org', places: [{ role_code: 'NADA', position: 1 }] }),
  },
  {
    code: 'users.add_entity',
    input: () => ({ code: PERSON, entity_code: 'E1' }),
    again: 409,
  },
  { code: 'users.list_entities', input: () => ({ code: PERSON }) },
  {
    code: 'users.remove_entity',
    input: () => ({ code: PERSON, entity_code: 'E1' }),
    again: 404,
  },
  { code: 'users.delete', input: () => ({ code: PERSON }), again: 404 },
  {
    code: 'entities.delete',
    input: () => ({ entity_code: 'E2' }),
    again: 404,
  },
  { code: 'documents.list', input: () => ({ limit: 5 }) },
  { code: 'documents.get', input: document(0) },
  { code: 'documents.get_chunks', input: document(0) },
  { code: 'queue.list_orphans', input: () => ({}) },
  { code: 'queue.batch_status', input: batch },
  { code: 'queue.process_batch', input: batch },
  {
    code: 'pipeline_runs.update',
    input: async (installation) => ({ ...(await lastRun(installation)), order: 3 }),
  },
  { code: 'locations.list', input: () => ({ limit: 5 }) },
  { code: 'locations.rebuild_hierarchy', input: inRoot },
  {
    code: 'locations.create',
    input: ({ second }) => ({ path: second, entity_code: 'E1' }),
  },
  {
    code: 'locations.update',
    input: async (installation) => ({ name: 'second folder', ...(await added(installation)) }),
  },
  { code: 'locations.sync', input: added },
  { code: 'locations.preview_delete', input: added },
  { code: 'locations.delete', input: added, again: 404 },
  {
    code: 'documents.set_ingestion_order',
    input: document(0, { order: 1 }),
  },
  {
    code: 'documents.revert',
    input: document(0, { status: 'EXTRACTED' }),
  },
  { code: 'documents.report_missing', input: document(1) },
  { code: 'documents.delete', input: document(2), again: 404 },
  { code: 'pipeline_runs.list', input: () => ({}) },
  {
    code: 'ingestion_runs.start',
    input: async (installation) => ({ location_code: await root(installation) }),
  },
  { code: 'ingestion_runs.advance', input: lastRun },
  { code: 'ingestion_runs.cancel', input: lastRun },
  { code: 'areas.delete', input: () => ({ area_code: 'A1' }), again: 404 },
];
