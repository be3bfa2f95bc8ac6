import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

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
/** Folders of a state: a root, one in it, one in that, and one in the root that was gone before. */
const FOLDERS = 4;
export const GONE_BEFORE = 3;
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
  /** Folders that it reaches. */
  folders: fc.uniqueArray(fc.nat(FOLDERS - 1), { maxLength: 2 }),
});

const documents = fc.record({
  folder: fc.nat(GONE_BEFORE - 1),
  /** Passages that it was cut into, more or fewer than are searched by now. */
  cut: fc.nat(9),
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
  /** The root first. */
  readonly folders: readonly string[];
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
    folders: named('L', FOLDERS),
    run: 1_000 + number,
  };
};

const HOUR = 3_600_000;
export const inAnHour = (): string => new Date(Date.now() + HOUR).toISOString();
