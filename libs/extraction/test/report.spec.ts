import { InlineSource, PartTally, reportOf } from '../src';
import { DocxReader, PptxReader, XlsxReader } from '../src/readers/office';
import { pdfFile, textPage } from './support';
import { docxFile, paragraph, pptxFile, shape, wordPart, xlsxFile, xlsxRow } from './support/office-files';
import { compoundFile } from './support/compound-file';
import { openDocumentFile } from './support/open-files';
import { readWith } from './support/reading';
import { OpenDocumentReader } from '../src/readers/opendocument';

describe('the report of an extraction', () => {
  it('parts that no reader accounts for are left out as unread', () => {
    const tally = new PartTally();
    tally.count('MIME_PART', 5);
    tally.read('MIME_PART', 2);
    tally.leaveOut('MIME_PART', 'PICTURE');
    expect(tally.report().parts).toEqual([
      {
        ...{ kind: 'MIME_PART', counted: 5, read: 2 },
        leftOut: [
          { reason: 'PICTURE', count: 1 },
          { reason: 'UNREAD', count: 2 },
        ],
      },
    ]);
  });

  it('a container that understates its parts gets the number of those found', () => {
    const tally = new PartTally();
    tally.count('SHEET', 1);
    tally.read('SHEET', 3);
    expect(tally.report().parts).toEqual([{ kind: 'SHEET', counted: 3, read: 3, leftOut: [] }]);
  });

  it('a file without parts counts as one', async () => {
    const extraction = await new InlineSource().extract({ name: 'a.txt', bytes: Buffer.from('Uno.') });
    expect(reportOf(extraction).parts).toEqual([{ kind: 'PART', counted: 1, read: 1, leftOut: [] }]);
  });

  it('pages without text are left out, and counted', async () => {
    const bytes = pdfFile([textPage('La póliza vence en mayo.'), { texts: [] }]);
    const extraction = await new InlineSource().extract({ name: 'a.pdf', bytes });
    const leftOut = [{ reason: 'NO_TEXT', count: 1 }];
    expect(reportOf(extraction).parts).toEqual([{ kind: 'PAGE', counted: 2, read: 1, leftOut }]);
  });

  it('the parts of a text document are read, dress it, or are left out with their reason', async () => {
    const relations = [
      ['header', 'header1.xml'],
      ['image', 'media/a.png'],
      ['glossaryDocument', 'glossary.xml'],
      ['chart', 'absent.xml'],
      ['package', 'embeddings/a.xlsx'],
    ] as const;
    const entries = {
      'word/header1.xml': wordPart('hdr', paragraph('Archivo')),
      'word/media/a.png': 'x',
      'word/glossary.xml': 'x',
      'word/embeddings/a.xlsx': 'x',
    };
    const { report } = await readWith(new DocxReader(), docxFile({ body: paragraph('x'), relations, entries }));
    const leftOut = [
      { reason: 'APPEARANCE', count: 2 },
      { reason: 'PICTURE', count: 1 },
      { reason: 'DAMAGED', count: 1 },
      { reason: 'UNREAD', count: 1 },
    ];
    expect(report?.parts).toEqual([
      { kind: 'RELATION', counted: 7, read: 2, leftOut },
      { kind: 'ATTACHMENT', counted: 1, read: 1, leftOut: [] },
    ]);
  });

  it('slides without text and sheets for programs are left out, and counted', async () => {
    const slides = [{ shapes: shape('body', 'x') }, { shapes: '' }];
    const rows = xlsxRow(1, 'x');
    const sheets = (['visible', 'hidden', 'veryHidden'] as const).map((state) => ({ name: state, state, rows }));
    const reports = [
      await readWith(new PptxReader(), pptxFile(slides)),
      await readWith(new XlsxReader(), xlsxFile(sheets)),
    ];
    expect(reports.flatMap(({ report }) => report?.parts ?? [])).toEqual([
      { kind: 'SLIDE', counted: 2, read: 1, leftOut: [{ reason: 'NO_TEXT', count: 1 }] },
      { kind: 'SHEET', counted: 3, read: 2, leftOut: [{ reason: 'HIDDEN', count: 1 }] },
    ]);
  });

  it('a listed slide without its part, and objects that are no documents, are left out', async () => {
    const shapes = shape('body', 'x');
    const relations = [['oleObject', '../embeddings/a.bin']] as const;
    const object = compoundFile({ Equation: Buffer.alloc(10) });
    const whole = pptxFile([{ shapes, relations }, { shapes }], false, { 'ppt/embeddings/a.bin': object });
    const { report } = await readWith(new PptxReader(), whole);
    expect(report?.parts[1]).toEqual({
      ...{ kind: 'ATTACHMENT', counted: 1, read: 0 },
      leftOut: [{ reason: 'UNSUPPORTED', count: 1 }],
    });
    const listed = Buffer.from(whole.toString('latin1').replaceAll('slides/slide1.xml', 'slides/slideX.xml'), 'latin1');
    expect((await readWith(new PptxReader(), listed)).report?.parts[0]).toEqual({
      ...{ kind: 'SLIDE', counted: 2, read: 1 },
      leftOut: [{ reason: 'DAMAGED', count: 1 }],
    });
  });

  it('sheets and slides of OpenDocument are counted', async () => {
    const table =
      '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>';
    const slides =
      '<draw:page><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page><draw:page/>';
    const reports = [
      await readWith(new OpenDocumentReader(), openDocumentFile('spreadsheet', table + table)),
      await readWith(new OpenDocumentReader(), openDocumentFile('presentation', slides)),
    ];
    expect(reports.flatMap(({ report }) => report?.parts ?? [])).toEqual([
      { kind: 'SHEET', counted: 2, read: 2, leftOut: [] },
      { kind: 'SLIDE', counted: 2, read: 1, leftOut: [{ reason: 'NO_TEXT', count: 1 }] },
    ]);
  });

  it('sheets of dialogs and macros are left out as unsupported, not damaged', async () => {
    const sheets = ['worksheet', 'dialogsheet', 'xlMacrosheet'].map((kind) => ({
      name: kind,
      kind,
      rows: xlsxRow(1, 'x'),
    }));
    const lost = { name: 'lost', target: 'absent.xml', rows: '' };
    const { report } = await readWith(new XlsxReader(), xlsxFile([...sheets, lost]));
    const leftOut = [
      { reason: 'UNSUPPORTED', count: 2 },
      { reason: 'DAMAGED', count: 1 },
    ];
    expect(report?.parts).toEqual([{ kind: 'SHEET', counted: 4, read: 1, leftOut }]);
  });
});
