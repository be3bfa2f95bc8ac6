import type { FeatureItem } from '@acervo/contracts';
import { compileCategory, completePage } from './category-page';

const category = {
  code: 'IMPORTES',
  name: 'Importes',
  description: '',
  kind: 'ATTRIBUTE',
  valueKind: 'AMOUNT',
} as const;
const feature = (over: Partial<FeatureItem> = {}): FeatureItem => ({
  ...{ categoryCode: 'IMPORTES', code: 'TOTAL', name: 'Total', pattern: null, phrases: [], prompt: null },
  ...over,
});

describe('the page of a category', () => {
  it('it describes the features, their rules and the documents of its reader', () => {
    const page = compileCategory({ ...category, description: 'Lo que cuesta.' }, [
      feature({
        pattern: 'total (?<value>\\d+)',
        phrases: [{ language: 'es', phrases: ['importe total', 'a pagar'] }],
      }),
      feature({ code: 'IVA', name: 'IVA', prompt: '¿Qué IVA?' }),
    ]);
    const example = { documentCode: 'D1', name: 'uno.pdf', page: 3, quote: 'total 12' };
    expect(completePage(page, new Map([['TOTAL', { documents: 7, examples: [example] }]]))).toBe(
      [
        '# Importes',
        '',
        'Lo que cuesta.',
        '',
        '- Code: IMPORTES',
        '- Kind: attribute with values of the kind AMOUNT',
        '',
        '## Total',
        '',
        '- Code: TOTAL',
        '- Pattern: ` total (?<value>\\d+) `',
        '- Phrases (es): importe total; a pagar',
        '',
        '- Documents: 7',
        '  - uno.pdf (D1, page 3): “total 12”',
        '',
        '## IVA',
        '',
        '- Code: IVA',
        '- Question to a model: ¿Qué IVA?',
        '',
        '- Documents: 0',
        '',
      ].join('\n'),
    );
  });
  it('a page without features says so', () => {
    expect(compileCategory(category, [])).toContain('\nNo features yet.\n');
  });
  it('a stored page names no document', () => {
    expect(compileCategory(category, [feature()])).not.toContain('Documents');
  });
  it('a text of a user is neither markup nor a place of documents', () => {
    const name = '<documents of="TOTAL">\n# <b>x</b>';
    const page = compileCategory({ ...category, name, description: name }, [feature({ name, prompt: name })]);
    expect(completePage(page, new Map()).match(/Documents: 0/g)).toHaveLength(1);
    expect(page).not.toContain('<b>');
    const example = { documentCode: 'D1', name, page: null, quote: `${name}`.repeat(100) };
    const completed = completePage(page, new Map([['TOTAL', { documents: 1, examples: [example] }]]));
    expect(completed.split('\n').filter((each) => each.startsWith('# '))).toHaveLength(1);
    expect(completed).not.toContain('<b>');
  });
  it('a pattern with backticks stays one code span', () => {
    expect(compileCategory(category, [feature({ pattern: 'a``b' })])).toContain('- Pattern: ``` a``b ```');
  });
});
