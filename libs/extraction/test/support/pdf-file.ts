/** A piece of text on a page: its place is in points from the upper left corner, at its base line. */
export interface DrawnText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** 10 points by default. */
  readonly size?: number;
  readonly bold?: boolean;
  /** Quarter turns against the clock. */
  readonly turns?: number;
  /** Drawn by the numbers of glyphs of a font that does not name them: letters come out moved. */
  readonly isUnnamed?: boolean;
}

/** An annotation of a page. */
export interface PdfNote {
  readonly kind: 'Text' | 'Highlight' | 'FreeText';
  readonly contents: string;
  readonly isHidden?: boolean;
}

export interface DrawnPage {
  readonly texts: readonly DrawnText[];
  /** Quarter turns of the page itself, with the clock. */
  readonly turns?: number;
  /** Operators that are drawn before the texts. */
  readonly drawing?: string;
  /** Content of the form fields of the page. */
  readonly fields?: readonly DrawnText[];
  readonly notes?: readonly PdfNote[];
}

export interface PdfFacts {
  readonly title?: string;
  readonly author?: string;
  /** As PDF writes it: `D:20240131120000Z`. */
  readonly modified?: string;
  readonly created?: string;
  readonly attachments?: readonly { readonly name: string; readonly bytes: Buffer }[];
  /** Entries of the table of contents, with the page that they lead to, from 0. */
  readonly bookmarks?: readonly { readonly title: string; readonly page: number }[];
  /** The last entry is followed by the first one. */
  readonly bookmarksLoop?: boolean;
  /** Packets of a form (XFA) by their names, which programs build for display. */
  readonly form?: Readonly<Record<string, string>>;
  /** Whether the form is only drawn over pages that show it. */
  readonly isFormDrawn?: boolean;
  /** An encryption dictionary with an unknown password. */
  readonly locked?: boolean;
}

/** Size of every page in points: A4. */
export const PAGE = { width: 595, height: 842 };

const escaped = (text: string): string => text.replace(/[\\()]/g, (character) => `\\${character}`);

const turned = ['1 0 0 1', '0 1 -1 0', '-1 0 0 -1', '0 -1 1 0'];

/** Numbers of glyphs in the order of most fonts: those of letters are 29 less than their codes. */
const glyphs = (text: string): string =>
  [...text].map((letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('');

const drawn = ({ text, x, y, size = 10, bold = false, turns = 0, isUnnamed = false }: DrawnText): string => {
  const shown = isUnnamed ? `<${glyphs(text)}>` : `(${escaped(text)})`;
  const font = isUnnamed ? 'U' : bold ? 'B' : 'R';
  return `BT /${font} ${size} Tf ${turned[turns] ?? turned[0]} ${x} ${PAGE.height - y} Tm ${shown} Tj ET\n`;
};

const stream = (content: Buffer, entries = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

/** Objects are numbered in the order in which they are added, from 1. */
class Objects {
  private readonly bodies: Buffer[] = [];

  add(body: string | Buffer): number {
    this.bodies.push(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'));
    return this.bodies.length;
  }

  file(trailer: string): Buffer {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
    let length = parts[0]?.length ?? 0;
    const places = this.bodies.map((body, index) => {
      const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      parts.push(whole);
      length += whole.length;
      return `${String(length - whole.length).padStart(10, '0')} 00000 n \n`;
    });
    const size = places.length + 1;
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
    const end = `${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
    return Buffer.concat([...parts, Buffer.from(end)]);
  }
}

/** A field of a form that shows its value. */
const field = (objects: Objects, fonts: string, { text, x, y, size = 10 }: DrawnText): number => {
  const value = Buffer.from(`/Tx BMC BT /R ${size} Tf 2 4 Td (${escaped(text)}) Tj ET EMC`, 'latin1');
  const form = `/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font ${fonts} >>`;
  const look = objects.add(stream(value, form));
  const [left, bottom] = [x - 2, PAGE.height - y - 4];
  const place = `/Rect [${left} ${bottom} ${left + 300} ${bottom + 20}] /F 4`;
  return objects.add(
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (${escaped(text)}) ${place} /AP << /N ${look} 0 R >> >>`,
  );
};

const annotation = (objects: Objects, { kind, contents, isHidden = false }: PdfNote): number =>
  objects.add(
    `<< /Type /Annot /Subtype /${kind} /Rect [50 50 70 70] /F ${isHidden ? 2 : 4} /Contents (${escaped(contents)}) >>`,
  );

/** A table of contents of one level. */
const outlines = (
  objects: Objects,
  kids: readonly number[],
  { bookmarks = [], bookmarksLoop = false }: PdfFacts,
): string => {
  if (bookmarks.length === 0) return '';
  const root = objects.add('null') + bookmarks.length + 1;
  bookmarks.forEach(({ title, page }, index) => {
    const first = root - bookmarks.length;
    const next = index + 1 < bookmarks.length ? first + index + 1 : bookmarksLoop ? first : 0;
    const after = next === 0 ? '' : `/Next ${next} 0 R`;
    objects.add(`<< /Title (${escaped(title)}) /Parent ${root} 0 R /Dest [${kids[page] ?? 0} 0 R /Fit] ${after} >>`);
  });
  const first = root - bookmarks.length;
  objects.add(`<< /Type /Outlines /First ${first} 0 R /Last ${root - 1} 0 R /Count ${bookmarks.length} >>`);
  return `/Outlines ${root} 0 R`;
};

const literal = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `/${name} (${escaped(value)}) `;

const embedded = (objects: Objects, attachments: PdfFacts['attachments'] = []): string => {
  if (attachments.length === 0) return '';
  const names = attachments.map(({ name, bytes }) => {
    const content = objects.add(stream(bytes, '/Type /EmbeddedFile'));
    const entry = objects.add(
      `<< /Type /Filespec /F (${escaped(name)}) /UF (${escaped(name)}) /EF << /F ${content} 0 R >> >>`,
    );
    return `(${escaped(name)}) ${entry} 0 R`;
  });
  return `/Names << /EmbeddedFiles << /Names [ ${names.join(' ')} ] >> >>`;
};

const formOf = (objects: Objects, { form, isFormDrawn = false }: PdfFacts): string => {
  if (form === undefined) return '';
  const packets = Object.entries(form).map(
    ([name, content]) => `(${escaped(name)}) ${objects.add(stream(Buffer.from(content)))} 0 R`,
  );
  return `/AcroForm << /Fields [] /XFA [ ${packets.join(' ')} ] >> /NeedsRendering ${isFormDrawn ? 'false' : 'true'}`;
};

const LOCK = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>`;

/** A PDF of pages with text in Helvetica, and in its bold. Only characters of Latin-1 can be drawn. */
export const pdfFile = (pages: readonly DrawnPage[], facts: PdfFacts = {}): Buffer => {
  const objects = new Objects();
  const font = (name: string): number =>
    objects.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const glyphFont = objects.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAB+Tipo /DW 600 /CIDToGIDMap /Identity
     /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`,
  );
  const unnamed = objects.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAB+Tipo /Encoding /Identity-H /DescendantFonts [${glyphFont} 0 R] >>`,
  );
  const fonts = `<< /R ${font('Helvetica')} 0 R /B ${font('Helvetica-Bold')} 0 R /U ${unnamed} 0 R >>`;
  const sizeOf = ({ fields = [], notes = [] }: DrawnPage): number => 2 + fields.length * 2 + notes.length;
  const tree = objects.add('null') + pages.reduce((sum, page) => sum + sizeOf(page), 1);
  const kids = pages.map(({ texts, turns = 0, drawing = '', fields = [], notes: remarks = [] }) => {
    const shown = fields.map((one) => field(objects, fonts, one));
    const notes = [...shown, ...remarks.map((one) => annotation(objects, one))].map((one) => `${one} 0 R`).join(' ');
    const content = objects.add(stream(Buffer.from(`${drawing}\n${texts.map(drawn).join('')}`, 'latin1')));
    const box = `/MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Rotate ${turns * 90} /Annots [ ${notes} ]`;
    return objects.add(
      `<< /Type /Page /Parent ${tree} 0 R ${box} /Resources << /Font ${fonts} >> /Contents ${content} 0 R >>`,
    );
  });
  objects.add(`<< /Type /Pages /Count ${kids.length} /Kids [ ${kids.map((kid) => `${kid} 0 R`).join(' ')} ] >>`);
  const contents = outlines(objects, kids, facts);
  const catalogue = objects.add(
    `<< /Type /Catalog /Pages ${tree} 0 R ${contents} ${embedded(objects, facts.attachments)} ${formOf(objects, facts)} >>`,
  );
  const { title, author, modified, created } = facts;
  const information = `${literal('Title', title)}${literal('Author', author)}${literal('ModDate', modified)}${literal('CreationDate', created)}`;
  const info = objects.add(`<< ${information} >>`);
  const lock = facts.locked === true ? `/Encrypt ${objects.add(LOCK)} 0 R /ID [ <00> <00> ]` : '';
  return objects.file(`/Root ${catalogue} 0 R /Info ${info} 0 R ${lock}`);
};

/** Lines below each other, as a column of running text. */
export const column = (
  lines: readonly string[],
  { x = 50, y = 100, size = 10, leading = 12 }: { x?: number; y?: number; size?: number; leading?: number } = {},
): DrawnText[] => lines.map((text, index) => ({ text, x, y: y + index * leading, size }));

/** A page of one column. */
export const textPage = (...lines: string[]): DrawnPage => ({ texts: column(lines) });
