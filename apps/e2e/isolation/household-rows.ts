import { vectorToSql } from '@acervo/platform-database';
import type { Household } from './household';
import type { Group } from './tenants';

/** Rows of one table, without their group. */
export interface Rows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

type Row = Rows['rows'][number];

/** A snapshot of an export with one page. */
const snapshotOf = (h: Household): Row[] => [
  { snapshot_id: h.ids.run, table_name: 'counter', page: 0, rows: [{ name: h.word }], made_at: 'infinity' },
];

const people = (h: Household, { administrator }: Group): [string, Row[]][] => {
  const name = `${h.word} ${h.word.slice(0, 3)}`;
  const roles = [
    { role_id: h.assignedRole, code: h.roleCode, name, profile: 'USUARIO' },
    { role_id: h.role, code: `free-${h.roleCode}`, name, profile: 'USUARIO' },
  ];
  const key = { user_id: h.ids.user, role_id: h.assignedRole, created_by: h.ids.user, pepper_version: 1 };
  return [
    ['auth.export_page', snapshotOf(h)],
    ['auth.entity', [h.entity, h.otherEntity, h.emptyEntity].map((code) => ({ code, name }))],
    [
      'auth.area',
      [
        { code: h.area, entity_code: h.entity, name },
        { code: h.emptyArea, entity_code: h.entity, name },
        { code: h.otherArea, entity_code: h.otherEntity, name },
      ],
    ],
    ['auth.area_location', [{ area_code: h.area, location_code: h.root }]],
    ['auth.app_user', [{ user_id: h.ids.user, email: h.user, name, state: 'ACTIVO', address_confirmed: true }]],
    ['auth.group_role', roles],
    ['auth.group_role_function', roles.map(({ role_id }) => ({ role_id, function_code: 'DOCUMENTS' }))],
    ['auth.group_role_application', roles.map(({ role_id }) => ({ role_id, application_code: 'WEB' }))],
    ['auth.user_role', [{ user_id: h.ids.user, role_id: h.assignedRole }].map((row) => ({ ...row, position: 0 }))],
    ['auth.user_entity', [h.ids.user, administrator].map((user_id) => ({ user_id, entity_code: h.entity }))],
    [
      'auth.api_key',
      [{ key_id: h.key, name, ...key, secret_hash: `\\x${Buffer.from(h.word).toString('hex')}`, created_at: 'now' }],
    ],
  ];
};

const documents = (h: Household): [string, Row[]][] => {
  const folder = { root_code: h.root, entity_code: h.entity, name: h.word, device: '1', inode: h.root };
  const ancestors = [h.location, h.root];
  const root = {
    ...folder,
    code: h.root,
    parent_code: null,
    relative_path: '',
    root_path: `/nowhere/${h.word}`,
    location_ancestors: [h.root],
  };
  const inner = {
    ...root,
    code: h.location,
    parent_code: h.root,
    relative_path: h.word,
    root_path: null,
    location_ancestors: ancestors,
  };
  const file = {
    name: `${h.word}.txt`,
    relative_path: `${h.word}.txt`,
    path: `${h.word}/${h.word}.txt`,
    size: 1,
    mtime: '1',
  };
  return [
    ['ingestion.export_page', snapshotOf(h)],
    ['ingestion.location', [root, inner]],
    ['ingestion.run', [{ run: h.run, run_id: h.ids.run, location_code: h.root }]],
    [
      'ingestion.document',
      [
        {
          ...{
            document_id: h.ids.document,
            code: h.document,
            location_code: h.location,
            root_code: h.root,
            run: h.run,
          },
          ...{
            location_ancestors: ancestors,
            entity_code: h.entity,
            ...file,
            content_hash: h.word,
            settings_hash: 'x',
          },
          ...{ status: 'VECTORIZADO', summary: `Resumen ${h.word}`, title: h.word, pages: 1, chunk_count: 1 },
        },
      ],
    ],
  ];
};

const indexed = (h: Household, bucket: number): [string, Row[]][] => {
  const key = { bucket, space_id: 1, document_id: h.ids.document, generation: 1 };
  const text = `Un texto de ${h.word} sobre el agua.`;
  const embedding = vectorToSql(Float32Array.from({ length: 384 }, (_, at) => (at === h.run % 384 ? 1 : 0)));
  return [
    [
      'retrieval.location',
      [
        { code: h.root, revision: 1, removed: false, entity_code: h.entity, location_ancestors: [h.root] },
        {
          code: h.location,
          revision: 1,
          removed: false,
          entity_code: h.entity,
          location_ancestors: [h.location, h.root],
        },
      ],
    ],
    [
      'retrieval.document',
      [
        {
          ...{ document_id: h.ids.document, revision: 1, code: h.document, name: `${h.word}.txt` },
          ...{ summary: `Resumen ${h.word}`, entity_code: h.entity, location_code: h.location },
          ...{
            location_ancestors: [h.location, h.root],
            relative_path: `${h.word}.txt`,
            path: h.word,
            origin: 'CARPETA',
          },
        },
      ],
    ],
    ['retrieval.live', [{ ...key, chunk_count: 1 }]],
    [
      'retrieval.chunk',
      [
        {
          ...{ ...key, ordinal: 0, start_at: 0, end_at: text.length, text, context: '', language: 'es' },
          terms: `text ${h.word} agu`,
        },
      ],
    ],
    ['retrieval.vector_384', [{ ...key, ordinal: 0, embedding }]],
  ];
};

/** The rows of households, table by table, each after the rows that it references. */
export const householdRows = (households: readonly Household[], group: Group, bucket: number): Rows[] => {
  const tables = new Map<string, Row[]>();
  for (const household of households)
    for (const [table, rows] of [...people(household, group), ...documents(household), ...indexed(household, bucket)])
      tables.set(table, [...(tables.get(table) ?? []), ...rows]);
  return [...tables].map(([table, rows]) => ({ table, rows }));
};
