import { ExtractionRefusal, NoTextFound, type TextSource } from '../../src';
import { paragraph, wordTable } from './office-files';
import { pdfFile, textPage } from './pdf-file';
import { headingsOf, pagesOf, tablesOf } from './reading';
import { zipFile } from './zip-file';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const relation = (kind: string, target: string): string =>
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${kind}" Target="${target}"/></Relationships>`;

const body =
  paragraph('Cuotas de riego', '<w:pStyle w:val="Heading1"/>') +
  paragraph('La cuota se paga cada año antes de la primera tanda, y quien no la paga no riega.') +
  wordTable([
    ['Cultivo', 'Cuota'],
    ['Olivo', 'doce'],
    ['Almendro', 'nueve'],
  ]);

/** A whole document of Word, with everything that the strictest of readers asks for. */
export const bylaws = zipFile({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${TYPES}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': relation('officeDocument', 'word/document.xml'),
  'word/_rels/document.xml.rels': relation('styles', 'styles.xml'),
  'word/document.xml': `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
  'word/styles.xml': `<w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
});

export const minutes = pdfFile([
  textPage('The board met on the first floor and approved the accounts of the year.'),
  textPage('The second meeting elected a new treasurer by a large majority of votes.'),
]);

export const silent = pdfFile([{ texts: [] }]);

/** Behaviour of every text source, in any place. */
export const behavesLikeATextSource = (name: string, open: () => Promise<TextSource>): void =>
  describe(name, () => {
    let source: TextSource;
    beforeAll(async () => {
      source = await open();
    });
    afterAll(() => source.close());

    it('headings and tables of a document are ranges of its text', async () => {
      const { document } = await source.extract({ name: 'estatutos.docx', bytes: bylaws });
      expect(headingsOf(document).map((heading) => heading.slice(2))).toContain('Cuotas de riego');
      expect(document.text).toContain(
        'La cuota se paga cada año antes de la primera tanda, y quien no la paga no riega.',
      );
      const [table] = tablesOf(document);
      expect([table?.header, ...(table?.rows ?? [])].filter((row) => row !== null)).toEqual([
        'Cultivo | Cuota',
        'Olivo | doce',
        'Almendro | nueve',
      ]);
    });

    it('pages have the ranges of their text', async () => {
      const { document } = await source.extract({ name: 'minutes.pdf', bytes: minutes });
      const pages = pagesOf(document);
      expect(pages).toHaveLength(2);
      expect(pages[0]).toMatch(/^1: [\s\S]*approved the accounts/);
      expect(pages[1]).toMatch(/^2: [\s\S]*elected a new treasurer/);
    });

    it('a file without text is refused', async () => {
      await expect(source.extract({ name: 'silent.pdf', bytes: silent })).rejects.toThrow(NoTextFound);
    });

    it('a damaged file is refused permanently', async () => {
      const reading = source.extract({ name: 'estatutos.docx', bytes: bylaws.subarray(0, 400) });
      await expect(reading).rejects.toBeInstanceOf(ExtractionRefusal);
    });

    it('equal endings have equal signatures', () => {
      expect(source.whyNot('estatutos.docx')).toBeNull();
      expect(source.signature('estatutos.docx')).toBe(source.signature('otros.docx'));
      expect(source.atOnce).toBeGreaterThanOrEqual(1);
    });
  });
