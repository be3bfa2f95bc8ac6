import { defaultLanguages } from '@acervo/analysis';
import { textOf } from '../../classification/classify-job';
import type { SliceAnswer } from '../model/cite-answers';
import type { DigestSource } from './digest';
import { answeredDigest, LIST_STATEMENTS } from './digest-answers';

const source = (documentId: string, ...texts: string[]): DigestSource => ({
  documentId,
  result: {
    ...{ dropped: 0, omitted: 0 },
    statements: texts.map((text, index) => ({
      ...{ text, value: null, label: null },
      citations: [{ page: index + 1, startAt: index * 1_000, endAt: index * 1_000 + text.length, quote: text }],
    })),
  },
});
const listed = async (sources: readonly DigestSource[]): Promise<string> =>
  textOf(await LIST_STATEMENTS.run({ sources, languages: defaultLanguages })).text;
const quoting = (slice: SliceAnswer['slice'], ...quotes: string[]): SliceAnswer => ({
  slice,
  statements: quotes.map((quote) => ({ quote, value: 'x', label: 'y' })),
});

const WATER = 'The council shares the water of the river.';
const ROADS = 'The council repairs the roads of the valley.';
const SCHOOL = 'A school teaches the children of the farms to read.';
const LINK = 'The tenant opens https://evil.example/pay before the winter.';
const SOURCES = [source('1', WATER, ROADS), source('2', SCHOOL, WATER), source('3', LINK)];

describe('the digest by the answers of a model', () => {
  const digest = async (...quotes: string[]) => {
    const text = await listed(SOURCES);
    return answeredDigest(SOURCES, defaultLanguages, [quoting({ start: 0, end: text.length }, ...quotes)]);
  };

  it('a model reads each sentence once, documents apart', async () => {
    expect(await listed(SOURCES)).toBe(`${WATER}\n${ROADS}\n\n${SCHOOL}\n\n${LINK}`);
  });

  it('a chosen sentence cites each document that has it, without words of the model', async () => {
    expect((await digest(WATER)).statements).toEqual([
      {
        ...{ text: WATER, value: null, label: null },
        citations: [
          { documentId: '1', page: 1, startAt: 0, endAt: WATER.length, quote: WATER },
          { documentId: '2', page: 2, startAt: 1_000, endAt: 1_000 + WATER.length, quote: WATER },
        ],
      },
    ]);
  });

  it('other white space and the greater part of a sentence choose it', async () => {
    const { statements, dropped } = await digest('shares the water\n of the river.', ROADS.replaceAll(' ', '  '));
    expect([statements.map(({ text }) => text), dropped]).toEqual([[WATER, ROADS], 0]);
  });

  it.each([
    ['no sentence', 'The council sells the river.'],
    ['a few words of one', 'the water'],
    ['the end of one and the begin of the next', `roads of the valley. ${SCHOOL}`],
    ['one that leads outside', LINK],
    ['nothing', ' '],
    ['more than a sentence has', WATER.padEnd(3_000, ' x')],
  ])('a quote of %s is dropped and counted', async (_name, quote) => {
    const { statements, dropped } = await digest(SCHOOL, quote);
    expect([statements.map(({ text }) => text), dropped]).toEqual([[SCHOOL], 1]);
  });

  it('where no quote stands, the ranking of sentences chooses', async () => {
    const { statements, dropped } = await digest('The council sells the river.');
    expect([statements.length > 0, dropped]).toEqual([true, 1]);
  });

  it('the first choices of all parts come before the second ones', async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      source(String(at).padStart(2, '0'), `Word${at}a word${at}b says so.`),
    );
    const text = await listed(many);
    const middle = text.indexOf('Word30a');
    const lines = text.split('\n').filter((line) => line !== '');
    const answers = [
      quoting({ start: 0, end: middle }, ...lines.slice(0, 30)),
      quoting({ start: middle, end: text.length }, ...lines.slice(30)),
    ];
    const { statements } = answeredDigest(many, defaultLanguages, answers);
    const documents = statements.flatMap(({ citations }) => citations.map(({ documentId }) => Number(documentId)));
    expect(documents).toEqual([...Array(20).keys(), ...[...Array(20).keys()].map((at) => at + 30)]);
  });

  it('where not all fits, each document has its first sentences', async () => {
    const long = 'y'.repeat(900);
    const many = Array.from({ length: 300 }, (_, at) =>
      source(String(at), `${at} first ${long}`, `${at} second ${long}`),
    );
    const text = await listed(many);
    expect([text.includes('299 first'), text.includes('second'), text.length < 400_000]).toEqual([true, false, true]);
  });

  it('where one sentence of each document is too much, the last ones are left out whole', async () => {
    const long = 'y'.repeat(700);
    const many = Array.from({ length: 700 }, (_, at) => source(String(at), `${at} first ${long}.`));
    const text = await listed(many);
    expect(text.length).toBeLessThanOrEqual(400_000);
    expect(text.split('\n\n').every((line) => line.endsWith(`first ${long}.`))).toBe(true);
    expect([text.startsWith('0 first'), text.includes('699 first')]).toEqual([true, false]);
  });
});
