import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

const STATUSES = [
  'DETECTADO',
  'ADQUIRIDO',
  'EXTRAIDO',
  'CLASIFICADO',
  'RESUMIDO',
  'FRAGMENTADO',
  'VECTORIZADO',
  'ERROR',
  'NO_ENCONTRADO',
] as const;
const ENTITIES = 3;
/** Folders of a state: a root, a folder in it, one in that folder, and one in the root that was deleted before. */
const FOLDERS = 4;
export const GONE_BEFORE = 3;
const entity = fc.nat(ENTITIES - 1);

const user = fc.record({
  /** Entities of the user. */
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
  /** Answers that are stored for the keys and sessions of the user. */
  answers: fc.nat(2),
  conversations: fc.nat(2),
});

const area = fc.record({
  entity,
  /** An earlier area of the same entity. */
  parent: fc.option(fc.nat(3)),
  /** Whether the first user has only this area of the entity. */
  restricts: fc.boolean(),
  /** Folders that the area reaches. */
  folders: fc.uniqueArray(fc.nat(FOLDERS - 1), { maxLength: 2 }),
});

const documentType = fc.record({
  /** An earlier type. */
  parent: fc.option(fc.nat(3)),
  /** The entity of a type without a parent; a type below has the entity of its parent. */
  entity: fc.option(entity),
  /** The number of features of each of its categories. */
  categories: fc.array(fc.nat(2), { maxLength: 2 }),
  /** Documents that are examples of it. */
  examples: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
});

/** Documents of a state that only retrieval has. */
export const PAPERS = 4;
const space = fc.record({
  entity: fc.option(entity),
  isShared: fc.boolean(),
  /** The place of its owner; none for one of the administrators. */
  owner: fc.option(fc.nat(2)),
  /** The place of an earlier space that it was composed of. */
  operand: fc.option(fc.nat(3)),
  members: fc.uniqueArray(fc.nat(PAPERS - 1)),
});

const documents = fc.record({
  folder: fc.nat(GONE_BEFORE - 1),
  /** Number of its chunks, which may differ from the number of indexed ones. */
  cut: fc.nat(9),
  /** An earlier document that contains this one. */
  parent: fc.option(fc.nat(5), { freq: 2 }),
  status: fc.constantFrom(...STATUSES),
  deleted: fc.boolean(),
  /** Number of indexed chunks; null if it is not indexed. */
  indexed: fc.option(fc.integer({ min: 1, max: 9 })),
  /** Whether objects of earlier generations exist. */
  isStored: fc.boolean(),
  run: fc.boolean(),
  /** The place of its type. */
  type: fc.option(fc.nat(3)),
  /** Whether it has every feature that the state describes. */
  hasFeatures: fc.boolean(),
  work: fc.uniqueArray(fc.constantFrom('WAITING', 'LEASED', 'FAILED', 'DONE'), { maxLength: 3 }),
});

/** A deleted or missing document is neither indexed nor waiting for work, as in the product. */
const document = documents.map((draft) =>
  draft.deleted || draft.status === 'NO_ENCONTRADO' ? { ...draft, indexed: null, work: [] } : draft,
);

/** A definition, by the number of its tasks. */
const definition = fc.record({ tasks: fc.nat(2) });

const process = fc.record({
  /** The place of its definition. */
  definition: fc.nat(2),
  /** The places of its people; none for the program, and for the administrators. */
  creator: fc.option(fc.nat(2)),
  assignee: fc.option(fc.nat(2)),
  isOver: fc.boolean(),
  /** Whether its tasks are still to be done. */
  isPending: fc.boolean(),
  hasDocument: fc.boolean(),
});

/** The states of a group before a deletion. */
export const states = fc.record({
  users: fc.array(user, { minLength: 2, maxLength: 3 }),
  areas: fc.array(area, { maxLength: 4 }),
  types: fc.array(documentType, { maxLength: 4 }),
  documents: fc.array(document, { minLength: 3, maxLength: 7 }),
  spaces: fc.array(space, { maxLength: 4 }),
  definitions: fc.array(definition, { maxLength: 3 }),
  processes: fc.array(process, { maxLength: 5 }),
});
export type State = typeof states extends fc.Arbitrary<infer T> ? T : never;

/** The names of one state; states share no names. */
export interface Names {
  readonly entities: readonly string[];
  readonly areas: readonly string[];
  readonly users: readonly { readonly id: string; readonly email: string }[];
  readonly documents: readonly { readonly id: string; readonly code: string }[];
  /** Folder codes, the root first. */
  readonly folders: readonly string[];
  readonly types: readonly string[];
  readonly spaces: readonly number[];
  readonly definitions: readonly string[];
  readonly processes: readonly string[];
  /** Ids of the documents that only retrieval has. */
  readonly papers: readonly string[];
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
    types: named('T', state.types.length),
    spaces: state.spaces.map((_, index) => 10 * number + index),
    definitions: named('G', state.definitions.length),
    processes: named('P', state.processes.length),
    papers: Array.from({ length: PAPERS }, () => randomUUID()),
    run: 1_000 + number,
  };
};

const HOUR = 3_600_000;
export const inAnHour = (): string => new Date(Date.now() + HOUR).toISOString();
