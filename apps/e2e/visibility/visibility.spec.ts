import fc from 'fast-check';
import {
  ContextConflict,
  DomainError,
  draftOrganization,
  filterVisibleDocuments,
  getDocument,
  getDocumentChunks,
  getDocumentEdges,
  getSpace,
  listAreas,
  listDocuments,
  listLocations,
  listSpaceDocuments,
  listSpaces,
  listVisibleAreas,
  readSpace,
  searchDocuments,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { type Scope, visibilityOf } from '@acervo/rbac';
import {
  areasInSight,
  areasOf,
  documentsIn,
  downwards,
  documentsOfEntitySpace,
  documentsOfSpace,
  documentsOfType,
  edgesOf,
  foldersIn,
  type ListedFolder,
  type Seen,
  seenIn,
} from './oracle';
import { WorldInstallation } from './world-installation';
import { SPACES, typeAt, type World, worlds } from './world';

const IS_BENCH = process.env['ACERVO_BENCH'] !== undefined;
const CASES = IS_BENCH ? 2_000 : 60;

let installed: WorldInstallation;
let calls: Calls;
/** Sends Calls as the executor of operations. */
let programs: Calls;
/** Sends Calls as chat does. */
let chats: Calls;
beforeAll(async () => {
  installed = await WorldInstallation.open();
  calls = installed.installation.callsOf('gateway');
  programs = installed.installation.callsOf('operations');
  chats = installed.installation.callsOf('chat');
}, 300_000);
afterAll(() => installed.close());

/** An answer, or the code of the refusal. */
const outcome = <T>(work: Promise<T>): Promise<T | string> =>
  work.catch((error: unknown) => {
    if (error instanceof DomainError) return error.code;
    throw error;
  });

/** The value of the oracle, or the expected refusal without one. */
const orAbsent = <T>(expected: T | null): T | string => expected ?? 'NOT_FOUND';

const codesOf = (found: string | { readonly documents: readonly { readonly code: string }[] }): string | string[] =>
  typeof found === 'string' ? found : found.documents.map(({ code }) => code).toSorted();

const page = { limit: 100, page: 1 };
const query = { query: 'agua', limit: 100, minSimilarity: 0 };

/** Number of worlds in which all, some or no documents are visible, a focus is stale or missing, and a draft is made. */
const met = { all: 0, some: 0, none: 0, stale: 0, unfocused: 0, drafted: 0 };

const agree = async (world: World, at: number): Promise<void> => {
  await installed.become(world);
  const seen = seenIn(world);
  const scope = await installed.scope();
  const some = seen.documents.size > 0 && seen.documents.size < world.documents.length;
  met[seen.stale ? 'stale' : seen.unfocused ? 'unfocused' : some ? 'some' : seen.documents.size > 0 ? 'all' : 'none'] +=
    1;
  if (seen.stale) return agreeThatFocusIsStale(scope, world);
  if (seen.unfocused) return agreeThatFocusIsNeeded(scope, world, seen);
  const ownDocuments = [...seen.documents].toSorted();
  expect(codesOf(await outcome(calls.send(listDocuments, scope, page)))).toEqual(ownDocuments);
  expect(codesOf(await outcome(calls.send(searchDocuments, scope, query)))).toEqual(ownDocuments);
  const filter = { documentTypes: [typeAt(at)] };
  const ofType = codesOf(await outcome(calls.send(searchDocuments, scope, { ...query, filter })));
  expect(ofType).toEqual(documentsOfType(world, seen, typeAt(at)).toSorted());
  const { code = '' } = world.documents[at % world.documents.length] ?? {};
  const detail = await outcome(calls.send(getDocument, scope, { documentCode: code }));
  expect(typeof detail === 'string' ? detail : detail.code).toBe(seen.documents.has(code) ? code : 'NOT_FOUND');
  const chunks = await outcome(programs.send(getDocumentChunks, scope, { documentCode: code }));
  expect(typeof chunks === 'string' ? chunks : chunks.totalChunks).toBe(seen.documents.has(code) ? 1 : 'NOT_FOUND');
  await agreeOnConversations(world, seen, `V${1 + (at % 3)}`);
  await agreeOnEdges(world, seen, code);
  await agreeOnSpaces(world, seen);
  await agreeOnEntity(world, seen, `V${1 + (at % 3)}`);
  await agreeOnAreas(world, `V${1 + (at % 3)}`);
  await agreeOnAreasInSight(world, seen, `V${1 + (at % 3)}`);
  const folder = world.locations[at % world.locations.length]?.code ?? '';
  const entity = `V${1 + (at % 3)}`;
  await agreeOnFolders(world, seen, [{}, { entity }, { parent: folder }, { entity, parent: folder }]);
  await agreeInside(world, folder, seen);
};

/** The answers of every reader to requests that name no entity. */
const everyAnswer = async (scope: Scope, { documents: [first] }: World): Promise<unknown[]> => {
  const documentCode = first?.code ?? '';
  const answers = [
    calls.send(listDocuments, scope, page),
    calls.send(searchDocuments, scope, query),
    calls.send(getDocument, scope, { documentCode }),
    calls.send(getDocumentEdges, scope, { documentCode, neighborLimit: 50 }),
    programs.send(getDocumentChunks, scope, { documentCode }),
    calls.send(listLocations, scope, { limit: 200 }),
    calls.send(listVisibleAreas, scope, { limit: 200 }),
    calls.send(listSpaces, scope, { limit: 200 }),
    calls.send(getSpace, scope, { spaceId: SPACES.whole, documentLimit: 200 }),
    calls.send(readSpace, scope, { spaceId: SPACES.whole, resolution: 'count', limit: 1 }),
    chats.send(filterVisibleDocuments, scope, { codes: [documentCode] }),
  ];
  return Promise.all(answers.map((answer) => outcome<object>(answer)));
};

/** Checks that every reader refuses a focus outside the permission. */
const agreeThatFocusIsStale = async (scope: Scope, world: World): Promise<void> => {
  expect(scope.focusIsStale).toBe(true);
  expect(() => visibilityOf(scope)).toThrow(ContextConflict);
  expect(new Set(await everyAnswer(scope, world))).toEqual(new Set(['CONTEXT_CONFLICT']));
};

/** Checks that every reader asks for an entity, and what readers see in the one that a request names. */
const agreeThatFocusIsNeeded = async (scope: Scope, world: World, seen: Seen): Promise<void> => {
  expect(new Set(await everyAnswer(scope, world))).toEqual(new Set(['INVALID_CONTEXT']));
  for (const entity of ['V1', 'V2', 'V3']) {
    await agreeOnEntity(world, seen, entity);
    await agreeOnAreasInSight(world, seen, entity);
    await agreeOnFolders(world, seen, [{ entity }]);
  }
};

/** Checks every reader of a space of the whole group, and who sees one of an entity. */
const agreeOnSpaces = async (world: World, seen: Seen): Promise<void> => {
  const scope = await installed.scope({ profile: 'USUARIO' });
  const expected = documentsOfSpace(world, seen).toSorted();
  const spaceId = SPACES.whole;
  const detail = await calls.send(getSpace, scope, { spaceId, documentLimit: 200 });
  expect([detail.totalDocuments, detail.space.documentCount, codesOf(detail)]).toEqual([
    expected.length,
    expected.length,
    expected,
  ]);
  const listed = await calls.send(listSpaceDocuments, scope, { spaceId, limit: 200 });
  expect([listed.total, codesOf(listed)]).toEqual([expected.length, expected]);
  expect(codesOf(await calls.send(searchDocuments, scope, { ...query, spaceId }))).toEqual(expected);
  for (const resolution of ['count', 'manifest', 'chunks', 'text'] as const) {
    const { total, items } = await calls.send(readSpace, scope, { spaceId, resolution, query: 'agua', limit: 500 });
    const codes = items.map(({ code }) => code).toSorted();
    expect([resolution, total, codes]).toEqual([resolution, expected.length, resolution === 'count' ? [] : expected]);
  }
  const ofEntity = documentsOfEntitySpace(world, seen)?.toSorted() ?? null;
  const found = await outcome(calls.send(getSpace, scope, { spaceId: SPACES.ofEntity, documentLimit: 200 }));
  expect(codesOf(found)).toEqual(orAbsent(ofEntity));
  const { spaces, total } = await calls.send(listSpaces, scope, { limit: 200 });
  const counts = new Map(spaces.map((space) => [space.spaceId, space.documentCount]));
  const visible: [number, number][] = ofEntity === null ? [] : [[SPACES.ofEntity, ofEntity.length]];
  expect([total, counts]).toEqual([counts.size, new Map([...visible, [spaceId, expected.length]])]);
};

/** Checks what stored answers are compared with, and the number of documents that a draft names. */
const agreeOnConversations = async (world: World, seen: Seen, entityCode: string): Promise<void> => {
  const scope = await installed.scope();
  const codes = world.documents.map(({ code }) => code);
  expect((await chats.send(filterVisibleDocuments, scope, { codes })).codes).toEqual([...seen.documents].toSorted());
  const drafted = await outcome(calls.send(draftOrganization, scope, { entityCode }));
  if (typeof drafted === 'string') return expect(drafted).toBe('NOT_FOUND');
  met.drafted += 1;
  expect(drafted.group.description).toMatch(new RegExp(` tiene ${seen.documents.size} documentos?\\.`));
};

const agreeOnEdges = async (world: World, seen: Seen, documentCode: string): Promise<void> => {
  const found = await outcome(
    calls.send(getDocumentEdges, await installed.scope(), { documentCode, neighborLimit: 50 }),
  );
  const edges =
    typeof found === 'string'
      ? found
      : {
          path: found.locationPath.map(({ code }) => code),
          neighbors: found.neighborsTwoHops.map(({ code }) => code).toSorted(),
        };
  expect(edges).toEqual(orAbsent(edgesOf(world, seen, documentCode)));
};

/** Checks a search in one entity, in the focus or outside of it. */
const agreeOnEntity = async (world: World, seen: Seen, entityCode: string): Promise<void> => {
  const found = await outcome(calls.send(searchDocuments, await installed.scope(), { ...query, entityCode }));
  expect(codesOf(found)).toEqual(orAbsent(documentsIn(world, seen, entityCode)?.toSorted() ?? null));
};

const byCode = (one: ListedFolder, next: ListedFolder): number => (one.code < next.code ? -1 : 1);

/** Checks the tree of folders, narrowed to one entity, to those directly below one, or to both. */
const agreeOnFolders = async (
  world: World,
  seen: Seen,
  narrowings: readonly { readonly entity?: string; readonly parent?: string }[],
): Promise<void> => {
  const scope = await installed.scope();
  for (const narrowing of narrowings) {
    const request = { limit: 200, entityCode: narrowing.entity, parentCode: narrowing.parent };
    const found = await outcome(calls.send(listLocations, scope, request));
    const folders =
      typeof found === 'string'
        ? found
        : found.locations.map(({ code, parentCode, hasChildren }) => ({ code, parent: parentCode, hasChildren }));
    const expected = foldersIn(world, seen, narrowing)?.toSorted(byCode) ?? null;
    expect(folders).toEqual(orAbsent(expected));
  }
};

/** Checks the areas that restrict documents, with the current focus. */
const agreeOnAreasInSight = async (world: World, seen: Seen, entityCode: string): Promise<void> => {
  const found = await outcome(calls.send(listVisibleAreas, await installed.scope(), { entityCode, limit: 200 }));
  const codes = typeof found === 'string' ? found : found.areas.map(({ code }) => code).toSorted();
  expect(codes).toEqual(orAbsent(areasInSight(world, seen, entityCode)?.toSorted() ?? null));
};

/** Checks the areas of an entity for a member without administration; a releasable focus hides none. */
const agreeOnAreas = async (world: World, entityCode: string): Promise<void> => {
  const scope = await installed.scope({ profile: 'USUARIO' });
  const found = await outcome(calls.send(listAreas, scope, { entityCode, limit: 200 }));
  const expected = areasOf(world, entityCode);
  const codes = typeof found === 'string' ? found : found.areas.map(({ code }) => code).toSorted();
  expect(codes).toEqual(expected === null ? 'NOT_FOUND' : [...expected].toSorted());
};

/** Checks the same within a folder, if the caller sees it. */
const agreeInside = async (world: World, locationCode: string, seen: Seen): Promise<void> => {
  const scope = await installed.scope();
  const below = downwards(world.locations, locationCode);
  const inside = world.documents.filter(({ code, location }) => seen.documents.has(code) && below.includes(location));
  const expected = seen.locations.has(locationCode) ? inside.map(({ code }) => code).toSorted() : 'NOT_FOUND';
  expect(codesOf(await outcome(calls.send(listDocuments, scope, { ...page, locationCode })))).toEqual(expected);
  const found = codesOf(await outcome(calls.send(searchDocuments, scope, { ...query, locationCode })));
  expect(found).toEqual(expected);
};

describe('the readers of a group', () => {
  it(
    `every reader agrees with the oracle in ${CASES} worlds`,
    async () => {
      await fc.assert(fc.asyncProperty(worlds, fc.nat(1_000), agree), {
        numRuns: CASES,
        ...(IS_BENCH ? {} : { seed: 9 }),
        interruptAfterTimeLimit: CASES * 2_000,
        markInterruptAsFailure: true,
      });
      process.stdout.write(`worlds: ${JSON.stringify(met)}\n`);
      // Worlds of one kind only would prove little.
      for (const [sort, count] of Object.entries(met)) expect([sort, count]).not.toEqual([sort, 0]);
    },
    CASES * 3_000,
  );
});
