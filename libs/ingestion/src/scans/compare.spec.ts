import {
  compare,
  decide,
  type FoundDocument,
  isDoubtful,
  type RecordedDocument,
  matters,
  moveCandidates,
  withMoves,
} from './compare';

const file = (path: string, over: Partial<FoundDocument> = {}): FoundDocument => {
  const [locationCode = '', name = ''] = path.split('/');
  return {
    locationCode,
    ancestors: ['L1', locationCode],
    name,
    relativePath: path,
    path: `/root/${path}`,
    size: 10,
    mtime: '1',
    changeTime: '1',
    whyNot: null,
    settingsHash: 's',
    ...over,
  };
};
const document = (path: string, over: Partial<RecordedDocument> = {}): RecordedDocument => {
  const { whyNot: _whyNot, ...place } = file(path);
  return {
    ...place,
    url: null,
    documentId: path,
    generation: 1,
    contentHash: 'h',
    status: 'VECTORIZADO',
    retryOnScan: false,
    rested: false,
    deleted: false,
    ...over,
  };
};
const names = (items: readonly { readonly path: string }[]): string[] => items.map(({ path }) => path.slice(6));

describe('comparing', () => {
  it('documents and files pair by folder and name; the rest remains', () => {
    const { pairs, unknown, absent } = compare(
      [document('A/1.txt'), document('A/2.txt')],
      [file('A/1.txt'), file('B/2.txt')],
    );
    expect(pairs.map(({ recorded, found }) => [recorded.path, found.path])).toEqual([
      ['/root/A/1.txt', '/root/A/1.txt'],
    ]);
    expect([names(unknown), names(absent)]).toEqual([['B/2.txt'], ['A/2.txt']]);
  });

  it.each<[string, Partial<RecordedDocument>, FoundDocument, boolean]>([
    ['equal size and kind', {}, file('B/x.TXT'), true],
    ['another size', {}, file('B/x.txt', { size: 11 }), false],
    ['another kind', {}, file('B/x.md'), false],
    ['an empty file', { size: 0 }, file('B/x.txt', { size: 0 }), false],
    ['a document that was never read', { contentHash: null }, file('B/x.txt'), false],
  ])('a candidate for a move is hashed if it may match: %s', (_what, over, found, read) => {
    expect(moveCandidates(compare([document('A/1.txt', over)], [found]))).toHaveLength(read ? 1 : 0);
  });

  it.each<[string, RecordedDocument[], [FoundDocument, string][], number]>([
    ['one file gone, one new', [document('A/1.txt')], [[file('B/9.txt'), 'h']], 1],
    ['one file missing, one new', [document('A/1.txt', { status: 'NO_ENCONTRADO' })], [[file('B/1.txt'), 'h']], 1],
    ['other bytes', [document('A/1.txt')], [[file('B/1.txt'), 'other']], 0],
    ['equal bytes of another kind', [document('A/1.txt')], [[file('B/1.md'), 'h']], 0],
    [
      'one file gone, two new',
      [document('A/1.txt')],
      [
        [file('B/1.txt'), 'h'],
        [file('C/1.txt'), 'h'],
      ],
      0,
    ],
    ['two files gone, one new', [document('A/1.txt'), document('A/2.txt')], [[file('B/1.txt'), 'h']], 0],
    [
      'two files gone, two new with different bytes',
      [document('A/1.txt'), document('A/2.txt', { contentHash: 'g' })],
      [
        [file('B/1.txt'), 'g'],
        [file('B/2.txt'), 'h'],
      ],
      2,
    ],
  ])('only unambiguous moves are recognised: %s', (_what, recorded, come, moves) => {
    const hashes = new Map(come);
    const { pairs, unknown, absent } = withMoves(compare(recorded, [...hashes.keys()]), hashes);
    expect([pairs.length, unknown.length, absent.length]).toEqual([
      moves,
      come.length - moves,
      recorded.length - moves,
    ]);
    for (const { recorded: before, found } of pairs) expect(before.contentHash).toBe(hashes.get(found));
  });

  it.each<[string, Partial<RecordedDocument>, Partial<FoundDocument>, boolean]>([
    ['another time', {}, { mtime: '2' }, true],
    ['another change time', {}, { changeTime: '2' }, true],
    ['a change time that was not recorded', { changeTime: null }, {}, true],
    ['the same times', {}, {}, false],
    ['another size', {}, { mtime: '2', size: 11 }, false],
    ['content that was never read', { contentHash: null }, { mtime: '2' }, false],
    ['an unsupported kind', {}, { mtime: '2', whyNot: 'Not read.' }, false],
  ])('a pair is doubtful if only its time differs: %s', (_what, recorded, found, doubtful) => {
    expect(isDoubtful({ recorded: document('A/1.txt', recorded), found: file('A/1.txt', found) })).toBe(doubtful);
  });
});

describe('a decision', () => {
  type Flag = 'contentChanged' | 'newGeneration' | 'restart' | 'retried' | 'moved' | 'touched' | 'revived';
  it.each<[string, Partial<RecordedDocument>, FoundDocument, string | undefined, Flag[]]>([
    ['nothing changed', {}, file('A/1.txt'), undefined, []],
    ['only the time differs', {}, file('A/1.txt', { mtime: '2' }), 'h', ['touched']],
    [
      'time and bytes differ',
      {},
      file('A/1.txt', { mtime: '2' }),
      'g',
      ['contentChanged', 'newGeneration', 'restart', 'touched'],
    ],
    ['only the change time differs', {}, file('A/1.txt', { changeTime: '2' }), 'h', ['touched']],
    [
      'change time and bytes differ',
      {},
      file('A/1.txt', { changeTime: '2' }),
      'g',
      ['contentChanged', 'newGeneration', 'restart', 'touched'],
    ],
    ['permission to read is gone', {}, file('A/1.txt', { changeTime: '2' }), undefined, []],
    ['it changes before it was read', { contentHash: null }, file('A/1.txt', { changeTime: '2' }), undefined, []],
    [
      'the bytes cannot be read',
      {},
      file('A/1.txt', { mtime: '2' }),
      undefined,
      ['contentChanged', 'newGeneration', 'restart', 'touched'],
    ],
    [
      'the size differs',
      {},
      file('A/1.txt', { size: 11 }),
      undefined,
      ['contentChanged', 'newGeneration', 'restart', 'touched'],
    ],
    [
      'a file of an unknown kind differs',
      {},
      file('A/1.txt', { size: 11, whyNot: 'Not read.' }),
      undefined,
      ['touched'],
    ],
    ['the settings differ', {}, file('A/1.txt', { settingsHash: 't' }), undefined, ['newGeneration', 'restart']],
    ['the place differs', {}, file('B/1.txt'), undefined, ['moved']],
    ['it failed recently and is unchanged', { status: 'ERROR', retryOnScan: true }, file('A/1.txt'), undefined, []],
    [
      'it failed long ago',
      { status: 'ERROR', retryOnScan: true, rested: true },
      file('A/1.txt'),
      undefined,
      ['restart', 'retried'],
    ],
    [
      'it failed recently and its permissions changed',
      { status: 'ERROR', retryOnScan: true },
      file('A/1.txt', { changeTime: '2' }),
      undefined,
      ['restart', 'retried'],
    ],
    [
      'it failed recently and its size differs',
      { status: 'ERROR', retryOnScan: true },
      file('A/1.txt', { size: 11, changeTime: '2' }),
      undefined,
      ['contentChanged', 'newGeneration', 'restart', 'touched'],
    ],
    [
      'it failed for good and its permissions changed',
      { status: 'ERROR' },
      file('A/1.txt', { changeTime: '2' }),
      undefined,
      [],
    ],
    ['it failed for good', { status: 'ERROR' }, file('A/1.txt'), undefined, []],
    ['it is deleted', { deleted: true }, file('A/1.txt'), undefined, []],
    ['it is deleted and only the time differs', { deleted: true }, file('A/1.txt', { mtime: '2' }), 'h', ['touched']],
    ['it is deleted and the settings differ', { deleted: true }, file('A/1.txt', { settingsHash: 't' }), undefined, []],
    [
      'it was deleted before it was read',
      { deleted: true, contentHash: null },
      file('A/1.txt', { mtime: '2' }),
      undefined,
      ['touched'],
    ],
    [
      'it is deleted and the bytes differ',
      { deleted: true },
      file('A/1.txt', { mtime: '2' }),
      'g',
      ['contentChanged', 'newGeneration', 'restart', 'touched', 'revived'],
    ],
    ['it was missing', { status: 'NO_ENCONTRADO' }, file('A/1.txt'), undefined, ['restart']],
  ])('the decision about a document: %s', (_what, recorded, found, hash, flags) => {
    const decision = decide({ recorded: document('A/1.txt', recorded), found }, hash);
    const all: Flag[] = ['contentChanged', 'newGeneration', 'restart', 'retried', 'moved', 'touched', 'revived'];
    expect(all.filter((flag) => decision[flag])).toEqual(flags);
    expect(matters(decision)).toBe(flags.length > 0);
  });
});
