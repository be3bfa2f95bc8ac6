import { defaultLanguages } from '@acervo/analysis';
import { MOST_STATEMENTS } from '@acervo/contracts';
import { digestOf, type DigestSource } from './digest';

const source = (documentId: string, ...texts: string[]): DigestSource => ({
  documentId,
  result: {
    ...{ dropped: 1, omitted: 0 },
    statements: texts.map((text, index) => ({
      ...{ text, value: null, label: null },
      citations: [{ page: null, startAt: index * 100, endAt: index * 100 + text.length, quote: text }],
    })),
  },
});

const textsOf = (sources: readonly DigestSource[]): string[] =>
  digestOf(sources, defaultLanguages).statements.map(({ text }) => text);

describe('the digest of documents', () => {
  it('equal sentences are one statement that cites each document', () => {
    const shared = 'The council shares the water of the river among the farms.';
    const { statements } = digestOf([source('1', shared), source('2', shared.toUpperCase())], defaultLanguages);
    expect(statements).toHaveLength(1);
    expect(statements[0]?.citations.map(({ documentId }) => documentId)).toEqual(['1', '2']);
  });

  it('two sentences with the same words are there once', () => {
    const one = 'The council shares the water of the river among the farms of the valley.';
    const other = 'Among the farms of the valley the council shares the water of the river.';
    expect(textsOf([source('1', one), source('2', other)])).toHaveLength(1);
  });

  it('a document has at most two statements, in the order of its text', () => {
    const texts = ['Rivers carry water to farms.', 'Roads carry lorries to towns.', 'Schools teach children to read.'];
    const digest = digestOf([source('1', ...texts)], defaultLanguages);
    expect(digest.statements.map(({ text }) => text)).toEqual(
      texts.filter((text) => digest.statements.some((statement) => statement.text === text)),
    );
    expect(digest.statements).toHaveLength(2);
    expect(digest).toMatchObject({ dropped: 1, omitted: 1 });
  });

  it('each document has its turn before one has a second', () => {
    const many = Array.from({ length: MOST_STATEMENTS }, (_, at) =>
      source(String(at), `Word${at}a word${at}b word${at}c.`, `Other${at}a other${at}b other${at}c.`),
    );
    const { statements } = digestOf(many, defaultLanguages);
    expect(new Set(statements.map(({ citations: [first] }) => first?.documentId)).size).toBe(MOST_STATEMENTS);
  });

  it('documents that are not cited are not counted', () => {
    const many = Array.from({ length: MOST_STATEMENTS + 10 }, (_, at) => source(String(at), `Word${at}a word${at}b.`));
    expect(digestOf(many, defaultLanguages)).toMatchObject({ dropped: MOST_STATEMENTS, omitted: 0 });
  });

  it('the order of equal weights does not depend on the machine', () => {
    const sources = [source('1', 'Alpha beta gamma.', 'Delta epsilon zeta.', 'Eta theta iota.')];
    expect(textsOf(sources)).toEqual(textsOf(structuredClone(sources)));
    expect(textsOf(sources)).toEqual(['Alpha beta gamma.', 'Delta epsilon zeta.']);
  });
});
