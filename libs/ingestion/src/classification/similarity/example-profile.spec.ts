import { knownLanguages } from '@acervo/analysis';
import { analysisLanguage } from './example-profile';

describe('the language in which a text is analysed', () => {
  it.each(knownLanguages)('a document in %s is analysed in it', (code) => {
    expect(analysisLanguage('Factura', code)).toBe(code);
  });
  it.each([null, 'pl'])('a document in %s is analysed by its words', (code) => {
    expect(analysisLanguage('the fee of the canal', code)).toBe('en');
  });
});
