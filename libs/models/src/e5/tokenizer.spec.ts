import { trieOf } from './convert/trie';
import { Tokenizer } from './tokenizer';
import { Vocabulary, vocabularyBytes } from './vocabulary';

/** A vocabulary whose ids are the places in this list. */
const PIECES: readonly (readonly [text: string, score: number])[] = [
  ['<s>', 0],
  ['</s>', 0],
  ['<unk>', 0],
  ['▁', -3],
  ['▁query:', -1],
  ['▁passage:', -1],
  ['▁agua', -2],
  ['▁ag', -1.5],
  ['ua', -1.5],
  ['a', -2],
  ['s', -2],
];

const tokenizer = (): Tokenizer => {
  const texts = PIECES.map(([text]) => text);
  const bytes = vocabularyBytes({
    ...trieOf({ texts, unknown: 2 }),
    marks: Int32Array.of(0, 1, 2),
    scores: Float32Array.from(PIECES, ([, score]) => score),
    // A capital is read as its small letter, a soft hyphen as nothing.
    keys: Int32Array.of(0x41, 0xad),
    starts: Int32Array.of(0, 1, 1),
    values: Int32Array.of(0x61),
  });
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new Tokenizer(new Vocabulary(shared));
};

const [QUERY, PASSAGE, UNKNOWN] = [4, 5, 2];

describe('the tokenizer of e5', () => {
  const cases: readonly (readonly [what: string, text: string, ids: readonly number[]])[] = [
    ['the segmentation with the best score wins', 'agua', [6]],
    ['a rest is cut into smaller tokens', 'aguas', [6, 10]],
    ['spaces around and between words count once', '  agua \u00a0 agua ', [6, 6]],
    ['a code point is replaced by its normalisation', 'Agua\u00ad', [6]],
    ['a code point without a token is unknown', 'agua☃', [6, UNKNOWN]],
    ['full width is folded', 'ａｇｕａ', [6]],
    ['nothing leaves the prefix', ' ', []],
  ];
  it.each(cases)('%s', (_what, text, ids) => {
    const end = ids.length === 0 ? [3] : ids;
    expect(tokenizer().ids(text, 'passage')).toEqual([0, PASSAGE, ...end, 1]);
  });
  it('a query has its own prefix', () => {
    expect(tokenizer().ids('agua', 'query')).toEqual([0, QUERY, 6, 1]);
  });
  it('a long text is cut at 512 tokens with both marks', () => {
    const ids = tokenizer().ids('agua '.repeat(600), 'passage');
    expect([ids.length, ids[0], ids.at(-1), ids.at(-2)]).toEqual([512, 0, 1, 6]);
  });
});
