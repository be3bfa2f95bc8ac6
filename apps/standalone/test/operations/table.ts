import type { Installation } from './fixture';

/** How one published operation is tried: with what, and with what that does not exist. */
export interface Row {
  readonly code: string;
  readonly input: (installation: Installation) => object | Promise<object>;
  /** Names something absent: the answer is 404. */
  readonly absent?: object;
  /** Its effect was there before: the same input again is a conflict or finds nothing. */
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
  const { runs } = await installation.result('pipeline_runs.list');
  return (runs as { location_code: string }[])[0]?.location_code ?? '';
};
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
  { code: 'session.set_active_entity', input: () => ({ entity_code: null }), absent: { entity_code: 'E9' } },
  { code: 'document_statuses.list', input: () => ({}) },
  { code: 'documents.count_by_status', input: () => ({}) },
  { code: 'queue.pipeline_summary', input: () => ({}) },
  { code: 'queue.list_run', input: lastRun, absent: { run: 2_000_000_000 } },
  { code: 'entities.list', input: () => ({}) },
  { code: 'entities.create', input: () => ({ code: 'E2', name: 'Segunda' }), again: 409 },
  { code: 'entities.update', input: () => ({ entity_code: 'E2', name: 'Otra' }), absent: { entity_code: 'E9' } },
  { code: 'entities.get_dependencies', input: () => ({ entity_code: 'E2' }), absent: { entity_code: 'E9' } },
  { code: 'areas.create', input: () => ({ entity_code: 'E1', code: 'A1', name: 'Riegos' }), again: 409 },
  { code: 'areas.list', input: () => ({ entity_code: 'E1' }), absent: { entity_code: 'E9' } },
  { code: 'areas.update', input: () => ({ area_code: 'A1', name: 'Riego' }), absent: { area_code: 'A9' } },
  {
    code: 'areas.add_location',
    input: async (installation) => ({ area_code: 'A1', location_code: await root(installation) }),
    absent: { area_code: 'A9' },
  },
  { code: 'areas.list_locations', input: () => ({ area_code: 'A1' }), absent: { area_code: 'A9' } },
  { code: 'groups.update', input: () => ({ name: 'El grupo' }) },
  { code: 'users.list', input: () => ({}) },
  { code: 'users.create', input: () => ({ code: PERSON, name: 'Persona' }), again: 409 },
  { code: 'users.update', input: () => ({ code: PERSON, name: 'Otra' }), absent: { code: 'x@example.org' } },
  { code: 'users.list_roles', input: () => ({ code: PERSON }), absent: { code: 'x@example.org' } },
  {
    code: 'users.add_role',
    input: () => ({ code: PERSON, role_code: 'NADA' }),
    absent: { code: PERSON, role_code: 'NINGUNO' },
    again: 409,
  },
  {
    code: 'users.reorder_roles',
    input: () => ({ code: 'nadie@example.org', places: [{ role_code: 'NADA', position: 1 }] }),
    absent: { code: 'nadie@example.org', places: [{ role_code: 'NINGUNO', position: 1 }] },
  },
  {
    code: 'users.add_entity',
    input: () => ({ code: PERSON, entity_code: 'E1' }),
    absent: { code: PERSON, entity_code: 'E9' },
    again: 409,
  },
  { code: 'users.list_entities', input: () => ({ code: PERSON }), absent: { code: 'x@example.org' } },
  {
    code: 'users.remove_entity',
    input: () => ({ code: PERSON, entity_code: 'E1' }),
    absent: { code: PERSON, entity_code: 'E9' },
    again: 404,
  },
  { code: 'users.delete', input: () => ({ code: PERSON }), absent: { code: 'x@example.org' }, again: 404 },
  { code: 'entities.delete', input: () => ({ entity_code: 'E2' }), absent: { entity_code: 'E9' }, again: 404 },
  { code: 'documents.list', input: () => ({ limit: 5 }) },
  { code: 'documents.get', input: document(0), absent: { document_code: 'NO' } },
  {
    code: 'documents.set_ingestion_order',
    input: document(0, { order: 1 }),
    absent: { document_code: 'NO', order: 1 },
  },
  {
    code: 'documents.revert',
    input: document(0, { status: 'EXTRACTED' }),
    absent: { document_code: 'NO', status: 'EXTRACTED' },
  },
  { code: 'documents.report_missing', input: document(1), absent: { document_code: 'NO' } },
  { code: 'documents.delete', input: document(2), absent: { document_code: 'NO' }, again: 404 },
  { code: 'pipeline_runs.list', input: () => ({}) },
  {
    code: 'ingestion_runs.start',
    input: async (installation) => ({ location_code: await root(installation) }),
    absent: { location_code: 'NO' },
  },
  { code: 'ingestion_runs.advance', input: lastRun, absent: { run: 2_000_000_000 } },
  { code: 'ingestion_runs.cancel', input: lastRun, absent: { run: 2_000_000_000 } },
  { code: 'areas.delete', input: () => ({ area_code: 'A1' }), absent: { area_code: 'A9' } },
];
