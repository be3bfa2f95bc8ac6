import { AnsweredQuestion, decode, encode } from '@acervo/contracts';
import type { AnswerSentence } from '../answering/answer';
import type { NamedDocument } from '../answering/result-records';
import { GrowingAnswer } from './growing-answer';

const begun = { functionCode: 'CHAT-USER', mode: 'default', question: 'Which?', language: 'en' } as const;
const sources = [{ number: 1, operation: 'documents.list', summary: 'Lists documents', records: [] }];
const documents = (first: number, count: number): NamedDocument[] =>
  Array.from({ length: count }, (_, place) => ({
    documentCode: `D${String(first + place)}`,
    documentName: 'x',
    url: '/x',
  }));
/** A sentence on records of the result that name these documents. */
const sentence = (first: number, count: number): AnswerSentence => ({
  text: `Documents from ${String(first)} exist.`,
  citations: [{ number: 1, passage: 1, start: 0, end: 1, quote: 'x', documents: documents(first, count) }],
});

describe('an answer over more documents than can be stored', () => {
  const answer = new GrowingAnswer({ ...begun, model: null, layers: [] }, { sources, citable: sources }, 'en');
  const parts = [...Array.from({ length: 11 }, (_, place) => sentence(1 + place * 10, 10)), sentence(1, 10)].map(
    (each) => [...answer.add(each)].map(({ text }) => text.trim()),
  );
  const last = [...answer.end()].at(-1);
  const stored: AnsweredQuestion | undefined = last?.kind === 'end' ? last.answered : undefined;

  it('sentences beyond them are dropped, later ones that fit stay', () => {
    expect(parts.map((part) => part.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1]);
    expect(stored?.answer).not.toContain('from 91');
  });
  it('each document behind its text is stored', () => {
    expect(stored?.citations.map(({ documentCode }) => documentCode)).toEqual(
      documents(1, 90).map(({ documentCode }) => documentCode),
    );
    expect(() => decode(AnsweredQuestion, encode(AnsweredQuestion, stored ?? {}), { closed: true })).not.toThrow();
  });
});
