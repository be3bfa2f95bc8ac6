import { globRegex, NAME_GLOB, PATH_GLOB, wildcardsOf } from './glob';

const matches = (pattern: string, kind: typeof NAME_GLOB, text: string): boolean =>
  new RegExp(globRegex(pattern, kind), 'su').test(text);

describe('a glob', () => {
  it.each([
    ['acta-*.pdf', 'ACTA-2024.PDF', true],
    ['acta-*.pdf', 'acta-2024.pdf.txt', false],
    ['acta-*.pdf', 'mi acta-2024.pdf', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*', '', true],
    ['informe (1).txt', 'Informe (1).TXT', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['[ab]', '[AB]', true],
    ['ÁRBOL*', 'árbol genealógico', true],
    ['a\\b', 'A\\B', true],
    ['**', 'any thing', true],
    ['$^+{}|()', '$^+{}|()', true],
  ])('%s as a name matches %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, NAME_GLOB, text)).toBe(expected);
  });

  it.each([
    ['Raiz/*/acta.txt', 'raiz/2024/acta.txt', true],
    ['Raiz/*/acta.txt', 'raiz/2024/mayo/acta.txt', false],
    ['Raiz/**', 'raiz/2024/mayo/acta.txt', true],
    ['Raiz/**/acta.txt', 'raiz/2024/mayo/acta.txt', true],
    ['Raiz?acta.txt', 'raiz/acta.txt', false],
  ])('%s as a path matches %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, PATH_GLOB, text)).toBe(expected);
  });

  it('a run of asterisks counts as one wildcard, a question mark as none', () => {
    expect(wildcardsOf('a**b*c??')).toBe(2);
  });
});
