import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Rows } from '../isolation/household-rows';

const STATUSES = [
  'DETECTADO',
  'ADQUIRIDO',
  'EXTRAIDO',
  'RESUMIDO',
  'FRAGMENTADO',
  'VECTORIZADO',
  'ERROR',
  'NO_ENCONTRADO',
] as const;
const ENTITIES = 3;
const entity = fc.nat(ENTITIES - 1);

const user = fc.record({
  /** Entities that the user has. */
  entities: fc.uniqueArray(entity, { maxLength: ENTITIES }),
  hasDefault: fc.boolean(),
  roles: fc.nat(2),
  keys: fc.array(
    fc.record({
      fixed: fc.option(entity),
      area: fc.option(fc.nat(3)),
      revoked: fc.boolean(),
      maker: fc.constantFrom('owner', 'next user'),
    }),
    { maxLength: 3 },
  ),
  sessions: fc.nat(3),
  factors: fc.nat(2),
});

const area = fc.record({
  entity,
  /** An area of the same entity that came before. */
  parent: fc.option(fc.nat(3)),
  /** Whether the first user has this area of the entity only. */
  restricts: fc.boolean(),
  folder: fc.boolean(),
});

const documents = fc.record({
  /** A document that came before and carries this one. */
  parent: fc.option(fc.nat(5), { freq: 2 }),
  status: fc.constantFrom(...STATUSES),
  deleted: fc.boolean(),
  /** Passages that are searched; null: it is not. */
  indexed: fc.option(fc.integer({ min: 1, max: 9 })),
  /** Whether objects of its earlier states are there. */
  kept: fc.boolean(),
  run: fc.boolean(),
  work: fc.uniqueArray(fc.constantFrom('WAITING', 'LEASED', 'FAILED', 'DONE'), { maxLength: 3 }),
});

/** What is deleted or missing is not searched, and no work waits for it: that is how both are left. */
const document = documents.map((given) =>
  given.deleted || given.status === 'NO_ENCONTRADO' ? { ...given, indexed: null, work: [] } : given,
);

/** What a group may be like before something of it is deleted. */
export const states = fc.record({
  users: fc.array(user, { minLength: 2, maxLength: 3 }),
  areas: fc.array(area, { maxLength: 4 }),
  documents: fc.array(document, { minLength: 3, maxLength: 7 }),
});
export type State = typeof states extends fc.Arbitrary<infer T> ? T : never;

/** The names of one state: no other state shares them. */
export interface Names {
  readonly entities: readonly string[];
  readonly areas: readonly string[];
  readonly users: readonly { readonly id: string; readonly email: string }[];
  readonly documents: readonly { readonly id: string; readonly code: string }[];
  readonly folder: string;
  readonly run: number;
}

export const namesOf = (state: State, number: number): Names => {
  const named = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `S${number}${letter}${index}`);
  return {
    entities: named('E', ENTITIES),
    areas: named('A', state.areas.length),
    users: named('u', state.users.length).map((name) => ({ id: randomUUID(), email: `${name.toLowerCase()}@x.test` })),
    documents: named('D', state.documents.length).map((code) => ({ id: randomUUID(), code })),
    folder: `S${number}L`,
    run: 1_000 + number,
  };
};

const before = <T>(list: readonly T[], place: number | null, index: number): T | null =>
  place === null || index === 0 ? null : (list[place % index] ?? null);
const HOUR = 3_600_000;
const inAnHour = (): string => new Date(Date.now() + HOUR).toISOString();

/** Where an area stands: its parent has to belong to the same entity. */
const parentOfArea = ({ areas }: State, { areas: codes }: Names, index: number): string | null => {
  const own = areas[index];
  const place = own?.parent == null || index === 0 ? null : own.parent % index;
  return place !== null && areas[place]?.entity === own?.entity ? (codes[place] ?? null) : null;
};

/** The rows of people, table by table. */
export const peopleRows = (state: State, names: Names): Rows[] => {
  const entityAt = (index: number): string => names.entities[index] ?? '';
  const all = state.users.map((given, index) => ({ ...given, ...(names.users[index] ?? { id: '', email: '' }) }));
  const restricted = (id: string, entityIndex: number): string | null => {
    const found = state.areas.findIndex((each) => each.restricts && each.entity === entityIndex);
    return id === names.users[0]?.id && found >= 0 ? (names.areas[found] ?? null) : null;
  };
  return [
    {
      table: 'auth.entity',
      rows: names.entities.map((code) => ({ code, name: code, description: '', system_prompt: '' })),
    },
    {
      table: 'auth.area',
      rows: state.areas.map((each, index) => ({
        ...{ code: names.areas[index], entity_code: entityAt(each.entity), name: names.areas[index] },
        parent_code: parentOfArea(state, names, index),
      })),
    },
    {
      table: 'auth.area_location',
      rows: state.areas.flatMap(({ folder }, index) =>
        folder ? [{ area_code: names.areas[index], location_code: names.folder }] : [],
      ),
    },
    {
      table: 'auth.app_user',
      rows: all.map(({ id, email, hasDefault, entities: [first] }) => ({
        ...{ user_id: id, email, name: email, state: 'ACTIVO', created_at: 'now' },
        default_entity: hasDefault && first !== undefined ? entityAt(first) : null,
      })),
    },
    {
      table: 'auth.user_role',
      rows: all.flatMap(({ id, roles }) =>
        [3, 4].slice(0, roles).map((role_id, position) => ({ user_id: id, role_id, position })),
      ),
    },
    {
      table: 'auth.user_entity',
      rows: all.flatMap(({ id, entities }) =>
        entities.map((index) => ({ user_id: id, entity_code: entityAt(index), area_code: restricted(id, index) })),
      ),
    },
    {
      table: 'auth.api_key',
      rows: all.flatMap(({ id, keys }, index) =>
        keys.map(({ fixed, area: place, revoked, maker }) => ({
          ...{
            key_id: randomUUID().slice(0, 12),
            user_id: id,
            role_id: 3,
            name: 'k',
            created_by: maker === 'owner' ? id : all[(index + 1) % all.length]?.id,
            pepper_version: 1,
          },
          ...{ secret_hash: '\\x00', created_at: 'now', revoked_at: revoked ? 'now' : null },
          fixed_entity: fixed === null ? null : entityAt(fixed),
          fixed_area: place === null ? null : (names.areas[place % Math.max(1, names.areas.length)] ?? null),
        })),
      ),
    },
    {
      table: 'auth.session',
      rows: all.flatMap(({ id, sessions }) =>
        Array.from({ length: sessions }, () => ({
          ...{ session_id: randomUUID(), user_id: id, assurance: 1, created_at: 'now', expires_at: inAnHour() },
        })),
      ),
    },
    {
      table: 'auth.factor',
      rows: all.flatMap(({ id, factors }) =>
        Array.from({ length: factors }, () => ({
          ...{ factor_id: randomUUID(), user_id: id, kind: 'totp', name: 'f', last_step: -1, sign_count: 0 },
          created_at: 'now',
        })),
      ),
    },
  ];
};

const objectsOf = (code: string, kept: boolean): Record<string, string | null> =>
  Object.fromEntries(
    ['original_object', 'text_object', 'chunks_object', 'vectors_object'].map((column) => [
      column,
      kept ? `${code}-${column}` : null,
    ]),
  );

/** The rows of folders, documents and their work. No worker takes any: it waits for an hour, or is held for one. */
export const documentRows = (state: State, names: Names): Rows[] => {
  const folder = { root_code: names.folder, location_ancestors: [names.folder], entity_code: names.entities[0] };
  const depths: number[] = [];
  const carriers: (string | null)[] = [];
  const rows = state.documents.map((given, index) => {
    const { id, code } = names.documents[index] ?? { id: '', code: '' };
    const parent = before(names.documents, given.parent, index);
    const place = parent === null ? -1 : names.documents.indexOf(parent);
    depths.push(parent === null ? 0 : (depths[place] ?? 0) + 1);
    carriers.push(parent === null ? null : (carriers[place] ?? parent.id));
    return {
      ...{ document_id: id, code, location_code: names.folder, ...folder, name: `${code}.txt`, path: code },
      ...{ relative_path: `${code}.txt`, size: 1, mtime: '1', settings_hash: 'x', status: given.status },
      ...{ content_hash: given.kept ? code : null, ...objectsOf(code, given.kept) },
      ...{ retry_on_scan: false, revision: 3, generation: 2, chunk_count: given.indexed, ingestion_order: 5 },
      ...{ indexed_chunks: given.indexed, handed_over: given.indexed === null ? null : 2 },
      ...{ parent_id: parent?.id ?? null, carrier_id: carriers[index], depth: depths[index] },
      ...{ run: given.run ? names.run : null, deleted_at: given.deleted ? 'now' : null },
      ...{ content_at: 'now', created_at: 'now', updated_at: 'now' },
    };
  });
  const tasks = state.documents.flatMap(({ work }, index) =>
    work.map((status) => ({
      ...{ subject_id: names.documents[index]?.id, stage: `previews-${status.toLowerCase()}`, generation: 2, status },
      ...{ priority: 0, attempts: 0, deaths: 0, not_before: inAnHour(), payload: {}, created_at: 'now' },
      ...{ updated_at: inAnHour(), lease: randomUUID(), leased_until: status === 'LEASED' ? inAnHour() : null },
    })),
  );
  return [
    {
      table: 'ingestion.location',
      rows: [
        {
          ...{ code: names.folder, parent_code: null, name: names.folder, relative_path: '', ...folder },
          ...{ root_path: `/previews/${names.folder}`, device: '1', inode: names.folder },
        },
      ],
    },
    { table: 'ingestion.run', rows: [{ run: names.run, run_id: randomUUID(), location_code: names.folder }] },
    { table: 'ingestion.document', rows },
    { table: 'ingestion.task', rows: tasks },
  ];
};
