import { LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';
import type { XmlElement } from '../archive';
import type { OfficePackage } from './office-package';
import { kindOfFormat, type NumberKind } from './xlsx-values';

export interface Sheet {
  readonly name: string;
  readonly part: string;
}

/** Shared parts of the sheets of a workbook. */
export interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly in1904: boolean;
  readonly strings: readonly string[];
  /** Kinds of numbers, by cell style. */
  readonly kinds: readonly NumberKind[];
}

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
    ['s:si', () => strings.push(current)],
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

const readKinds = async (office: OfficePackage, part: string | undefined): Promise<NumberKind[]> => {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  if (part === undefined || !office.has(part)) return [];
  let inCells = false;
  const opened = new Map<string, (element: XmlElement) => void>([
    ['s:numFmt', (element) => codes.set(element.count('numFmtId') ?? 0, element.get('formatCode') ?? '')],
    ['s:cellXfs', () => (inCells = true)],
    ['s:xf', (element) => inCells && formats.push(element.count('numFmtId') ?? 0)],
  ]);
  await office.walk(part, { opened, closed: new Map([['s:cellXfs', () => (inCells = false)]]) });
  return formats.map((id) => kindOfFormat(id, codes.get(id)));
};

/** Reads visible and hidden sheets; `veryHidden` sheets contain internal data of programs. */
export const readWorkbook = async (office: OfficePackage, main: string, limits: ReadLimits): Promise<Workbook> => {
  const relations = await office.relations(main);
  const partOf = (wanted: string): string | undefined => relations.find(({ kind }) => kind === wanted)?.part;
  const targets = new Map(relations.map((relation) => [relation.id, relation]));
  const sheets: Sheet[] = [];
  let in1904 = false;
  const addSheet = (element: XmlElement): void => {
    const target = targets.get(element.get('r:id') ?? '');
    if (target?.kind !== 'worksheet' || element.get('state') === 'veryHidden' || !office.has(target.part)) return;
    sheets.push({ name: element.get('name') ?? '', part: target.part });
  };
  const opened = new Map<string, (element: XmlElement) => void>([
    ['s:workbookPr', (element) => (in1904 = ['1', 'true'].includes(element.get('date1904') ?? ''))],
    ['s:sheet', addSheet],
  ]);
  await office.walk(main, { opened });
  const strings = await readStrings(office, partOf('sharedStrings'), limits);
  return { sheets, in1904, strings, kinds: await readKinds(office, partOf('styles')) };
};
