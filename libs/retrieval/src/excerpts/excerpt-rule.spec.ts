import { chunk, plainText, SUMMARY_LENGTH } from '@acervo/analysis';
import fc from 'fast-check';
import { beginningOf, bestSentences, weightsOf } from './best-sentences';
import { type Excerpt, excerptsOf, firstExcerpts, listedChunks, MOST_OPENING, openingOf } from './excerpt-rule';

const word = fc.constantFrom(
  'agua',
  'riego',
  'pozo',
  'Sr.',
  'ñandú',
  '😀',
  'x'.repeat(60),
  'Fin.',
  '¿Sí?',
  '\n\n',
  '1.',
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(' ')) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 2_000, unit: 'binary' }) },
);
const chunksOf = (texts: readonly string[]) => texts.map((each, ordinal) => ({ text: each, ordinal, language: 'es' }));

const document = fc.record({
  texts: fc.array(text, { minLength: 1, maxLength: 12 }),
  summary: fc.string({ maxLength: SUMMARY_LENGTH }),
  order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  query: fc.constantFrom('', 'agua', 'agua agua pozo', 'nandu'),
});

const sum = (excerpts: readonly Excerpt<unknown>[]): number =>
  excerpts.reduce((total, { text: each }) => total + each.length, 0);
const isLiteral = ({ chunk, offset, text: shown }: Excerpt<{ text: string }>): boolean =>
  chunk.text.slice(offset, offset + shown.length) === shown && shown.isWellFormed() === chunk.text.isWellFormed();

describe('what leaves of a document', () => {
  const of = (texts: readonly string[]) => ({
    chunkCount: texts.length,
    characters: texts.reduce((total, each) => total + each.length, 0),
  });

  it('no answer to a query exceeds the share of its document', () => {
    fc.assert(
      fc.property(document, ({ texts, summary, order, query }) => {
        const size = of(texts);
        const ranked = chunksOf(texts)
          .toSorted((a, b) => (order[a.ordinal] ?? 0) - (order[b.ordinal] ?? 0))
          .slice(0, 5);
        const shown = excerptsOf({ size, summary, chunks: ranked }, weightsOf(query));
        const { chunkCount, characters } = size;
        const isShort = characters <= SUMMARY_LENGTH;
        for (const each of shown.passages) expect(isLiteral(each)).toBe(true);
        expect(summary.startsWith(shown.summary)).toBe(true);
        const most = chunkCount >= 4 ? characters / 2 : isShort ? characters : characters * 0.6;
        expect(sum(shown.passages)).toBeLessThanOrEqual(most);
        if (chunkCount < 4) expect(shown.passages.length).toBeLessThanOrEqual(1);
        if (isShort) return;
        const total = sum(shown.passages) + shown.summary.length;
        expect(total).toBeLessThanOrEqual(chunkCount >= 4 ? characters / 2 : characters * 0.9);
      }),
      { numRuns: 1_000 },
    );
  });

  it('an excerpt begins on the page of its chunk', () => {
    const pages = fc.array(text, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pages, fc.constantFrom('', 'agua', 'pozo'), (texts, query) => {
        const whole = texts.join('\n\n');
        let start = 0;
        const ranges = texts.map((each, index) => {
          const range = { number: index + 1, start, end: start + each.length };
          start = range.end + 2;
          return range;
        });
        const chunks = chunk(plainText(whole, { pages: ranges }));
        const size = of(chunks.map((each) => each.text));
        const { passages } = excerptsOf({ size, summary: '', chunks }, weightsOf(query));
        for (const { chunk: source, offset } of passages) {
          const begins = source.start + offset;
          const page = ranges.find((range) => range.start <= begins && begins < range.end);
          expect(source.page).toBe(page?.number);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('no opening exceeds half of its document, however short it is', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
        const size = of(texts);
        const opening = openingOf(size, chunksOf(texts));
        expect(opening.text.length).toBeLessThanOrEqual(Math.min(MOST_OPENING, size.characters / 2));
        for (const each of opening.excerpts) expect(isLiteral(each)).toBe(true);
        expect(texts.join('\n\n').startsWith(opening.text)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('no list without a query exceeds the share of its document', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), (texts) => {
        const { chunkCount, characters } = of(texts);
        const shown = firstExcerpts({ chunkCount, characters }, chunksOf(texts).slice(0, 20));
        const isShort = characters <= SUMMARY_LENGTH && chunkCount > 1;
        expect(sum(shown)).toBeLessThanOrEqual(chunkCount >= 4 ? characters / 2 : characters * (isShort ? 1 : 0.6));
        expect(shown.length).toBeLessThanOrEqual(listedChunks(chunkCount));
        for (const [index, each] of shown.entries()) {
          expect([each.chunk.ordinal, each.offset, isLiteral(each)]).toEqual([index, 0, true]);
          if (index < shown.length - 1) expect(each.text).toBe(each.chunk.text);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the first excerpts are cut after words, close to the share', () => {
    const one = `${'El acta recoge los acuerdos de la junta. '.repeat(50)}Fin.`;
    const [shown] = firstExcerpts(of([one]), chunksOf([one]));
    expect(one.startsWith(`${shown?.text} `)).toBe(true);
    expect((shown?.text.length ?? 0) / one.length).toBeGreaterThan(0.59);
  });

  it('more than half of the chunks is never listed, except a single one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000_000 }), (count) => listedChunks(count) <= Math.min(20, count / 2)),
    );
  });
});

describe('the best sentences', () => {
  const sentences = Array.from({ length: 20 }, (_, index) => `Frase ${index} sobre asuntos varios del municipio.`);
  const best = (texts: readonly string[], query: string, most = 200): string => {
    const source = { text: texts.join(' '), language: 'es' };
    const range = bestSentences(source, most, weightsOf(query));
    return source.text.slice(range?.start, range?.end);
  };

  it('they contain the sentence with the words of the query', () => {
    for (let place = 0; place < sentences.length; place += 1) {
      const texts = sentences.with(place, 'La tarifa del riego sube en abril.');
      expect(best(texts, 'tarif rieg')).toContain('La tarifa del riego sube en abril.');
    }
  });

  it('a rare word decides before a frequent one', () => {
    const texts = sentences.with(15, 'La multa llega tarde.');
    expect(best(texts, 'municipi mult')).toContain('La multa llega tarde.');
  });

  it('distinct words decide before repeated ones', () => {
    const texts = sentences.with(2, 'Agua, agua, agua.').with(3, 'Agua y agua.').with(12, 'El agua del pozo baja.');
    expect(best(texts, 'agu poc agua pozo', 120)).toContain('pozo');
  });

  it('without a word of the query they are the first ones', () => {
    expect(best(sentences, 'inexistente')).toBe(sentences.slice(0, 4).join(' '));
  });

  it('a table without marks is cut between lines', () => {
    const rows = Array.from({ length: 60 }, (_, index) => `fila ${index}\tvalor ${index * 7}`);
    const shown = best([rows.join('\n')], '41', 300);
    expect(shown).toContain('fila 41\tvalor 287');
    for (const row of shown.split('\n')) expect(rows).toContain(row);
  });

  it('a beginning never ends inside a character', () => {
    expect(beginningOf('😀😀😀', 3)).toBe('😀');
    expect(beginningOf('😀', 1)).toBe('');
  });
});
