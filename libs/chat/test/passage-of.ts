import type { LanguageCode } from '@acervo/analysis';
import type { Passage } from '../src/answering/passages';

/** A passage for the suites beside the code, with its number and its text. */
export const passageOf = (number: number, text: string, changes: Partial<Passage> = {}): Passage => ({
  number,
  documentCode: `DOC-${String(number)}`,
  documentName: `document-${String(number)}.pdf`,
  url: `https://acervo.example/documents/DOC-${String(number)}`,
  page: number,
  chunkNumbers: [0],
  text,
  language: 'en' satisfies LanguageCode,
  similarity: null,
  score: 1 / number,
  ...changes,
});
