import { randomUUID } from 'node:crypto';
import type { Transaction } from '@acervo/platform-database';
import { visibilityOf } from '@acervo/rbac';
import { JOINED } from '../src/spaces/member-count';
import { ReaderViewStore } from '../src/spaces/reader-view.store';
import { SpaceDocumentStore } from '../src/spaces/reading/space-document.store';
import { userScope } from './documents';
import { placeDocuments, type PlacedDocument } from './spaces';
import { keepSpace } from './stored-spaces';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(60_000);

const DOCUMENTS = 2_600;
const groupId = randomUUID();
/** Of the documents some are of an entity that the reader does not see, withdrawn, not searchable, or in another folder. */
const documents = Array.from({ length: DOCUMENTS }, (_, index): PlacedDocument => ({
  ...{ documentId: randomUUID(), code: `D${String(index).padStart(5, '0')}` },
  ...{ entityCode: index % 5 === 0 ? 'E9' : 'E1', ancestors: index % 2 === 0 ? ['L1'] : ['L2'] },
  ...{ withdrawn: index % 7 === 0, live: index % 11 !== 0 },
}));
const seen = ({ entityCode, withdrawn, live }: PlacedDocument): boolean =>
  entityCode === 'E1' && !withdrawn && live === true;

let retrieval: Retrieval;
beforeAll(async () => {
  retrieval = await openRetrieval();
  await placeDocuments(retrieval, groupId, documents);
});
afterAll(() => retrieval.close());

describe.each([
  ['few', 1, 1_999],
  ['many', 2, 2_000],
  ['most', 3, 2_590],
])('a space of %s documents', (_name, spaceId, members) => {
  const isMember = (index: number): boolean => index < members;
  beforeAll(() => {
    const ids = documents.filter((_document, index) => isMember(index)).map(({ documentId }) => documentId);
    return keepSpace(retrieval, { groupId, spaceId, members: ids });
  });

  it.each([
    ['without folders', null, seen],
    ['of one folder', ['L2'], (document: PlacedDocument) => seen(document) && document.ancestors?.[0] === 'L2'],
  ] as const)('a reader %s counts what it sees', async (_reader, locationRoots, isSeen) => {
    const visibility = visibilityOf(userScope(groupId, { locationRoots: locationRoots && [...locationRoots] }));
    const expected = documents.filter((document, index) => isMember(index) && isSeen(document)).length;
    const [views, store] = [await retrieval.provider(ReaderViewStore), await retrieval.provider(SpaceDocumentStore)];
    const counts = { visibility, space: { spaceId, version: 1 }, indexId: 1 };
    const read = <T>(work: (tx: Transaction) => Promise<T>, local = {}): Promise<T> =>
      retrieval.database.read({ groupId }, work, local);
    const counted = [
      (await read((tx) => views.counts(tx, visibility, [spaceId]))).get(spaceId),
      await read((tx) => store.countMany(tx, counts), JOINED),
    ];
    expect(await read((tx) => store.countFew(tx, counts))).toBe(members < 2_000 ? expected : null);
    expect(counted).toEqual([expected, expected]);
  });
});
