import { LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';
import type { XmlElement } from '../archive';
import type { OfficePackage } from './office-package';
import { unescaped } from './escapes';
import { builtInCodes, LONGEST_CODE } from './format-code';
import { isRare, type NumberFormat, numberFormatOf, type RareFormats, textFormatOf } from './number-format';

export interface Sheet {
  readonly name: string;
  readonly part: string;
  /** A sheet that shows one chart and has no cells. */
  readonly isChart: boolean;
}

/** Shared parts of the sheets of a workbook. */
export interface Workbook {
  /** The sheets that are read. */
  readonly sheets: readonly Sheet[];
  /** All sheets that the workbook lists, and those of them that only programs can show. */
  readonly counted: number;
  readonly hidden: number;
  /** Sheets of dialogs and macros. */
  readonly unsupported: number;
  readonly strings: readonly string[];
  /** A figure as a cell of this style shows it. */
  format(style: number, value: number): string;
  /** A text as a cell of this style shows it. */
  formatText(style: number, text: string): string;
}

const SHEETS = ['worksheet', 'chartsheet'];
/** Phonetic hints are not text of a cell. */
const SKIPPED = new Set(['s:rPh', 's:phoneticPr']);

const readStrings = async (office: OfficePackage, part: string | undefined, limits: ReadLimits): Promise<string[]> => {
  const strings: string[] = [];
  if (part === undefined || !office.has(part)) return strings;
  let [current, inText, size] = ['', false, 0];
  const opened = new Map<string, () => void>([
    ['s:si', () => (current = '')],
    ['s:t', () => (inText = true)],
  ]);
  const closed = new Map<string, () => void>([
    ['s:si', () => strings.push(unescaped(current))],
    ['s:t', () => (inText = false)],
  ]);
  const text = (piece: string): void => {
    if (!inText) return;
    current += piece;
    size += piece.length;
    if (size > limits.characters) throw new LimitExceeded('characters of text', limits.characters);
  };
  await office.walk(part, { opened, closed, text, skipped: SKIPPED });
  return strings;
};

interface StyleFormat {
  readonly id: number;
  readonly code: string | undefined;
}

const codeOf = (element: XmlElement): string => (element.get('formatCode') ?? '').slice(0, LONGEST_CODE);

const readFormats = async (office: OfficePackage, part: string | undefined): Promise<StyleFormat[]> => {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  if (part === undefined || !office.has(part)) return [];
  let inCells = false;
  const opened = new Map<string, (element: XmlElement) => void>([
    ['s:numFmt', (element) => codes.set(element.count('numFmtId') ?? 0, codeOf(element))],
    ['s:cellXfs', () => (inCells = true)],
    ['s:xf', (element) => inCells && formats.push(element.count('numFmtId') ?? 0)],
  ]);
  await office.walk(part, { opened, closed: new Map([['s:cellXfs', () => (inCells = false)]]) });
  return formats.map((id) => ({ id, code: codes.get(id) }));
};

/** The library for rare formats is loaded for a workbook that has one. */
const rareFormatsFor = async (formats: readonly StyleFormat[]): Promise<RareFormats | null> => {
  const hasRare = formats.some(({ id, code }) => isRare(code ?? builtInCodes.get(id) ?? ''));
  return hasRare ? (await import('./sheetjs/index.js')).rareFormats : null;
};

/** Writes texts by the style of their cell; few styles change them. */
const textFormatter = (formats: readonly StyleFormat[]): Workbook['formatText'] => {
  const compiled = formats.map(({ code }) => textFormatOf(code));
  return (style, text) => compiled[style]?.(text) ?? text;
};

/** Writes figures by the style of their cell; each style is compiled at its first figure. */
const formatter = (
  formats: readonly StyleFormat[],
  settings: { readonly in1904: boolean; readonly rare: RareFormats | null },
): Workbook['format'] => {
  const compiled: (NumberFormat | undefined)[] = [];
  return (style, value) => {
    const { id, code } = formats[style] ?? { id: 0, code: undefined };
    const format = (compiled[style] ??= numberFormatOf(id, code, settings));
    return format(value);
  };
};

/** Reads visible and hidden sheets; `veryHidden` sheets contain internal data of programs. */
export const readWorkbook = async (office: OfficePackage, main: string, limits: ReadLimits): Promise<Workbook> => {
  const relations = await office.relations(main);
  const partOf = (wanted: string): string | undefined => relations.find(({ kind }) => kind === wanted)?.part;
  const targets = new Map(relations.map((relation) => [relation.id, relation]));
  const sheets: Sheet[] = [];
  let [in1904, counted, hidden, unsupported] = [false, 0, 0, 0];
  const addSheet = (element: XmlElement): void => {
    const target = targets.get(element.get('r:id') ?? '');
    counted += 1;
    if (element.get('state') === 'veryHidden') hidden += 1;
    else if (target !== undefined && !SHEETS.includes(target.kind)) unsupported += 1;
    else if (target !== undefined && office.has(target.part))
      sheets.push({ name: element.get('name') ?? '', part: target.part, isChart: target.kind === 'chartsheet' });
  };
  const opened = new Map<string, (element: XmlElement) => void>([
    ['s:workbookPr', (element) => (in1904 = ['1', 'true'].includes(element.get('date1904') ?? ''))],
    ['s:sheet', addSheet],
  ]);
  await office.walk(main, { opened });
  const strings = await readStrings(office, partOf('sharedStrings'), limits);
  const formats = await readFormats(office, partOf('styles'));
  return {
    sheets,
    counted,
    hidden,
    unsupported,
    strings,
    format: formatter(formats, { in1904, rare: await rareFormatsFor(formats) }),
    formatText: textFormatter(formats),
  };
};
