import type { ClassifiableDocument } from '../classified';
import { DocumentReading } from '../reading';
import type { FeatureRule, ValueKind } from '../../taxonomy/taxonomy';
import { CompiledFeature } from './compiled-feature';

const documentOf = (text: string, language: string | null = 'es'): ClassifiableDocument => ({
  ...{ documentId: 'd', entityCode: 'E', name: 'a.txt', path: '/a.txt', title: null },
  ...{ text, language, pageStarts: [0, 20, 40] },
});
const find = (rule: Partial<FeatureRule>, valueKind: ValueKind | null, text: string, language: string | null = 'es') =>
  new CompiledFeature(
    {
      ...{ categoryCode: 'C', code: 'F', name: 'F', prompt: null },
      rule: { pattern: null, phrases: {}, ...rule },
    },
    { kind: valueKind === null ? 'CHARACTERISTIC' : 'ATTRIBUTE', valueKind },
  ).find(new DocumentReading(documentOf(text, language)));

describe('features', () => {
  it('the group value of a pattern is the value, with its page', () => {
    const text = 'Contrato de alquiler. Firmado el 3 de marzo de 2024 en Soria.';
    expect(find({ pattern: '(?i)firmado el (?P<value>\\d+ de \\w+ de \\d{4})' }, 'DATE', text)).toEqual({
      ...{ categoryCode: 'C', code: 'F', value: '2024-03-03', source: 'RULE', confidence: 0.95 },
      ...{ page: 2, startAt: 33, endAt: 51, quote: '3 de marzo de 2024' },
    });
  });
  it('a value follows its phrase, behind marks and small words', () => {
    const rule = { phrases: { es: ['fecha de firma'] } };
    expect(find(rule, 'DATE', 'FECHA DE FIRMA: el lunes, 4 de marzo de 2024.')).toMatchObject({
      ...{ value: '2024-03-04', quote: '4 de marzo de 2024' },
    });
  });
  it('a value behind other words belongs to something else', () => {
    expect(find({ phrases: { es: ['fecha'] } }, 'DATE', 'Fecha de vencimiento: 1/1/2024')).toBeUndefined();
  });
  it('a phrase is whole words in the language of the document', () => {
    const rule = { phrases: { es: ['fuerza mayor'], en: ['force majeure'] } };
    expect(find(rule, null, 'por Fuerza\n mayor.')).toMatchObject({ value: null, quote: 'Fuerza\n mayor' });
    expect(find(rule, null, 'la fuerza mayoritaria')).toBeUndefined();
    expect(find(rule, null, 'force majeure')).toBeUndefined();
    expect(find(rule, null, 'force majeure', null)).toMatchObject({ quote: 'force majeure' });
  });
  it('statements that differ lower the confidence of the first', () => {
    const text = 'Total: 10 €. Total: 12 €.';
    expect(find({ phrases: { es: ['total'] } }, 'AMOUNT', text)).toMatchObject({
      value: '10.00 EUR',
      confidence: 0.45,
    });
  });
  it('a space of a pattern stands for a space that does not break', () => {
    const text = 'Pedido\u00a0n.º:\u00a0AB-7';
    expect(find({ pattern: 'Pedido n\\.º: (?P<value>\\S+)' }, 'TEXT', text)).toMatchObject({
      value: 'AB-7',
      startAt: 12,
    });
  });
  it('the mark behind a value is no part of its evidence', () => {
    expect(find({ pattern: 'por (?P<value>[\\d.,]+)' }, 'AMOUNT', 'por 1.200,50.')).toMatchObject({
      ...{ value: '1200.50', quote: '1.200,50', endAt: 12 },
    });
  });
  it('a match that is no value of the kind is left out', () => {
    expect(find({ pattern: 'ref (?P<value>\\S+)' }, 'NUMBER', 'ref A-12, ref 12')).toMatchObject({ value: '12' });
  });
});
