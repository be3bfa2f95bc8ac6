import fc from 'fast-check';
import { DomainError, getDocument, listAreas, listDocuments, searchDocuments } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { visibilityOf } from '@acervo/rbac';
import { areasOf, downwards, seenIn } from './visibility/oracle';
import { Stage } from './visibility/stage';
import { type World, worlds } from './visibility/world';

const CASES = process.env['ACERVO_BENCH'] === undefined ? 100 : 2_000;

let stage: Stage;
let calls: Calls;
beforeAll(async () => {
  stage = await Stage.open();
  calls = stage.installation.callsOf('gateway');
}, 300_000);
afterAll(() => stage.close(), 60_000);

/** An answer, or the code of the refusal. */
const told = <T>(work: Promise<T>): Promise<T | string> =>
  work.catch((error: unknown) => {
    if (error instanceof DomainError) return error.code;
    throw error;
  });

const codesOf = (found: string | { readonly documents: readonly { readonly code: string }[] }): string | string[] =>
  typeof found === 'string' ? found : found.documents.map(({ code }) => code).toSorted();

const page = { limit: 100, page: 1 };
const query = { query: 'agua', limit: 100, minSimilarity: 0 };

const agree = async (world: World, at: number): Promise<void> => {
  await stage.become(world);
  const seen = seenIn(world);
  const scope = await stage.scope();
  if (seen.stale) {
    expect(scope.focusIsStale).toBe(true);
    expect(visibilityOf(scope).locationRoots).toEqual([]);
    return;
  }
  const own = [...seen.documents].toSorted();
  expect(codesOf(await told(calls.send(listDocuments, scope, page)))).toEqual(own);
  expect(codesOf(await told(calls.send(searchDocuments, scope, query)))).toEqual(own);
  const { code = '' } = world.documents[at % world.documents.length] ?? {};
  const detail = await told(calls.send(getDocument, scope, { documentCode: code }));
  expect(typeof detail === 'string' ? detail : detail.code).toBe(seen.documents.has(code) ? code : 'NOT_FOUND');
  await agreeOnAreas(world, `V${1 + (at % 3)}`);
  await agreeInside(world, world.locations[at % world.locations.length]?.code ?? '', seen);
};

/** Areas of an entity, for a member who administers nothing; a focus that can be released hides none. */
const agreeOnAreas = async (world: World, entityCode: string): Promise<void> => {
  const scope = await stage.scope({ profile: 'USUARIO' });
  const found = await told(calls.send(listAreas, scope, { entityCode, limit: 200 }));
  const expected = areasOf(world, entityCode);
  const codes = typeof found === 'string' ? found : found.areas.map(({ code }) => code).toSorted();
  expect(codes).toEqual(expected === null ? 'NOT_FOUND' : [...expected].toSorted());
};

/** The same narrowed to a folder, which is there for whoever sees it. */
const agreeInside = async (world: World, locationCode: string, seen: ReturnType<typeof seenIn>): Promise<void> => {
  const scope = await stage.scope();
  const below = downwards(world.locations, locationCode);
  const inside = world.documents.filter(({ code, location }) => seen.documents.has(code) && below.includes(location));
  const expected = seen.locations.has(locationCode) ? inside.map(({ code }) => code).toSorted() : 'NOT_FOUND';
  expect(codesOf(await told(calls.send(listDocuments, scope, { ...page, locationCode })))).toEqual(expected);
  const found = codesOf(await told(calls.send(searchDocuments, scope, { ...query, locationCode })));
  // A folder without a document in it has nothing to search: as if it were not there.
  expect(expected === 'NOT_FOUND' || inside.length > 0 ? found : expected).toEqual(expected);
};

describe('whoever asks', () => {
  it(
    `sees in ${CASES} worlds what sets of entities, areas and folders say, in every reader`,
    () =>
      fc.assert(fc.asyncProperty(worlds, fc.nat(1_000), agree), {
        numRuns: CASES,
        ...(CASES > 100 ? {} : { seed: 9 }),
        interruptAfterTimeLimit: CASES * 2_000,
        markInterruptAsFailure: true,
      }),
    CASES * 3_000,
  );
});
