import type { ClassifiableDocument } from '../classified';
import { DocumentReading } from '../reading';
import type { BoundaryRule } from '../../taxonomy/taxonomy';
import { CompiledBoundary } from './compiled-boundary';
import { CompiledRule } from './compiled-rule';
import { RuleUnusable } from '../../taxonomy/patterns/pattern';

const document: ClassifiableDocument = {
  ...{
    documentId: 'd',
    entityCode: 'E',
    name: 'Contrato de Alquiler.PDF',
    path: '/Jurídico/2024/Contrato de Alquiler.PDF',
  },
  ...{ language: 'es', title: null, text: 'CONTRATO de\narrendamiento n.º 17.\nPartes…', pageStarts: [0, 32] },
};
const rule = (text: string): BoundaryRule => {
  const [field, match, value = '', effect = 'REQUIRES'] = text.split('|') as [
    BoundaryRule['field'],
    BoundaryRule['match'],
    string?,
    BoundaryRule['effect']?,
  ];
  return { field, match, value, effect };
};
const admits = (...rules: string[]) => new CompiledBoundary(rules.map(rule)).admits(new DocumentReading(document));

describe('rules of a boundary', () => {
  it.each([
    'NAME|EQUALS|contrato de alquiler.pdf',
    'NAME|CONTAINS|ALQUILÉR',
    'NAME|GLOB|*alquiler*.pdf',
    'NAME|PATTERN|(?i)\\.pdf$',
    'PATH|GLOB|/juridico/20??/*',
    'PATH|CONTAINS|jurídico',
    'LANGUAGE|EQUALS|ES',
    'TEXT|CONTAINS|contrato de arrendamiento',
    'TEXT|PATTERN|arrendamiento n\\.º \\d+',
    'TEXT|GLOB|contrato*',
  ])('%s admits the document', (text) => {
    expect(admits(text)).toBe(true);
    expect(admits(text.concat('|EXCLUDES'))).toBe(false);
  });
  it.each([
    'NAME|EQUALS|contrato',
    'NAME|GLOB|*.docx',
    'NAME|PATTERN|alquiler',
    'PATH|GLOB|/juridico/2023/*',
    'LANGUAGE|EQUALS|en',
    'TEXT|CONTAINS|factura',
    'TEXT|PATTERN|arrendamiento n\\.º [a-z]',
  ])('%s does not admit the document', (text) => {
    expect(admits(text)).toBe(false);
    expect(admits(text.concat('|EXCLUDES'))).toBe(true);
  });
  it('one rule that fails outweighs those that match', () => {
    expect(admits('NAME|CONTAINS|contrato', 'TEXT|CONTAINS|factura')).toBe(false);
  });
  it('evidence is the range that matched, to the letter', () => {
    const boundary = new CompiledBoundary(
      ['NAME|CONTAINS|contrato', 'TEXT|CONTAINS|contrato de ARRENDAMIENTO', 'TEXT|PATTERN|n\\.º \\d+'].map(rule),
    );
    expect(boundary.evidence(new DocumentReading(document))).toEqual([
      { page: 1, startAt: 0, endAt: 25, quote: 'CONTRATO de\narrendamiento' },
      { page: 1, startAt: 26, endAt: 32, quote: 'n.º 17' },
    ]);
  });
  it.each(['TEXT|PATTERN|(', 'NAME|GLOB|[a', 'TEXT|CONTAINS| '])('%s is refused', (text) => {
    expect(() => new CompiledRule(rule(text))).toThrow(RuleUnusable);
  });
});
