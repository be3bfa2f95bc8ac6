import { utils, write } from '@e965/xlsx';
import { compoundFile } from './compound-file';
import { CompoundStreams } from '../../src/readers/archive';

const FIB = 0x400;
const PAGE = 512;
/** Stands for the end of a table row in the text of a document. */
const ROW_END = '\u000e';

/** A row of a table in the text of an old Word document. */
export const docRow = (...cells: string[]): string => `${cells.map((cell) => `${cell}\u0007`).join('')}${ROW_END}`;

export interface DocContent {
  /** Paragraphs end with `\r`. */
  readonly body: string;
  readonly footnotes?: string;
  readonly header?: string;
  readonly footer?: string;
  readonly comments?: string;
  /** Changes the header of the file and its table stream. */
  readonly change?: (main: Buffer, table: Buffer) => void;
}

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
};

/** Property page with one run a character that ends a row, which is all that it says. */
const rowEndPage = (places: readonly number[], textAt: number): Buffer => {
  const page = Buffer.alloc(PAGE);
  const bounds = places.flatMap((place) => [textAt + place * 2, textAt + place * 2 + 2]);
  const runs = Math.max(1, bounds.length - 1);
  bounds.forEach((bound, index) => page.writeUInt32LE(bound, index * 4));
  // Every second run lies between two row ends: it refers to properties without a mark.
  [
    [0x11, 0x24, 0x00],
    [0x17, 0x24, 0x01],
  ].forEach((mark, index) => {
    page.set([3, 0, 0, ...mark, 0], 400 + index * 16);
  });
  for (let run = 0; run < runs; run += 1) page[(runs + 1) * 4 + run * 13] = (400 + (run % 2 === 0 ? 16 : 0)) / 2;
  page[PAGE - 1] = places.length === 0 ? 0 : runs;
  return page;
};

/** A text document of Word 97. */
export const docFile = ({
  body,
  footnotes = '',
  header = '',
  footer = '',
  comments = '',
  change,
}: DocContent): Buffer => {
  const stories = ['', '', '', '', '', '', '', header, '', footer, '', ''].map((text) =>
    text === '' ? '' : `${text}\r`,
  );
  const headers = header === '' && footer === '' ? '' : `${stories.join('')}\r`;
  const marked = `${body}\r${footnotes === '' ? '' : `${footnotes}\r`}${headers}${comments === '' ? '' : `${comments}\r`}\r`;
  const rowEnds = [...marked.matchAll(new RegExp(ROW_END, 'g'))].map(({ index }) => index);
  const text = Buffer.from(marked.replaceAll(ROW_END, '\u0007'), 'utf16le');
  const main = Buffer.alloc(Math.max(8_192, FIB + PAGE + text.length));
  text.copy(main, FIB + PAGE);
  rowEndPage(rowEnds, FIB + PAGE).copy(main, FIB);

  const bounds = stories.reduce<number[]>((all, story) => [...all, (all.at(-1) ?? 0) + story.length], [0]);
  const pieces = Buffer.concat([
    numbers(0, marked.length),
    Buffer.from([0, 0]),
    numbers(FIB + PAGE),
    Buffer.from([0, 0]),
  ]);
  const parts = [
    Buffer.concat([Buffer.from([2]), numbers(pieces.length), pieces]),
    headers === '' ? Buffer.alloc(0) : numbers(...bounds),
    numbers(FIB + PAGE, FIB + PAGE + text.length, FIB / PAGE),
  ];
  const table = Buffer.alloc(4_096);
  let at = 0;
  const places = parts.map((part) => {
    const place = at;
    part.copy(table, place);
    at += part.length;
    return [place, part.length] as const;
  });
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0x0200, 10);
  main.writeUInt32LE(FIB + PAGE, 0x18);
  [
    body.length + 1,
    footnotes === '' ? 0 : footnotes.length + 1,
    headers.length,
    0,
    comments === '' ? 0 : comments.length + 1,
  ].forEach((length, index) => main.writeUInt32LE(length, 0x4c + index * 4));
  [0x1a2, 0xf2, 0x102].forEach((field, index) => {
    main.writeUInt32LE(places[index]?.[0] ?? 0, field);
    main.writeUInt32LE(places[index]?.[1] ?? 0, field + 4);
  });
  change?.(main, table);
  return compoundFile({ WordDocument: main, '1Table': table });
};

const PROPERTIES_AT = 4_096;

/** Gives words of a text their property of characters, such as the one for hidden text. */
export const markedRuns =
  (body: string, properties: Readonly<Record<string, number>>) =>
  (main: Buffer, table: Buffer): void => {
    const textAt = FIB + PAGE;
    const page = main.subarray(PROPERTIES_AT, PROPERTIES_AT + PAGE);
    const words = Object.keys(properties).map((word) => ({ word, at: body.indexOf(word) }));
    const bounds = [0, ...words.flatMap(({ word, at }) => [at, at + word.length]), body.length];
    const runs = bounds.length - 1;
    bounds.forEach((bound, index) => page.writeUInt32LE(textAt + bound * 2, index * 4));
    words.forEach(({ word }, index) => {
      const at = 300 + index * 10;
      const property = properties[word] ?? 0;
      page[(runs + 1) * 4 + index * 2 + 1] = at / 2;
      page[at] = property >> 13 === 2 ? 4 : 3;
      page.writeUInt16LE(property, at + 1);
      page[at + 3] = 1;
    });
    page[PAGE - 1] = runs;
    const listAt = 2_048;
    numbers(textAt, textAt + body.length * 2, PROPERTIES_AT / PAGE).copy(table, listAt);
    main.writeUInt32LE(listAt, 0xfa);
    main.writeUInt32LE(12, 0xfe);
  };

/** A workbook of Excel 97, or in the binary form of Excel 2007. */
export const xlsFile = (
  rows: readonly (readonly (string | number)[])[],
  {
    kind = 'biff8',
    formats = {},
    notes = {},
    errors = {},
  }: {
    kind?: 'biff8' | 'biff5' | 'biff2' | 'xlsb' | 'xlml';
    formats?: Readonly<Record<string, string>>;
    notes?: Readonly<Record<string, string>>;
    /** Codes of errors, by the cell that has one. */
    errors?: Readonly<Record<string, number>>;
  } = {},
): Buffer => {
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  const cellAt = (reference: string): { z?: string; c?: { a: string; t: string }[] } => sheet[reference] as object;
  for (const [reference, code] of Object.entries(formats)) cellAt(reference).z = code;
  for (const [reference, text] of Object.entries(notes)) cellAt(reference).c = [{ a: 'Ana', t: text }];
  for (const [reference, code] of Object.entries(errors)) sheet[reference] = { t: 'e', v: code };
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Hoja');
  return Buffer.from(write(book, { type: 'buffer', bookType: kind }) as Buffer);
};

/** A record of a workbook of Excel 97. */
export const xlsRecord = (type: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
};

const SHEET_RECORD = 0x85;

/** A workbook of Excel 97 with further records at the beginning of its only sheet. */
export const withRecords = (workbook: Buffer, records: readonly Buffer[]): Buffer => {
  const stream = new CompoundStreams(workbook).get('Workbook') ?? Buffer.alloc(0);
  let at = 0;
  while (stream.readUInt16LE(at) !== SHEET_RECORD) at += 4 + stream.readUInt16LE(at + 2);
  const sheet = stream.readUInt32LE(at + 4);
  const inside = sheet + 4 + stream.readUInt16LE(sheet + 2);
  return compoundFile({ Workbook: Buffer.concat([stream.subarray(0, inside), ...records, stream.subarray(inside)]) });
};

export interface PptRecordOptions {
  readonly instance?: number;
  readonly container?: boolean;
}

/** A record of a presentation before 2007. */
export const pptRecord = (
  type: number,
  body: Buffer | readonly Buffer[],
  { instance = 0, container = false }: PptRecordOptions = {},
): Buffer => {
  const content = Buffer.isBuffer(body) ? body : Buffer.concat(body);
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (container ? 15 : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
};

const box = (type: number, body: readonly Buffer[], instance = 0): Buffer =>
  pptRecord(type, body, { container: true, instance });

/** A text of a slide, with the type of its header: 0 a title, 1 a body. */
export const pptText = (text: string, type = 1): Buffer =>
  Buffer.concat([
    pptRecord(3_999, numbers(type)),
    /^[\u0000-\u00ff]*$/.test(text)
      ? pptRecord(4_008, Buffer.from(text, 'latin1'))
      : pptRecord(4_000, Buffer.from(text, 'utf16le')),
  ]);

/** A shape with texts. @param placeholder kind that it fills, such as 8 for the number of the slide */
export const pptShape = (texts: readonly Buffer[], placeholder?: number): Buffer =>
  box(0xf004, [
    ...(placeholder === undefined ? [] : [pptRecord(3_011, Buffer.from([0, 0, 0, 0, placeholder, 0, 0, 0]))]),
    box(0xf00d, texts),
  ]);

export interface PptSlideContent {
  readonly shapes: readonly Buffer[];
  /** Texts that the document lists for the slide. */
  readonly outline?: readonly Buffer[];
  readonly notes?: string;
  readonly comment?: string;
}

export interface PptExtras {
  readonly footer?: string;
  readonly encrypted?: boolean;
  /** Changes the stream of the presentation. */
  readonly change?: (stream: Buffer) => Buffer;
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** A presentation of PowerPoint 97. */
export const pptFile = (
  slides: readonly PptSlideContent[],
  { footer, encrypted = false, change }: PptExtras = {},
): Buffer => {
  const noteIds = slides.map(({ notes }, index) => (notes === undefined ? 0 : 300 + index));
  const persist = (id: number, slideId: number): Buffer => pptRecord(1_011, numbers(id, 0, 0, slideId, 0));
  const lists = [
    box(
      4_080,
      slides.flatMap(({ outline = [] }, index) => [persist(2 + index, 256 + index), ...outline]),
    ),
    box(
      4_080,
      noteIds.flatMap((id, index) => (id === 0 ? [] : [persist(100 + index, id)])),
      2,
    ),
  ];
  const running = footer === undefined ? [] : [box(4_057, [pptRecord(4_026, wide(footer), { instance: 2 })], 3)];
  const objects: (readonly [number, Buffer])[] = [[1, box(1_000, [...lists, ...running])]];
  slides.forEach(({ shapes, notes, comment }, index) => {
    const remarks =
      comment === undefined
        ? []
        : [box(12_000, [pptRecord(4_026, wide('Ana')), pptRecord(4_026, wide(comment), { instance: 1 })])];
    const atom = pptRecord(1_007, numbers(0, 0, 0, 0, noteIds[index] ?? 0, 0));
    objects.push([2 + index, box(1_006, [atom, box(0xf002, shapes), ...remarks])]);
    if (notes !== undefined) objects.push([100 + index, box(1_008, [box(0xf002, [pptShape([pptText(notes)])])])]);
  });
  let at = 0;
  const entries = objects.map(([id, record]) => {
    const entry = numbers(id | (1 << 20), at);
    at += record.length;
    return entry;
  });
  const directory = pptRecord(6_002, entries);
  const edit = pptRecord(4_085, numbers(0, 0, 0, at, 1, 0, 0));
  const stream = Buffer.concat([...objects.map(([, record]) => record), directory, edit]);
  const user = Buffer.concat([
    Buffer.alloc(8),
    numbers(20, encrypted ? 0xf3d1c4df : 0xe391c05f, at + directory.length),
    Buffer.alloc(8),
  ]);
  return compoundFile({ 'PowerPoint Document': change?.(stream) ?? stream, 'Current User': user });
};
