import type { FoundFolder, Unseen } from '@acervo/files';
import type { Location } from '../locations/location-tree';
import { type Absence, judgeAbsence } from './absence';
import type { RecordedDocument } from './compare';
import { UnseenPlaces } from './unseen-places';

const document = (path: string, over: Partial<RecordedDocument> = {}): RecordedDocument => {
  const [locationCode = '', name = ''] = path.split('/');
  return {
    ...{ documentId: path, generation: 1, size: 10, mtime: '1', contentHash: 'h', settingsHash: 's' },
    ...{ status: 'VECTORIZADO', retryOnScan: false, rested: false, changeTime: '1', deleted: false, url: null },
    ...{ locationCode, ancestors: ['root', locationCode], name, relativePath: path, path: `/root/${path}` },
    ...over,
  };
};
const documents = (count: number, folder = 'A'): RecordedDocument[] =>
  Array.from({ length: count }, (_, index) => document(`${folder}/${index}.txt`));

const folder = (path: string, parent: FoundFolder | null): FoundFolder => ({
  ...{ path, name: path.split('/').at(-1) ?? '', parent, depth: parent === null ? 0 : parent.depth + 1 },
  ...{ device: 'root', inode: path },
});
const location = (code: string, found: FoundFolder, ancestors: readonly string[]): Location => ({
  ...{ code, parentCode: ancestors.at(-1) ?? null, name: found.name, relativePath: found.path },
  ...{ device: 'root', inode: found.path, ancestors: [...ancestors, code] },
});

/** A root with the folders A and B, registered under their names; a place in it is unseen. */
const root = folder('', null);
const [a, b] = [folder('A', root), folder('B', root)];
const placed = new Map([
  [root, location('root', root, [])],
  [a, location('A', a, ['root'])],
  [b, location('B', b, ['root'])],
]);
const unseen = (places: readonly Unseen[], vanished: readonly Location[] = []): UnseenPlaces =>
  UnseenPlaces.of({ unseen: places, unmounted: [], vanished, placed });
const unreadable = (found: FoundFolder, name: string | null = null): Unseen => ({
  ...{ folder: found, name },
  rule: 'unreadable',
});

const judge = (absent: readonly RecordedDocument[], present: number, where = UnseenPlaces.none, accepted = false) =>
  judgeAbsence({ absent, present, unseen: where, accepted });
const gone = ({ gone: left }: Absence): string[] => left.map(({ documentId }) => documentId);

describe('absence', () => {
  it.each([
    ['some', 2, 10, 2, null],
    ['exactly half', 5, 10, 5, null],
    ['more than half', 6, 10, 0, /^6 of 10 documents are gone at once/],
    ['the only one', 1, 1, 0, /^1 of 1/],
    ['none', 0, 10, 0, null],
    ['none of none', 0, 0, 0, null],
  ])('absence of %s is judged by its share of the documents', (_what, count, present, believed, notice) => {
    const judged = judge(documents(count), present);
    expect([judged.gone.length, judged.doubted]).toEqual([believed, count - believed]);
    if (notice === null) expect(judged.notice).toBeNull();
    else expect(judged.notice).toMatch(notice);
  });

  it.each([
    ['missing before', { status: 'NO_ENCONTRADO' }],
    ['deleted', { deleted: true }],
  ] as const)('a document that was %s does not count as absent', (_what, over) => {
    const before = documents(3).map((each) => ({ ...each, ...over }));
    expect(judge(before, 1)).toEqual({ gone: [], doubted: 0, notice: null });
  });

  it('accepted deletions remove nearly all documents', () => {
    expect(judge(documents(9), 10, UnseenPlaces.none, true)).toMatchObject({ doubted: 0, notice: null });
    expect(judge(documents(9), 10, UnseenPlaces.none, true).gone).toHaveLength(9);
  });
});

describe('absence in unseen places', () => {
  it('documents below an unreadable folder stay, others are gone', () => {
    const below = document('C/x.txt', { ancestors: ['root', 'A', 'C'] });
    const judged = judge([document('A/1.txt'), below, document('B/1.txt')], 10, unseen([unreadable(a)]));
    expect(gone(judged)).toEqual(['B/1.txt']);
    expect(judged.notice).toBe('1 entry could not be read (A); what lies there was left as it is.');
  });

  it('a notice names an unreadable file of exclusions', () => {
    const where = unseen([{ ...unreadable(a), forExclusions: true }]);
    expect(judge([document('A/1.txt')], 10, where)).toMatchObject({
      gone: [],
      notice: '1 entry could not be read (A/.acervoignore); what lies there was left as it is.',
    });
  });

  it('a notice names the line of a refused rule', () => {
    const where = unseen([{ ...unreadable(a), forExclusions: true, line: 3 }]);
    expect(judge([document('A/1.txt')], 10, where).notice).toMatch(
      /^1 entry could not be read \(A\/.acervoignore, line 3\);/,
    );
  });

  it('documents at or below an unreadable entry stay', () => {
    const vanished = location('C', folder('A/sub', a), ['root', 'A']);
    const inIt = document('C/x.txt', { ancestors: ['root', 'A', 'C'] });
    const where = unseen([unreadable(a, 'sub'), unreadable(b, '1.txt')], [vanished]);
    expect(gone(judge([inIt, document('A/1.txt'), document('B/1.txt'), document('B/2.txt')], 10, where))).toEqual([
      'A/1.txt',
      'B/2.txt',
    ]);
    expect(where.coversFolder(vanished)).toBe(true);
  });

  it('the present place of a folder decides', () => {
    // It was registered below A, and found in B.
    const moved = document('B/x.txt', { ancestors: ['root', 'A', 'B'] });
    expect(gone(judge([moved], 10, unseen([unreadable(a)])))).toEqual(['B/x.txt']);
  });

  it('documents in unseen places count neither as gone nor as present', () => {
    const absent = [...documents(6, 'A'), ...documents(3, 'B')];
    expect(judge(absent, 10, unseen([unreadable(a)]))).toMatchObject({ gone: [], doubted: 3 });
    expect(judge(absent, 12, unseen([unreadable(a)])).gone).toHaveLength(3);
  });

  it('accepted deletions apply to unseen places, with a notice', () => {
    const judged = judge(documents(9), 10, unseen([unreadable(a)]), true);
    expect(judged.gone).toHaveLength(9);
    expect(judged.notice).toBe('1 entry could not be read (A); the deletions were accepted there too.');
  });

  it('documents of an unmounted share stay, found or vanished', () => {
    const vanished = location('C', folder('C', root), ['root']);
    const unmounted = [location('A', a, ['root']), vanished];
    const where = UnseenPlaces.of({ unseen: [], unmounted, vanished: [vanished], placed });
    const inVanished = document('C/x.txt');
    const judged = judge([document('A/1.txt'), inVanished, document('B/1.txt')], 10, where);
    expect(gone(judged)).toEqual(['B/1.txt']);
    expect([where.counts, where.coversFolder(vanished)]).toEqual([{ unread: 0, unmounted: 2 }, true]);
    expect(judged.notice).toBe('2 shares are not mounted (A, C); what lies there was left as it is.');
  });

  it('documents below the depth limit stay, without a notice', () => {
    const judged = judge(documents(1), 10, unseen([{ folder: a, name: null, rule: 'too_deep' }]));
    expect(judged).toEqual({ gone: [], doubted: 0, notice: null });
  });

  it('a notice names the first places and stays short', () => {
    const many = Array.from({ length: 40 }, (_, index) => unreadable(a, `${index}-${'x'.repeat(400)}`));
    const { notice } = judge([...documents(9, 'B')], 10, unseen(many));
    expect(notice).toMatch(/^9 of 10 documents are gone at once.* 40 entries could not be read \(….*, and others\)/);
    expect(notice?.length).toBeLessThanOrEqual(500);
  });
});
