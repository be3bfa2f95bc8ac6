import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Space } from '@acervo/contracts';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { SpaceDocumentReader } from '../src/spaces/reading/space-document-reader';
import { SpaceMembers } from '../src/space-members/space-members';
import { userScope } from './documents';
import { contains, type Expression, laws, NOTHING, operationsIn } from './space-laws';
import { placeDocuments, type PlacedDocument, SpaceCalls } from './spaces';
import { openRetrieval, type Retrieval } from './support';

const WORLDS = Number(process.env['ACERVO_SPACE_WORLDS'] ?? '10');
jest.setTimeout(WORLDS * 5_000);

const LETTERS = ['A', 'B', 'C'] as const;
const ENTITIES = ['E1', 'E2'] as const;
const FOLDERS = ['F1', 'F2', 'F3'] as const;

interface WorldDocument {
  readonly entityCode: string;
  readonly folder: string;
  readonly sets: readonly string[];
  readonly live: boolean;
  readonly withdrawn: boolean;
}

/** A document, and how it is stored once the base sets are gathered; undefined where it stays. */
interface Story {
  readonly first: WorldDocument;
  readonly later: WorldDocument | undefined;
}

interface Reader {
  readonly entities: readonly string[];
  readonly folders: readonly string[] | null;
}

interface World {
  readonly stories: readonly Story[];
  readonly readers: readonly Reader[];
  /** Who composes: a reader by place, or a key that is fixed to the first entity. */
  readonly composer: number | 'fixed';
}

const documents = fc.record<WorldDocument>({
  entityCode: fc.constantFrom(...ENTITIES),
  folder: fc.constantFrom(...FOLDERS),
  sets: fc.subarray([...LETTERS]),
  live: fc.boolean().map((isNot) => !isNot),
  withdrawn: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 0),
});
const readers = fc.record<Reader>({
  entities: fc.subarray([...ENTITIES], { minLength: 1 }),
  folders: fc.option(fc.subarray([...FOLDERS])),
});
const worlds = fc.record<World>({
  stories: fc.array(fc.record({ first: documents, later: fc.option(documents, { nil: undefined, freq: 2 }) }), {
    maxLength: 14,
  }),
  readers: fc.tuple(readers, readers, readers),
  composer: fc.oneof(fc.nat({ max: 2 }), fc.constant('fixed' as const)),
});

let retrieval: Retrieval;
let calls: SpaceCalls;
let reader: SpaceDocumentReader;
let members: SpaceMembers;
beforeAll(async () => {
  retrieval = await openRetrieval();
  calls = await SpaceCalls.of(retrieval);
  [reader, members] = [await retrieval.provider(SpaceDocumentReader), await retrieval.provider(SpaceMembers)];
});
afterAll(() => retrieval.close());

const nameOf = (set: Expression): string => (typeof set === 'string' ? set : JSON.stringify(set));

/** A world in the database, beside its oracle. */
class PlayedWorld {
  private readonly groupId = randomUUID();
  private readonly codes: readonly string[];
  private readonly ids: readonly string[];
  private readonly spaces = new Map<string, number>();

  constructor(private readonly world: World) {
    this.codes = world.stories.map((_, place) => `D${String(place).padStart(2, '0')}`);
    this.ids = world.stories.map(() => randomUUID());
  }

  get isFixed(): boolean {
    return this.world.composer === 'fixed';
  }

  /** Readers who see the composed spaces; where the composer sees one entity alone, those who see no other. */
  get readers(): readonly Reader[] {
    const { readers: all } = this.world;
    return this.isFixed ? all.filter(({ entities }) => String(entities) === 'E1') : all;
  }

  scopeOf({ entities, folders }: Reader, over: Parameters<typeof userScope>[1] = {}): Scope {
    const user = { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' } as const;
    return userScope(this.groupId, { ...user, entities: [...entities], locationRoots: folders, ...over });
  }

  async play(): Promise<void> {
    const { stories, composer, readers: all } = this.world;
    await this.place(stories.map(({ first }) => first));
    const owner = this.scopeOf({ entities: [...ENTITIES], folders: null });
    for (const letter of [...LETTERS, 'U'])
      this.spaces.set(letter, await calls.gathered(owner, { documentTypes: [letter] }, { type: 'ESPACIO' }));
    this.spaces.set(NOTHING, (await calls.create(owner, { type: 'ESPACIO' })).spaceId);
    await this.place(stories.map(({ later }) => later));
    const reader = composer === 'fixed' ? { entities: ['E1'], folders: null } : all[composer];
    if (reader === undefined) throw new Error('The world lacks its composer.');
    const scope = this.scopeOf(reader, { isFixed: this.isFixed });
    for (const set of operationsIn(laws.flatMap(([, left, right]) => [left, right]))) await this.compose(scope, set);
  }

  numberOf(set: Expression): number {
    return this.spaces.get(nameOf(set)) ?? 0;
  }

  /** The codes of the documents that a reader sees in each space, as the database shows them. */
  shown(scope: Scope): Promise<ReadonlyMap<number, readonly string[]>> {
    return retrieval.database.read(scope, async (tx) => {
      const shown = new Map<number, readonly string[]>();
      for (const spaceId of this.spaces.values()) {
        const read = await members.membersFor(tx, scope, spaceId);
        const searched = { ...visibilityOf(scope), space: read, total: 0 };
        const rows = await reader.page(tx, searched, { after: null, limit: 200 });
        shown.set(
          spaceId,
          rows.map(({ code }) => code),
        );
      }
      return shown;
    });
  }

  /** The codes that the oracle expects. */
  expected(reader: Reader, set: Expression): readonly string[] {
    const { stories } = this.world;
    return this.codes.filter((_, place) => {
      const story = stories[place];
      if (story === undefined || !this.sees(reader, story)) return false;
      return contains(set, (letter) => !story.first.withdrawn && [...story.first.sets, 'U'].includes(letter));
    });
  }

  /** Whether a document that the reader sees was stored after the base sets were gathered. */
  expectsStale(reader: Reader): boolean {
    return this.world.stories.some((story) => story.later !== undefined && this.sees(reader, story));
  }

  private sees({ entities, folders }: Reader, { first, later }: Story): boolean {
    const { entityCode, folder, withdrawn } = later ?? first;
    // A document that was live once stays live here.
    const isLive = first.live || later?.live === true;
    return isLive && !withdrawn && entities.includes(entityCode) && (folders === null || folders.includes(folder));
  }

  private place(stored: readonly (WorldDocument | undefined)[]): Promise<void> {
    const placed = stored.flatMap((document, place): PlacedDocument[] => {
      const [documentId, code] = [this.ids[place], this.codes[place]];
      if (document === undefined || documentId === undefined || code === undefined) return [];
      const { entityCode, folder, sets, live, withdrawn } = document;
      return [{ documentId, code, entityCode, ancestors: [folder], types: [...sets, 'U'], live, withdrawn }];
    });
    return placeDocuments(retrieval, this.groupId, placed);
  }

  private async compose(scope: Scope, set: Exclude<Expression, string>): Promise<void> {
    const [operation, a, b] = set;
    const pair = [this.numberOf(a), this.numberOf(b)] as const;
    const { spaceId } = await calls.compose(scope, operation, pair, { spaceType: 'SPACE', name: nameOf(set) });
    this.spaces.set(nameOf(set), spaceId);
  }
}

const withoutTime = ({ refreshedAt: _, ...space }: Space): object => space;

describe(`the laws of sets of documents, in ${WORLDS} worlds`, () => {
  it('hold for every composer and every reader', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const played = new PlayedWorld(world);
        await played.play();
        for (const reader of played.readers) {
          const shown = await played.shown(played.scopeOf(reader));
          for (const [law, left, right] of laws) {
            const [one, other] = [left, right].map((set) => shown.get(played.numberOf(set)));
            expect({ law, codes: one }).toEqual({ law, codes: other });
            expect({ law, codes: one }).toEqual({ law, codes: played.expected(reader, left) });
          }
        }
      }),
      { numRuns: WORLDS },
    );
  });

  it('counts and stale marks show what the reader sees alone', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const played = new PlayedWorld(world);
        await played.play();
        for (const reader of played.readers) {
          const scope = played.scopeOf(reader);
          const shown = await played.shown(scope);
          const { spaces } = await calls.list(scope, 200);
          for (const { spaceId, documentCount, isStale, criteria, name } of spaces) {
            expect(documentCount).toBe(shown.get(spaceId)?.length);
            const dependsOnDocuments = spaceId !== played.numberOf(NOTHING);
            expect({ name, isStale }).toEqual({ name, isStale: dependsOnDocuments && played.expectsStale(reader) });
            expect(criteria).toBeNull();
          }
        }
      }),
      { numRuns: WORLDS },
    );
  });

  it('a refresh that follows another one changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.constantFrom(...laws), async (world, [, set]) => {
        const played = new PlayedWorld(world);
        await played.play();
        for (const reader of played.readers) {
          const scope = played.scopeOf(reader);
          const refresh = async (): Promise<object> => {
            for (const letter of [...LETTERS, 'U']) await calls.refresh(scope, played.numberOf(letter));
            for (const each of operationsIn([set])) await calls.refresh(scope, played.numberOf(each));
            const space = await calls.get(scope, played.numberOf(set));
            return { ...space, space: withoutTime(space.space) };
          };
          const once = await refresh();
          expect(await refresh()).toEqual(once);
          expect(once).toMatchObject({ space: { isStale: false } });
        }
      }),
      { numRuns: Math.ceil(WORLDS / 3) },
    );
  });
});
