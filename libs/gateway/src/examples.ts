/** Things of the sample library that the examples of several routes show. */
const FILE = 'actas/acta-2025-01-comision-de-riego.md';

export const fileHints = {
  home_var: 'ACERVO_HOME_L10000',
  relative_path: FILE,
  path: `/library/${FILE}`,
  origin: 'FOLDER',
  is_absolute: false,
  is_public_url: false,
  is_cloud_only: false,
};

export const document = {
  code: 'D10003',
  name: 'acta-2025-01-comision-de-riego.md',
  status: 'VECTORIZED',
  summary: 'Se fija el calendario de turnos de la campaña. Los turnos de noche empiezan a las diez.',
  location: `/library/${FILE}`,
  location_code: 'L10001',
  entity_code: 'E1',
  document_type_code: null,
  url: 'https://acervo.example/app/documents/D10003',
  updated_at: '2026-11-26T02:56:00.040Z',
  fs: fileHints,
};

export const session = {
  group_code: 'G1',
  user_code: 'admin@acervo.local',
  user_alias: 'Administrador',
  credential: 'api_key',
  profile: 'ADMINISTRATOR',
  functions: ['DOCUMENTS', 'SESSION', 'WORKSPACES'],
  entities: ['E1'],
  entity_is_fixed: false,
  active_entity: null,
  active_area: null,
  effective_area: null,
  authorized_area_root: null,
  area_focus_is_explicit: false,
  focus_is_stale: false,
};

export const space = {
  space_id: 1,
  name: 'Riego',
  description: 'Todo lo que trata del agua de riego',
  type: 'AREA',
  entity_code: null,
  criteria: { query: 'riego' },
  expression: null,
  is_own: true,
  document_count: 21,
  refreshed_at: '2026-11-26T02:56:52.126Z',
  is_stale: false,
  created_at: '2026-11-26T02:56:52.126Z',
  updated_at: '2026-11-26T02:56:52.126Z',
};
