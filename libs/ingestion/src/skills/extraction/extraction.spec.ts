import { type LanguageCode, plainText } from '@acervo/analysis';
import { MOST_STATEMENTS } from '@acervo/contracts';
import { citedStatements } from '../citations';
import { productSkill } from '../product-skills';

const CONTRATO = `# CONTRATO DE ARRENDAMIENTO

En Madrid, a 3 de marzo de 2024, comparecen D. Juan Pérez Gómez (en adelante, el "Arrendador") e Inversiones Río Claro, S.L. (en adelante, la "Arrendataria").

La renta mensual asciende a 900 euros y se pagará dentro de los cinco primeros días de cada mes. El contrato vence el 31/12/2026 y podrá prorrogarse por acuerdo de las partes. A efectos de este contrato, «Vivienda» significa el piso situado en la calle Mayor 4, expediente 2024/0153-B.

| Concepto | Importe |
| - **Fianza** 1.800 euros y otros conceptos de la tabla que no son una frase

Las obras de mejora requieren el consentimiento escrito del Arrendador`;

const LEASE = `LEASE AGREEMENT

This agreement is made on March 3rd, 2024 between Mr. John Smith (the "Landlord") and Blue River Trading Ltd. (the "Tenant"). "Premises" means the flat at 4 High Street. The lease ends on 2026-12-31. It was first signed on March 3rd, 2024.`;

const found = (code: string, text: string, language: LanguageCode) => {
  const find = productSkill(code)?.find;
  if (find === undefined) throw new Error(`There is no skill ${code} without a model.`);
  return citedStatements(plainText(text), find(text, language));
};
const valuesOf = (code: string, text: string, language: LanguageCode = 'es'): (string | null)[] =>
  found(code, text, language).statements.map(({ value }) => value);

describe('skills that quote', () => {
  it.each(['DOCUMENT-SUMMARY', 'GLOSSARY', 'KEY-DATES', 'PARTIES'])('each quote of %s stands at its range', (code) => {
    for (const [text, language] of [
      [CONTRATO, 'es'],
      [LEASE, 'en'],
    ] as const) {
      const { statements, dropped } = found(code, text, language);
      expect([statements.length > 0, dropped]).toEqual([true, 0]);
      for (const { citations, value } of statements)
        for (const { startAt, endAt, quote } of citations) {
          expect(text.slice(startAt, endAt)).toBe(quote);
          if (value !== null && code !== 'KEY-DATES') expect(quote).toContain(value);
        }
    }
  });

  it('a summary consists of whole sentences without markup', () => {
    const { statements } = found('DOCUMENT-SUMMARY', CONTRATO, 'es');
    const texts = statements.map(({ text }) => text);
    expect(texts.join(' ')).toContain('La renta mensual asciende a 900 euros');
    expect(texts.join(' ')).not.toMatch(/[#|*]|consentimiento escrito/);
    for (const text of texts) expect(text).toMatch(/^\p{Lu}.*[.]$/u);
  });

  it('dates are in ISO 8601, each once, and identifiers are not dates', () => {
    expect(valuesOf('KEY-DATES', CONTRATO)).toEqual(['2024-03-03', '2026-12-31']);
    expect(valuesOf('KEY-DATES', LEASE, 'en')).toEqual(['2024-03-03', '2026-12-31']);
  });

  it('parties have the name and what the document calls them', () => {
    const parties = (text: string) => found('PARTIES', text, 'es').statements.map(({ value, label }) => [value, label]);
    expect(parties(CONTRATO)).toEqual([
      ['Juan Pérez Gómez', 'Arrendador'],
      ['Inversiones Río Claro, S.L.', 'Arrendataria'],
    ]);
    expect(parties(LEASE)).toEqual([
      ['John Smith', 'Landlord'],
      ['Blue River Trading Ltd.', 'Tenant'],
    ]);
  });

  it('defined terms have the sentence that defines them', () => {
    expect(valuesOf('GLOSSARY', CONTRATO)).toEqual(expect.arrayContaining(['Arrendador', 'Arrendataria', 'Vivienda']));
    const { statements } = found('GLOSSARY', LEASE, 'en');
    expect(statements.find(({ value }) => value === 'Premises')?.text).toBe(
      '"Premises" means the flat at 4 High Street.',
    );
  });

  it('a long sentence is quoted around the place, at the edges of words', () => {
    const words = 'palabra '.repeat(200);
    const text = `${words}vence el 31/12/2026 según ${words}`;
    const [statement] = found('KEY-DATES', text, 'es').statements;
    expect(statement?.text).toMatch(/^palabra .*31\/12\/2026.* palabra$/);
    expect(statement?.text.length).toBeLessThan(700);
  });

  it.each(['DOCUMENT-SUMMARY', 'GLOSSARY', 'KEY-DATES', 'PARTIES'])('%s finds nothing in nothing', (code) => {
    expect(found(code, '', 'es')).toEqual({ statements: [], dropped: 0, omitted: 0 });
  });
});

describe('cited statements', () => {
  const text = 'Uno. Dos.';
  const draft = { startAt: 0, endAt: 4, quote: 'Uno.', value: null, label: null };

  it('a statement whose quote does not stand in the text is dropped and counted', () => {
    const invented = [
      { ...draft, quote: 'Tres' },
      { ...draft, startAt: 5, endAt: 9 },
      { ...draft, endAt: 0, quote: '' },
      { ...draft, startAt: 90, endAt: 94 },
    ];
    const { statements, dropped } = citedStatements(plainText(text), [...invented, draft]);
    expect([statements.map(({ citations }) => citations[0]?.quote), dropped]).toEqual([['Uno.'], 4]);
  });

  it('statements beyond the most of a result are counted', () => {
    const drafts = Array.from({ length: MOST_STATEMENTS + 3 }, () => draft);
    const { statements, dropped, omitted } = citedStatements(plainText(text), drafts);
    expect([statements.length, dropped, omitted]).toEqual([MOST_STATEMENTS, 0, 3]);
  });

  it('a citation has the page of its beginning', () => {
    const pages = [
      { number: 1, start: 0, end: 5 },
      { number: 2, start: 5, end: 9 },
    ];
    const { statements } = citedStatements({ ...plainText(text), pages }, [
      { ...draft, startAt: 5, endAt: 9, quote: 'Dos.' },
    ]);
    expect(statements[0]?.citations).toEqual([{ page: 2, startAt: 5, endAt: 9, quote: 'Dos.' }]);
  });
});
