import type { LanguageCode } from '@acervo/analysis';
import { recordsOf } from './result-records';
import { ResultIndex } from './result-support';
import { WordForms } from './support/word-forms';

const forms = new WordForms();
const indexOf = (result: object, summary: string, language: LanguageCode): ResultIndex => {
  const records = recordsOf(result as Readonly<Record<string, unknown>>);
  return new ResultIndex({ number: 1, operation: 'x.list', summary, records }, language, forms);
};
const states = {
  states: [
    { status: 'VECTORIZED', total: 42 },
    { status: 'PENDING', total: 7 },
  ],
  total: 49,
  is_partial: false,
};
const areas = {
  areas: [
    { code: 'A1', name: 'Riego Norte', manager: 'Ramón Ferrer', has_children: true },
    { code: 'A2', name: 'Compras', manager: 'Ana López', has_children: false },
  ],
};
const COUNT = 'Count the documents by their status.';
const LIST = 'List the areas in focus, level by level or by name.';

describe('what a result states', () => {
  it.each<[object, string, LanguageCode, string]>([
    [states, COUNT, 'es', 'Hay 49 documentos en total.'],
    [states, COUNT, 'en', 'There are 42 vectorized documents.'],
    [states, COUNT, 'es', 'Hay 7 documentos con status PENDING.'],
    [areas, LIST, 'es', 'Las áreas son Riego Norte y Compras.'],
    [areas, LIST, 'es', 'El área Compras es A2.'],
    [areas, LIST, 'en', 'The areas are Riego Norte and Compras.'],
    [{ code: 'A1', updated_at: '2026-01-02T03:04:05Z' }, LIST, 'en', 'A1 was updated on 2 January 2026.'],
  ])('%#: a sentence with its values stays', (result, summary, language, sentence) => {
    expect(indexOf(result, summary, language).supportOf(sentence)).toBeDefined();
  });

  it.each<[object, string, LanguageCode, string]>([
    [states, COUNT, 'es', 'Hay 50 documentos en total.'],
    [states, COUNT, 'en', 'There are 7 vectorized documents.'],
    [states, COUNT, 'en', 'There are 42 documents.'],
    [states, COUNT, 'en', 'There are 42 deleted documents.'],
    [{ documents: [{ code: 'D1', pages: 10 }], total: 9 }, COUNT, 'en', 'There are 10 documents in total.'],
    [states, COUNT, 'es', 'No hay 49 documentos.'],
    [states, COUNT, 'es', 'Hay más de 49 documentos.'],
    [states, COUNT, 'en', 'The count is partial.'],
    [{ total_documents: 3, total_chunks: 9 }, COUNT, 'en', 'There are 9 documents.'],
    [areas, LIST, 'es', 'El área Compras es A1.'],
    [areas, LIST, 'es', 'El área Ventas existe.'],
    [areas, LIST, 'es', 'Las áreas son Riego Norte y Ventas.'],
    [areas, LIST, 'en', 'The manager of Compras is Ramón Ferrer.'],
    [areas, LIST, 'en', 'The manager of the area is Ramón López.'],
    [areas, LIST, 'en', 'Compras has children.'],
    [areas, LIST, 'es', 'Las áreas son así.'],
    [{ code: 'A1', updated_at: '2026-01-02T03:04:05Z' }, LIST, 'en', 'A1 was updated on 3 January 2026.'],
  ])('%#: a sentence without them is dropped', (result, summary, language, sentence) => {
    expect(indexOf(result, summary, language).supportOf(sentence)).toBeUndefined();
  });

  it('the documents of the quoted record are named', () => {
    const documents = [
      { code: 'D1', name: 'acta.md', url: 'https://acervo.test/D1', pages: 4 },
      { code: 'D2', name: 'contrato.pdf', url: 'https://acervo.test/D2', pages: 9 },
    ];
    const support = indexOf({ documents }, 'List the documents.', 'en').supportOf('The document D2 has 9 pages.');
    expect(support?.documents).toEqual([
      { documentCode: 'D2', documentName: 'contrato.pdf', url: 'https://acervo.test/D2' },
    ]);
    expect(support?.quote).toContain('pages: 9');
  });
});
