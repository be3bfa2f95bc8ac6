import fc from 'fast-check';
import { knownLanguages } from './languages/table';
import { remembered } from './remembered';
import { tokenize } from './tokens';

const language = fc.constantFrom(...knownLanguages);
const piece = fc.constantFrom(
  ...[
    'the ',
    'Canales',
    'readTimeout',
    '2024/0153-B',
    'C++ ',
    '.NET',
    'l.l',
    "l'aigua ",
    'user@host.org',
    'x_y',
    '#',
    '+',
  ],
  ...[
    'corriendo ',
    'Häuser',
    'Wasserversorgung ',
    'col·lecció',
    'ação ',
    'naïve',
    'ﬁn',
    'a\u00adb',
    'e\u0301',
    '…',
    '. ',
  ],
);
const mixed = fc.array(
  fc.oneof(piece, fc.string({ unit: 'grapheme-ascii', maxLength: 8 }), fc.string({ maxLength: 4 })),
  {
    maxLength: 12,
  },
);

describe('the tokens of a text', () => {
  it('are those of the same text beside characters that are not ASCII', () => {
    fc.assert(
      fc.property(mixed, language, (pieces, code) => {
        const text = `${pieces.join('')} `;
        expect(tokenize(`${text}…`, code)).toEqual(tokenize(text, code));
      }),
    );
  });

  it('are those of each of its parts that stand alone', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-záñü]{1,60}$/), { maxLength: 8 }), language, (words, code) => {
        expect(tokenize(words.join(' '), code)).toEqual(words.flatMap((word) => tokenize(word, code)));
      }),
    );
  });
});

describe('a function that remembers', () => {
  it('computes a value once while it is asked for again and again', () => {
    let computed = 0;
    const length = remembered((text) => {
      computed += 1;
      return text.length;
    });
    expect([length('agua'), length('agua'), computed]).toEqual([4, 4, 1]);
  });

  it('forgets what was not asked for among very many others', () => {
    let computed = 0;
    const count = remembered((text) => {
      if (text === 'first') computed += 1;
      return text;
    });
    count('first');
    for (let index = 0; index < 30_000; index += 1) count(String(index));
    expect([count('first'), computed]).toEqual(['first', 2]);
  });

  it('keeps no long text', () => {
    let computed = 0;
    const count = remembered(() => (computed += 1));
    const long = 'x'.repeat(41);
    expect([count(long), count(long)]).toEqual([1, 2]);
  });
});
