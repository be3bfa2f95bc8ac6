import type { SuspendedDocument } from './corpus.store';
import { thoseThatFit } from './resume.stage';

const waiting = (documentId: string, pages: number): SuspendedDocument => ({ documentId, pages, isDue: false });
const due = (documentId: string, pages: number): SuspendedDocument => ({ documentId, pages, isDue: true });

describe('the waiting documents that may go on', () => {
  it.each<[string, SuspendedDocument[], number | null, string[]]>([
    ['fit together, in order', [waiting('a', 2), waiting('b', 2), waiting('c', 2)], 4, ['a', 'b']],
    ['may stand behind one that is too large', [waiting('a', 5), waiting('b', 1)], 3, ['b']],
    ['leave pages to those that are due', [due('a', 2), waiting('b', 2), waiting('c', 1)], 3, ['c']],
    ['are all of them without a limit', [waiting('a', 2), waiting('b', 9)], null, ['a', 'b']],
    ['are none where the group has too many', [waiting('a', 1)], -4, []],
  ])('%s', (_what, documents, left, expected) => {
    expect(thoseThatFit(documents, left).map(({ documentId }) => documentId)).toEqual(expected);
  });
});
