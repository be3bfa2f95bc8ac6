import { CodeMappingMissing, documentStatus, internalMessages, publicErrors, roleCode, vocabulary } from './index';

describe('a vocabulary', () => {
  it('every internal code translates to its public name and back', () => {
    for (const code of documentStatus.internalCodes)
      expect(documentStatus.toInternal(documentStatus.toPublic(code))).toBe(code);
  });
  it('a value missing from the table fails closed', () => {
    expect(() => documentStatus.toPublic('ARCHIVADO')).toThrow(CodeMappingMissing);
  });
  it('the message does not contain the unmapped value', () => {
    expect(() => documentStatus.toPublic('ARCHIVADO')).toThrow(expect.not.stringContaining('ARCHIVADO') as string);
  });
  it('an internal code is not accepted as a public name', () => {
    expect(documentStatus.toInternal('VECTORIZADO')).toBeUndefined();
    expect(documentStatus.toInternal('VECTORIZED')).toBe('VECTORIZADO');
  });
  it('inherited property names are not codes', () => {
    expect(documentStatus.toInternal('constructor')).toBeUndefined();
    expect(() => documentStatus.toPublic('toString')).toThrow(CodeMappingMissing);
  });
  it('among codes of groups, only product codes are translated, reversibly', () => {
    expect(['SISTEMA', 'CONTABLE'].map((code) => roleCode.toPublic(code))).toEqual(['SYSTEM', 'CONTABLE']);
    expect(['SYSTEM', 'CONTABLE', 'SISTEMA'].map((code) => roleCode.toInternal(code))).toEqual([
      'SISTEMA',
      'CONTABLE',
      undefined,
    ]);
  });
  it('two internal codes with one public name fail to compile', () => {
    // @ts-expect-error both values are ONE, which the type of the table forbids
    expect(vocabulary('twins', { UNO: 'ONE', UNA: 'ONE' }).publicCodes).toEqual(['ONE', 'ONE']);
  });
});

describe('the public errors', () => {
  it('every public error has a Spanish sentence for internal routes', () => {
    expect(Object.keys(internalMessages)).toEqual(Object.keys(publicErrors));
  });
});
