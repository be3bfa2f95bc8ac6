import { DamagedFile, LimitExceeded, NoTextFound, PasswordProtected, UnreadableText } from '../src/errors';
import type { Extraction, PictureOfText, ReadLimits, Recogniser } from '../src/reader';
import { PdfReader } from '../src/readers/pdf';
import { column, type DrawnPage, pdfFile, textPage } from './support/pdf-file';
import { headingsOf, pagesOf, ROOMY } from './support/reading';

const reader = new PdfReader();

const read = async (
  bytes: Buffer,
  { limits = {}, recogniser = null }: { limits?: Partial<ReadLimits>; recogniser?: Recogniser | null } = {},
): Promise<Extraction> => {
  const file = await reader.open({ name: 'a.pdf', bytes }, { limits: { ...ROOMY, ...limits }, recogniser });
  try {
    const pages = [];
    for (let number = 1; number <= file.pageCount; number += 1) pages.push(await file.page(number));
    return { document: reader.assemble(pages, file.facts), attachments: file.attachments };
  } finally {
    file.close();
  }
};

const textOf = async (...pages: DrawnPage[]): Promise<string> => (await read(pdfFile(pages))).document.text;

/** A picture that covers the page, of one grey dot. */
const DOT = 'q 595 0 0 842 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q';

const recogniserOf = (text: string, pictures: PictureOfText[] = []): Recogniser => ({
  recognise: (picture) => {
    pictures.push(picture);
    return Promise.resolve(text);
  },
});

describe('what a PDF has besides the text of its pages', () => {
  it('notes follow the text of their page, hidden ones and repeated texts do not', async () => {
    const notes = [
      { kind: 'Text', contents: 'Falta la firma' },
      { kind: 'Highlight', contents: 'vence en mayo' },
      { kind: 'FreeText', contents: 'Sello de entrada' },
      { kind: 'Text', contents: 'borrada', isHidden: true },
    ] as const;
    const page = { ...textPage('La póliza vence en mayo.'), notes };
    expect(await textOf(page)).toBe('La póliza vence en mayo.\n\nFalta la firma\n\nSello de entrada');
  });
  it('entries of its table of contents are headings, shown on their page or not', async () => {
    const bookmarks = [
      { title: 'Objeto', page: 0 },
      { title: 'Anexo fotográfico', page: 1 },
    ];
    const pages = [textPage('1. Objeto', '', 'El objeto es la obra.'), textPage('Vista del muro.')];
    const { document } = await read(
      pdfFile(
        [
          { texts: [...column(['1. Objeto']), ...column(['El objeto es la obra.'], { y: 160 })] },
          pages[1] ?? textPage(),
        ],
        { bookmarks },
      ),
    );
    expect(headingsOf(document)).toEqual(['1 1. Objeto', '1 Anexo fotográfico']);
    expect(pagesOf(document)[1]).toBe('2: Anexo fotográfico\n\nVista del muro.');
  });
  it('a table of contents that leads in a circle ends', async () => {
    const bookmarks = ['a', 'b'].map((title) => ({ title, page: 0 }));
    const { document } = await read(pdfFile([textPage('texto')], { bookmarks, bookmarksLoop: true }));
    expect(headingsOf(document)).toEqual(['1 a', '1 b']);
  });
});

describe('a PDF whose fonts do not name their letters', () => {
  const sentence =
    'El informe de la presa recomienda revisar las compuertas antes del deshielo, limpiar los canales de la vega y avisar a los vecinos de cada turno';
  const unnamed: DrawnPage = { texts: [{ text: sentence, x: 50, y: 100, isUnnamed: true }] };

  it('is refused with that reason where nothing recognises it', async () => {
    await expect(read(pdfFile([unnamed]))).rejects.toThrow(UnreadableText);
  });
  it('is read by a recogniser', async () => {
    const { document } = await read(pdfFile([unnamed]), { recogniser: recogniserOf(sentence) });
    expect(document.text).toBe(sentence);
  });
  it('has the text of its other pages', async () => {
    expect(await textOf(unnamed, textPage('La otra página se lee.'))).toBe('La otra página se lee.');
  });
  it('is read where its letters make words all the same', async () => {
    const moved = [...sentence].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 29)).join('');
    expect(await textOf({ texts: [{ text: moved, x: 50, y: 100, isUnnamed: true }] })).toBe(sentence);
  });
});

describe('a PDF', () => {
  it('a PDF gives its text page by page', async () => {
    const { document } = await read(pdfFile([textPage('La póliza vence en mayo.'), textPage('Segunda página.')]));
    expect(pagesOf(document)).toEqual(['1: La póliza vence en mayo.', '2: Segunda página.']);
  });
  it('a PDF gives its author, title and date of change', async () => {
    const facts = { title: 'Informe', author: 'Ana Gil', modified: "D:20240131130000+01'00'" };
    const { document } = await read(pdfFile([textPage('texto')], facts));
    expect(document).toMatchObject({ title: 'Informe', author: 'Ana Gil', date: '2024-01-31T12:00:00.000Z' });
  });
  it('a file name as title is ignored', async () => {
    const { document } = await read(pdfFile([textPage('Acta de la junta')], { title: 'Microsoft Word - acta.doc' }));
    expect(document.title).toBe('Acta de la junta');
  });
  it('embedded files are returned', async () => {
    const bytes = Buffer.from('cuenta;importe');
    const { attachments } = await read(pdfFile([textPage('texto')], { attachments: [{ name: 'datos.csv', bytes }] }));
    expect(attachments).toEqual([{ name: 'datos.csv', bytes }]);
  });
  it('columns are read one after the other, below their header', async () => {
    const left = [
      'The first column begins here with',
      'lines that fill it from one edge to',
      'the other one and it ends there.',
    ];
    const right = [
      'After it comes the second column',
      'which stands beside the first and',
      'is read only when that has ended.',
    ];
    // The file itself is written row by row, as by programs that recognise text.
    const rows = left.flatMap((line, row) => [
      ...column([line], { x: 50, y: 120 + row * 12 }),
      ...column([right[row] ?? ''], { x: 310, y: 120 + row * 12 }),
    ]);
    const heading = { text: 'A title that stands across the whole of this page', x: 50, y: 90, size: 18 };
    expect(await textOf({ texts: [heading, ...rows] })).toBe(
      `${heading.text}\n\n${left.join(' ')}\n\n${right.join(' ')}`,
    );
  });
  it('a table is read row by row', async () => {
    const rows = [1, 2, 3, 4].flatMap((row) => [
      { text: `Partida ${row}`, x: 50, y: 100 + row * 14 },
      { text: `${row}00,00`, x: 300, y: 100 + row * 14 },
    ]);
    expect(await textOf({ texts: rows })).toContain('Partida 2 200,00\n\nPartida 3 300,00');
  });
  it('vertical text and a rotated page are read', async () => {
    const texts = ['Una línea que sube', 'y la que sigue.'].map((text, row) => ({
      text,
      x: 300 + row * 12,
      y: 500,
      turns: 1,
    }));
    expect(await textOf({ texts }, { texts, turns: 1 })).toBe(
      'Una línea que sube y la que sigue.\n\nUna línea que sube y la que sigue.',
    );
  });
  it('a drawn gap becomes a space', async () => {
    const texts = [
      { text: 'gas', x: 50, y: 100 },
      { text: 'natural', x: 70, y: 100 },
    ];
    expect(await textOf({ texts })).toBe('gas natural');
  });
  it('filled-in fields are read at their position', async () => {
    const texts = [
      { text: 'Nombre:', x: 50, y: 100 },
      { text: 'Firma:', x: 50, y: 130 },
    ];
    expect(await textOf({ texts, fields: [{ text: 'Ana Gil', x: 95, y: 100 }] })).toBe('Nombre: Ana Gil\n\nFirma:');
  });
  it('pages are read one by one, in any order', async () => {
    const pages = Array.from({ length: 300 }, (_, index) => textPage(`Contenido de la hoja ${index + 1}.`));
    const file = await reader.open({ name: 'a.pdf', bytes: pdfFile(pages) }, { limits: ROOMY, recogniser: null });
    const texts = [];
    for (const number of [300, 1, 151, 1]) texts.push((await file.page(number)).lines.map(({ text }) => text));
    file.close();
    file.close();
    expect(texts.flat()).toEqual([300, 1, 151, 1].map((number) => `Contenido de la hoja ${number}.`));
  });
  it('headings are detected by size and weight', async () => {
    const texts = [
      { text: 'Contrato de obra', x: 50, y: 60, size: 20 },
      { text: 'Primera parte', x: 50, y: 100, size: 14 },
      ...column(['Las partes acuerdan lo que sigue en este', 'contrato, que consta de dos cláusulas.'], { y: 130 }),
      { text: 'Objeto', x: 50, y: 180, bold: true },
      ...column(['La obra se describe en el anexo primero.'], { y: 200 }),
    ];
    const { document } = await read(pdfFile([{ texts }]));
    expect(headingsOf(document)).toEqual(['1 Contrato de obra', '2 Primera parte', '3 Objeto']);
  });
});

describe('a PDF that cannot be read', () => {
  it.each([
    ['needs a password', pdfFile([textPage('x')], { locked: true }), PasswordProtected],
    ['is cut off', pdfFile([textPage('x')]).subarray(0, 60), DamagedFile],
    ['is something else', Buffer.from('no soy un PDF'), DamagedFile],
    ['is empty', Buffer.alloc(0), DamagedFile],
  ])('a PDF that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(read(bytes)).rejects.toThrow(refusal);
  });
  it('a PDF with empty pages is refused with its reason', async () => {
    await expect(read(pdfFile([{ texts: [] }, { texts: [] }]))).rejects.toThrow(NoTextFound);
  });
  it('a PDF beyond a limit is refused with its reason', async () => {
    const file = pdfFile([textPage('uno'), textPage('dos')], { attachments: [{ name: 'a', bytes: Buffer.alloc(50) }] });
    await expect(read(file, { limits: { pages: 1 } })).rejects.toThrow(LimitExceeded);
    await expect(read(file, { limits: { characters: 5 } })).rejects.toThrow(LimitExceeded);
    await expect(read(file, { limits: { inflatedBytes: 49 } })).rejects.toThrow(LimitExceeded);
    await expect(read(file, { limits: { entries: 0 } })).rejects.toThrow(LimitExceeded);
  });
});

describe('a page that is a picture', () => {
  it('a scanned page is recognised, and its lines become paragraphs', async () => {
    const pictures: PictureOfText[] = [];
    const recogniser = recogniserOf('Factura núm. 12\n\nTotal a pa-\ngar: 30\n', pictures);
    const { document } = await read(pdfFile([{ texts: [], drawing: DOT }, textPage('con texto')]), { recogniser });
    expect(pagesOf(document)).toEqual(['1: Factura núm. 12\n\nTotal a pagar: 30', '2: con texto']);
    expect(pictures).toMatchObject([{ kind: 'png', dotsPerInch: 300 }]);
  });
  it('a page is rendered within the pixel limit', async () => {
    const pictures: PictureOfText[] = [];
    const recogniser = recogniserOf('texto', pictures);
    await read(pdfFile([{ texts: [], drawing: DOT }]), { recogniser, limits: { pixels: 1_000_000 } });
    const [picture] = pictures;
    expect(picture?.dotsPerInch).toBe(101);
    const [width, height] = [picture?.bytes.readUInt32BE(16) ?? 0, picture?.bytes.readUInt32BE(20) ?? 0];
    expect(width * height).toBeGreaterThan(900_000);
    expect(width * height).toBeLessThan(1_010_000);
  });
  it('a scanned page with enough text keeps that text', async () => {
    const lines = [
      'This page was scanned, and a program has written',
      'under the picture what it saw there, all of it.',
    ];
    const recogniser = recogniserOf('something else that is much longer '.repeat(20));
    const { document } = await read(pdfFile([{ texts: column(lines), drawing: DOT }]), { recogniser });
    expect(document.text).toBe(lines.join(' '));
  });
  it('a scanned page without recogniser gives only its stamp', async () => {
    const { document } = await read(pdfFile([{ texts: column(['ENTRADA 123']), drawing: DOT }]));
    expect(document.text).toBe('ENTRADA 123');
  });
  it('a blank page is not rendered', async () => {
    const pictures: PictureOfText[] = [];
    await read(pdfFile([{ texts: [] }, textPage('texto')]), { recogniser: recogniserOf('x', pictures) });
    expect(pictures).toEqual([]);
  });
});
