import { CodeMappingMissing, documentStatus, internalMessages, publicErrors, roleCode, vocabulary } from './index';

describe('a vocabulary', () => {
  it('translates every internal code to its public name and back', () => {
    for (const code of documentStatus.internalCodes)
      expect(documentStatus.toInternal(documentStatus.toPublic(code))).toBe(code);
  });
  it('fails closed on a value that its table lacks', () => {
    expect(() => documentStatus.toPublic('ARCHIVADO')).toThrow(CodeMappingMissing);
  });
  it('does not put the unmapped value into the message', () => {
    expect(() => documentStatus.toPublic('ARCHIVADO')).toThrow(expect.not.stringContaining('ARCHIVADO') as string);
  });
  it('knows no internal code by its internal name', () => {
    expect(documentStatus.toInternal('VECTORIZADO')).toBeUndefined();
    expect(documentStatus.toInternal('VECTORIZED')).toBe('VECTORIZADO');
  });
  it('is not fooled by names that every object has', () => {
    expect(documentStatus.toInternal('constructor')).toBeUndefined();
    expect(() => documentStatus.toPublic('toString')).toThrow(CodeMappingMissing);
  });
  it('among codes that groups choose translates those of the product alone, each way back', () => {
    expect(['SISTEMA', 'CONTABLE'].map((code) => roleCode.toPublic(code))).toEqual(['SYSTEM', 'CONTABLE']);
    expect(['SYSTEM', 'CONTABLE', 'SISTEMA'].map((code) => roleCode.toInternal(code))).toEqual([
      ...['SISTEMA', 'CONTABLE', undefined],
    ]);
  });
  it('refuses two internal codes with one public name at compile time', () => {
    // @ts-expect-error both values are ONE, which the type of the table forbids
    expect(vocabulary('twins', { UNO: 'ONE', UNA: 'ONE' }).publicCodes).toEqual(['ONE', 'ONE']);
  });
});

describe('the public errors', () => {
  it('have a Spanish sentence each for the internal routes', () => {
    expect(Object.keys(internalMessages)).toEqual(Object.keys(publicErrors));
  });
});
